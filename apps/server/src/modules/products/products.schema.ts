import type { UserId } from '@slipway/contract/account'
import type { Amount } from '@slipway/contract/amount'
import type { LocalizedName } from '@slipway/phrases'
import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

export const products = pgTable('products', {
  /** A name, such as `website`. */
  id: text().primaryKey(),
  names: jsonb().$type<LocalizedName>().notNull(),
  createdAt,
})

/** The operator who set it; null for an initial price, and for changes by version 0.1. */
const changedBy = uuid()
  .$type<UserId>()
  .references(() => users.id)

/** The price of an hour that begins at `startsAt` or later. Past prices are never changed. */
export const productPrices = pgTable(
  'product_prices',
  {
    productId: text()
      .notNull()
      .references(() => products.id),
    startsAt: time().notNull(),
    price: amount().$type<Amount>().notNull(),
    changedBy,
    createdAt,
  },
  (table) => [primaryKey({ columns: [table.productId, table.startsAt] })],
)

/** A user's discount on an hour that begins at `startsAt` or later; null ends a discount. */
export const userDiscounts = pgTable(
  'user_discounts',
  {
    userId: uuid()
      .$type<UserId>()
      .notNull()
      // Deleted with an account that was never verified.
      .references(() => users.id, { onDelete: 'cascade' }),
    productId: text()
      .notNull()
      .references(() => products.id),
    startsAt: time().notNull(),
    discount: amount().$type<Amount>(),
    changedBy,
    createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.productId, table.startsAt] }),
    // PostgreSQL looks up this reference when a user is removed.
    index('user_discounts_changed_by').on(table.changedBy),
  ],
)
