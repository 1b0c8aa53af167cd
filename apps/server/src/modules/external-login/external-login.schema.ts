import type { UserId } from '@slipway/contract/account'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

/** Links a user to a provider's subject, because an email address may change owners. */
export const externalIdentities = pgTable(
  'external_identities',
  {
    provider: text().notNull(),
    subject: text().notNull(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index('external_identities_user').on(table.userId),
  ],
)

/** Completed external logins, whose console has yet to exchange its code for a session. */
export const externalLoginCodes = pgTable(
  'external_login_codes',
  {
    codeHash: bytes().primaryKey(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The console's state, which the exchange repeats. */
    consoleState: text().notNull(),
    /** SHA-256 of the cookie of the browser that started the login. */
    browserHash: bytes().notNull(),
    createdAt,
    expiresAt: time().notNull(),
  },
  (table) => [
    index('external_login_codes_user').on(table.userId),
    index('external_login_codes_expires').on(table.expiresAt),
  ],
)

/** External logins that have not returned from the provider; each can return once. */
export const externalLogins = pgTable(
  'external_logins',
  {
    stateHash: bytes().primaryKey(),
    provider: text().notNull(),
    /** The console's own state, returned to it at the end. */
    consoleState: text().notNull(),
    /** SHA-256 of the cookie of the browser that started the login. */
    browserHash: bytes().notNull(),
    nonce: text().notNull(),
    codeVerifier: text().notNull(),
    createdAt,
    expiresAt: time().notNull(),
  },
  (table) => [index('external_logins_expires').on(table.expiresAt)],
)
