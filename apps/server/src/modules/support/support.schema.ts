import type { UserId } from '@slipway/contract/account'
import { type TicketId, type TicketMessageId, ticketStates } from '@slipway/contract/support'
import { sql } from 'drizzle-orm'
import { index, type PgColumn, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'

type Columns = Record<'state' | 'resolvedAt' | 'askedAt' | 'repliedAt' | 'readAt', PgColumn>

export const hasUnreadReply = ({ repliedAt, readAt }: Pick<Columns, 'repliedAt' | 'readAt'>) =>
  sql<boolean>`${repliedAt} > coalesce(${readAt}, '-infinity')`

export const isUnanswered = ({ askedAt, repliedAt }: Pick<Columns, 'askedAt' | 'repliedAt'>) =>
  sql<boolean>`${askedAt} > coalesce(${repliedAt}, '-infinity')`

/**
 * True for a ticket that waits for a reply: its user wrote after the last reply, and did not
 * resolve the ticket since. A ticket resolved before `resolvedAtCutoff` is closed and waits for
 * nothing.
 */
export const waitsForReply = (
  { state, resolvedAt, askedAt, repliedAt }: Omit<Columns, 'readAt'>,
  resolvedAtCutoff: Date,
) =>
  sql<boolean>`(
    ${askedAt} > coalesce(${repliedAt}, '-infinity')
    and (${state} = 'open' or ${askedAt} > ${resolvedAt} and ${resolvedAt} >= ${resolvedAtCutoff.toISOString()}::timestamptz)
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
    /** Time of the user's first message since the last reply. A reply does not change it. */
    askedAt: time().notNull(),
    repliedAt: time(),
    /** The user has read the thread up to this time. */
    readAt: time(),
    /** Chosen by the client, so that a repeated request opens one ticket. */
    idempotencyKey: uuid(),
    createdAt,
    updatedAt,
  },
  (table) => [
    index('support_tickets_user').on(table.userId, table.updatedAt.desc(), table.id.desc()),
    // Each console page requests the count of unread replies.
    index('support_tickets_unread').on(table.userId).where(hasUnreadReply(table)),
    // For operators: tickets without a reply to the last message, longest wait first.
    index('support_tickets_unanswered').on(table.askedAt, table.id).where(isUnanswered(table)),
    // For operators: the others, last changed first. NULLS FIRST as in `order by … desc`, else the
    // index has another order.
    index('support_tickets_changed').on(
      table.updatedAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    index('support_tickets_state_changed').on(
      table.state,
      table.updatedAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
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
    /** The author: the ticket's user or an operator. */
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    text: text().notNull(),
    /** Chosen by the client, so that a repeated request stores one message. */
    idempotencyKey: uuid(),
    createdAt,
    updatedAt,
  },
  (table) => [
    index('support_messages_ticket').on(table.ticketId, table.createdAt, table.id),
    unique('support_messages_idempotency').on(table.ticketId, table.userId, table.idempotencyKey),
  ],
)
