import type { UserId } from '@slipway/contract/account'
import type { Id } from '@slipway/contract/id'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

export type SessionId = Id<'Session'>

export const sessions = pgTable(
  'sessions',
  {
    id: uuid().$type<SessionId>().primaryKey(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the bearer token, so that a leaked row is of no use. */
    tokenHash: bytes().notNull().unique('sessions_token_hash'),
    /** Where the login came from; null for a session of an older version. */
    address: text(),
    agent: text(),
    timeZone: text(),
    lastUsedAt: time().notNull(),
    createdAt,
  },
  (table) => [
    index('sessions_user').on(table.userId),
    // For the removal of expired sessions.
    index('sessions_last_used').on(table.lastUsedAt),
    index('sessions_created').on(table.createdAt),
  ],
)

/** Tickets that open a socket in the name of a session. Each works once. */
export const socketTickets = pgTable(
  'socket_tickets',
  {
    ticketHash: bytes().primaryKey(),
    sessionId: uuid()
      .$type<SessionId>()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    expiresAt: time().notNull(),
  },
  (table) => [
    index('socket_tickets_session').on(table.sessionId),
    index('socket_tickets_expires').on(table.expiresAt),
  ],
)
