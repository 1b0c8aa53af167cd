import type { UserId } from '@slipway/contract/account'
import type { TicketId, TicketMessageId } from '@slipway/contract/support'
import { and, asc, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { hasUnreadReply, supportMessages, supportTickets, waitsForReply } from './support.schema.ts'

const unread = hasUnreadReply(supportTickets)
const columns = {
  ...getTableColumns(supportTickets),
  unread: sql<boolean>`coalesce(${unread}, false)`,
}

export type Ticket = typeof supportTickets.$inferSelect & { unread: boolean }
export type Message = typeof supportMessages.$inferSelect

/** Limits every query for a user to their own tickets. */
const ofUser = (db: Db, userId: UserId, filter?: SQL) =>
  db
    .select(columns)
    .from(supportTickets)
    .where(and(eq(supportTickets.userId, userId), filter))
    .$dynamic()

/** Last changed first. */
export const listForUser = (db: Db, userId: UserId): Promise<Ticket[]> =>
  ofUser(db, userId).orderBy(desc(supportTickets.updatedAt), desc(supportTickets.id)).limit(1000)

export async function countUnread(db: Db, userId: UserId) {
  const [row] = await db
    .select({ count: count() })
    .from(supportTickets)
    .where(and(eq(supportTickets.userId, userId), unread))
  return row?.count ?? 0
}

export async function findForUser(
  db: Db,
  userId: UserId,
  id: TicketId,
): Promise<Ticket | undefined> {
  const [ticket] = await ofUser(db, userId, eq(supportTickets.id, id))
  return ticket
}

export async function findByIdempotencyKeyForUser(
  db: Db,
  userId: UserId,
  idempotencyKey: string,
): Promise<Ticket | undefined> {
  const [ticket] = await ofUser(db, userId, eq(supportTickets.idempotencyKey, idempotencyKey))
  return ticket
}

export async function lockForUser(
  tx: Tx,
  userId: UserId,
  id: TicketId,
): Promise<Ticket | undefined> {
  const [ticket] = await ofUser(tx, userId, eq(supportTickets.id, id)).for('update')
  return ticket
}

export async function lockForOperator(tx: Tx, id: TicketId): Promise<Ticket | undefined> {
  const [ticket] = await tx
    .select(columns)
    .from(supportTickets)
    .where(eq(supportTickets.id, id))
    .for('update')
  return ticket
}

export async function findUserId(db: Db, id: TicketId) {
  const [ticket] = await db
    .select({ userId: supportTickets.userId })
    .from(supportTickets)
    .where(eq(supportTickets.id, id))
  return ticket?.userId
}

/** Messages of a ticket, oldest first, and the total that matches, in one snapshot. */
export type Thread = { messages: Message[]; total: number }

/** The last 1,000 messages, or the last 1,000 before a given one. */
export async function listMessages(
  db: Db,
  ticketId: TicketId,
  before?: Pick<Message, 'createdAt' | 'id'>,
): Promise<Thread> {
  const newest = await db
    .select({
      message: getTableColumns(supportMessages),
      total: sql`count(*) over ()`.mapWith(Number),
    })
    .from(supportMessages)
    .where(and(eq(supportMessages.ticketId, ticketId), before && isBefore(before)))
    .orderBy(desc(supportMessages.createdAt), desc(supportMessages.id))
    .limit(1000)
  const messages = newest.map(({ message }) => message).reverse()
  return { messages, total: newest[0]?.total ?? 0 }
}

const isBefore = ({ createdAt, id }: Pick<Message, 'createdAt' | 'id'>) =>
  sql`(${supportMessages.createdAt}, ${supportMessages.id}) < (${createdAt.toISOString()}::timestamptz, ${id}::uuid)`

/** Undefined when the user has a ticket with this key; waits for a concurrent insert. */
export async function insert(
  tx: Tx,
  ticket: { userId: UserId; subject: string; idempotencyKey: string | undefined },
  now: Date,
): Promise<Ticket | undefined> {
  const [created] = await tx
    .insert(supportTickets)
    .values({
      id: newId<'Ticket'>(),
      ...ticket,
      state: 'open',
      askedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: [supportTickets.userId, supportTickets.idempotencyKey] })
    .returning()
  return created && { ...created, unread: false }
}

export async function insertMessage(
  tx: Tx,
  message: {
    ticketId: TicketId
    userId: UserId
    text: string
    idempotencyKey: string | undefined
  },
  now: Date,
): Promise<Message> {
  const [created] = await tx
    .insert(supportMessages)
    .values({ id: newId<'TicketMessage'>(), ...message, createdAt: now, updatedAt: now })
    .returning()
  if (!created) throw new Error('a message was not stored')
  return created
}

export async function findMessage(
  db: Db,
  ticketId: TicketId,
  id: TicketMessageId,
): Promise<Message | undefined> {
  const [message] = await db
    .select()
    .from(supportMessages)
    .where(and(eq(supportMessages.ticketId, ticketId), eq(supportMessages.id, id)))
  return message
}

export async function findMessageByKey(
  db: Db,
  message: { ticketId: TicketId; userId: UserId; idempotencyKey: string },
): Promise<Message | undefined> {
  const [existing] = await db
    .select()
    .from(supportMessages)
    .where(
      and(
        eq(supportMessages.ticketId, message.ticketId),
        eq(supportMessages.userId, message.userId),
        eq(supportMessages.idempotencyKey, message.idempotencyKey),
      ),
    )
    .orderBy(asc(supportMessages.id))
  return existing
}

type Change = Partial<
  Record<'askedAt', Date | SQL> &
    Pick<Ticket, 'repliedAt' | 'readAt' | 'state' | 'resolvedAt' | 'updatedAt'>
>

async function update(tx: Tx, id: TicketId, change: Change): Promise<Ticket> {
  const [changed] = await tx
    .update(supportTickets)
    .set(change)
    .where(eq(supportTickets.id, id))
    .returning(columns)
  if (!changed) throw new Error(`ticket ${id} is missing although it is locked`)
  return changed
}

/** Keeps `askedAt` of a ticket that already waits, so that it keeps its position in the queue. */
export const recordQuestion = (tx: Tx, id: TicketId, sentAt: Date, resolvedAtCutoff: Date) =>
  update(tx, id, {
    askedAt: sql`case when ${waitsForReply(supportTickets, resolvedAtCutoff)} then ${supportTickets.askedAt} else ${sentAt.toISOString()}::timestamptz end`,
    updatedAt: sentAt,
  })

export const recordReply = (tx: Tx, id: TicketId, sentAt: Date) =>
  update(tx, id, { repliedAt: sentAt, updatedAt: sentAt })

export const setResolved = (tx: Tx, id: TicketId, resolvedAt: Date) =>
  update(tx, id, { state: 'resolved', resolvedAt, updatedAt: resolvedAt })

/** Leaves `updatedAt` alone: reading does not change the ticket. */
export const setRead = (tx: Tx, id: TicketId, readAt: Date) => update(tx, id, { readAt })
