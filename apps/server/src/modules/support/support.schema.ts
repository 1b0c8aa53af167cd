import type { UserId } from '@slipway/contract/account'
import { type TicketId, type TicketMessageId, ticketStates } from '@slipway/contract/support'
import { sql } from 'drizzle-orm'
import { index, type PgColumn, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

type Columns = Record<'state' | 'resolvedAt' | 'askedAt' | 'repliedAt' | 'readAt', PgColumn>

/** True for a ticket with a reply that its user has not seen. */
export const hasUnreadReply = ({ repliedAt, readAt }: Pick<Columns, 'repliedAt' | 'readAt'>) =>
  sql<boolean>`${repliedAt} > coalesce(${readAt}, '-infinity')`

/**
 * True for a ticket whose user waits for a reply: they wrote after the last one, and did not say
 * afterwards that it is resolved. One that was resolved before `closedBefore` takes no reply any more.
 */
export const waitsForReply = (
  { state, resolvedAt, askedAt, repliedAt }: Omit<Columns, 'readAt'>,
  closedBefore: Date,
) =>
  sql<boolean>`(
    ${askedAt} > coalesce(${repliedAt}, '-infinity')
    and (${state} = 'open' or ${askedAt} > ${resolvedAt} and ${resolvedAt} >= ${closedBefore.toISOString()}::timestamptz)
  )`

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
    /** When the user wrote what waits for a reply, the first of it; or what was replied to last. */
    askedAt: time().notNull(),
    /** When the support team wrote last. */
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
    index('support_tickets_unread').on(table.userId).where(hasUnreadReply(table)),
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
