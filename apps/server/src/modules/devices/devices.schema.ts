import type { UserId } from '@slipway/contract/account'
import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

/** Browsers in which a user signed up or logged in, by their cookie. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the user and the cookie, so that no row tells which users share a browser. */
    deviceHash: bytes().notNull(),
    /** Null until the first login; a sign-up does not count. */
    lastLoginAt: time(),
    createdAt,
    expiresAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.deviceHash] }),
    index('known_devices_expires').on(table.expiresAt),
  ],
)
