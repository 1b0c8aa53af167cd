import type { UserId } from '@slipway/contract/account'
import { locales } from '@slipway/phrases'
import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'

export const users = pgTable(
  'users',
  {
    id: uuid().$type<UserId>().primaryKey(),
    name: text().notNull(),
    username: text().notNull(),
    /** As the contract's `lowercaseEmail` returns it. */
    email: text().notNull(),
    loginKind: text().notNull(),
    /** Argon2id in PHC format; null for a user who signs in with an outside provider. */
    passwordHash: text(),
    /** The language of the user's last console visit, for emails; null when unknown. */
    locale: text({ enum: locales }),
    verifiedAt: time(),
    createdAt,
    updatedAt,
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    // For the removal of accounts that are never verified.
    index('users_unverified').on(table.createdAt, table.id).where(sql`${table.verifiedAt} is null`),
    uniqueIndex('users_username').on(sql`lower(${table.username})`),
  ],
)
