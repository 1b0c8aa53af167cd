import type { UserId } from '@slipway/contract/account'
import { cardAssociations } from '@slipway/contract/card-associations'
import { countries, type PaymentMethodId } from '@slipway/contract/payment-methods'
import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

/** Cards: the gateway's token instead of the number, and the details that users recognize. */
export const paymentMethods = pgTable(
  'payment_methods',
  {
    id: uuid().$type<PaymentMethodId>().primaryKey(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    gateway: text().notNull(),
    sealedToken: text(),
    /** The token as an older version stored it; null once it is sealed. */
    token: text(),
    cardAssoc: text({ enum: cardAssociations }).notNull(),
    lastDigits: text().notNull(),
    holderName: text().notNull(),
    expiresAt: time().notNull(),
    billingName: text().notNull(),
    address: text().notNull(),
    district: text().notNull(),
    city: text().notNull(),
    country: text({ enum: countries }).notNull(),
    taxNumber: text(),
    isDefault: boolean().notNull(),
    createdAt,
    updatedAt,
    /** Deleted rows stay for the payments that reference them. */
    deletedAt: time(),
  },
  (table) => [
    check('payment_methods_last_digits', sql`${table.lastDigits} ~ '^[0-9]{4}$'`),
    uniqueIndex('payment_methods_default')
      .on(table.userId)
      .where(sql`${table.isDefault} and ${table.deletedAt} is null`),
    index('payment_methods_plain').on(table.id).where(sql`${table.token} is not null`),
    index('payment_methods_user').on(table.userId, table.createdAt, table.id),
  ],
)
