import type { UserId } from '@slipway/contract/account'
import { type TicketId, type TicketMessageId, ticketStates } from '@slipway/contract/support'
import { sql } from 'drizzle-orm'
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

export const supportTickets = pgTable(
  'support_tickets',
  {
    id: uuid().$type<TicketId>().primaryKey(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    subject: text().notNull(),
    state: text({ enum: ticketStates }).notNull(),
    resolvedAt: time(),
    /** When the user wrote last, and when the support team did. */
    askedAt: time().notNull(),
    repliedAt: time(),
    /** Up to when the user has read the thread. */
    readAt: time(),
    /** Made by the client, so that a request sent twice opens one ticket. */
    idempotencyKey: uuid(),
    createdAt,
    updatedAt,
  },
  (table) => [
    index('support_tickets_user').on(table.userId, table.updatedAt.desc(), table.id.desc()),
    // Each page of a user asks how many there are.
    index('support_tickets_unread')
      .on(table.userId)
      .where(sql`${table.repliedAt} > coalesce(${table.readAt}, '-infinity')`),
    // For the support team: those who wait longest for an answer first.
    index('support_tickets_state').on(table.state, table.askedAt, table.id),
    unique('support_tickets_idempotency').on(table.userId, table.idempotencyKey),
  ],
)

export const supportMessages = pgTable(
  'support_messages',
  {
    id: uuid().$type<TicketMessageId>().primaryKey(),
    ticketId: uuid()
      .$type<TicketId>()
      .notNull()
      .references(() => supportTickets.id, { onDelete: 'cascade' }),
    /** Who wrote it: the ticket's user, or somebody of the support team. */
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    text: text().notNull(),
    /** As that of a ticket. */
    idempotencyKey: uuid(),
    createdAt,
    updatedAt,
  },
  (table) => [
    index('support_messages_ticket').on(table.ticketId, table.createdAt, table.id),
    unique('support_messages_idempotency').on(table.ticketId, table.userId, table.idempotencyKey),
  ],
)
