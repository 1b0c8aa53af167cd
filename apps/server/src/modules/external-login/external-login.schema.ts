import type { UserId } from '@slipway/contract/account'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

/** Who an account is at an outside provider: by its subject there, for an e-mail address may change hands. */
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

/** Sign-ins that have gone out to a provider and not come back yet; each comes back once. */
export const externalLogins = pgTable(
  'external_logins',
  {
    stateHash: bytes().primaryKey(),
    provider: text().notNull(),
    /** The console's own state, which goes back to it. */
    consoleState: text().notNull(),
    /** SHA-256 of the cookie of the browser that began. */
    browserHash: bytes().notNull(),
    nonce: text().notNull(),
    codeVerifier: text().notNull(),
    createdAt,
    expiresAt: time().notNull(),
  },
  (table) => [index('external_logins_expires').on(table.expiresAt)],
)
