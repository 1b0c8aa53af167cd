import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { products } from '../products/products.schema.ts'
import { projects } from '../projects/projects.schema.ts'

/** When projects ran, and who pays. Billed hours are computed from these rows, never counted. */
export const usageIntervals = pgTable(
  'usage_intervals',
  {
    id: uuid().primaryKey(),
    projectId: uuid()
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id),
    /** Who pays: the owner of the project's team at `startedAt`. */
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    productId: text()
      .notNull()
      .references(() => products.id),
    startedAt: time().notNull(),
    /** Null while the project is running. */
    endedAt: time(),
    createdAt,
  },
  (table) => [
    check('usage_intervals_order', sql`${table.endedAt} >= ${table.startedAt}`),
    // One open interval per project, also when two servers race.
    uniqueIndex('usage_intervals_open').on(table.projectId).where(sql`${table.endedAt} is null`),
    index('usage_intervals_project').on(table.projectId, table.endedAt),
    index('usage_intervals_user').on(table.userId, table.endedAt),
  ],
)

/** Up to when each customer's usage is billed: the start of the next invoice. */
export const billingAccounts = pgTable(
  'billing_accounts',
  {
    userId: uuid()
      .$type<UserId>()
      .primaryKey()
      .references(() => users.id),
    billedUntil: time().notNull(),
    createdAt,
  },
  (table) => [index('billing_accounts_billed_until').on(table.billedUntil, table.userId)],
)
