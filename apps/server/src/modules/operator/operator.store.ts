import type { TicketId, TicketState } from '@slipway/contract/support'
import { and, asc, count, desc, eq, not, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { users } from '../account/account.schema.ts'
import { isUnanswered, supportTickets, waitsForReply } from '../support/support.schema.ts'

/** Across tenants: for operators only. */
const tickets = (db: Db, resolvedAtCutoff: Date) =>
  db
    .select({
      id: supportTickets.id,
      subject: supportTickets.subject,
      state: supportTickets.state,
      resolvedAt: supportTickets.resolvedAt,
      createdAt: supportTickets.createdAt,
      updatedAt: supportTickets.updatedAt,
      user: { id: users.id, name: users.name, email: users.email },
      waiting: waitsForReply(supportTickets, resolvedAtCutoff),
    })
    .from(supportTickets)
    .innerJoin(users, eq(users.id, supportTickets.userId))
    .$dynamic()

export type Ticket = Awaited<ReturnType<typeof tickets>>[number]

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/**
 * Tickets with a part of their subject, id, or user's name or email. Each part has a trigram index;
 * an `or` over two tables could use none. A shorter search than three letters has no trigram and
 * scans.
 */
const matches = (search: string) => {
  const pattern = sql`'%' || slipway_fold(${escapeLike(search)}) || '%'`
  return sql`${supportTickets.id} in (
    select t.id from support_tickets t where slipway_fold(t.subject) like ${pattern}
    union select t.id from support_tickets t where t.id::text like ${pattern}
    union select t.id from support_tickets t where t.user_id in (
      select u.id from users u where slipway_fold(u.name) like ${pattern}
      union select u.id from users u where slipway_fold(u.email) like ${pattern}))`
}

type Filter = {
  state: TicketState | undefined
  search: string | undefined
  resolvedAtCutoff: Date
}
type PageRange = { offset: number; limit: number }

/** The most tickets that are counted: more pages than an operator opens. */
const maxCounted = 10_000

async function countOf(db: Db, condition: SQL | undefined) {
  const counted = db
    .select({ id: supportTickets.id })
    .from(supportTickets)
    .where(condition)
    // In the order of the index, which is read only up to the limit.
    .orderBy(desc(supportTickets.updatedAt), desc(supportTickets.id))
    .limit(maxCounted)
    .as('counted')
  const [row] = await db.select({ count: count() }).from(counted)
  return row?.count ?? 0
}

const byWait = [
  asc(supportTickets.askedAt),
  desc(supportTickets.updatedAt),
  desc(supportTickets.id),
]
const byChange = [desc(supportTickets.updatedAt), desc(supportTickets.id)]

/**
 * The rows of one page, and the count of all rows up to 10,000: the waiting tickets in the order of
 * their index, then the others in the order of theirs.
 */
export async function list(
  db: Db,
  { state, search, resolvedAtCutoff }: Filter,
  { offset, limit }: PageRange,
): Promise<{ rows: Ticket[]; count: number }> {
  const condition = and(
    state && eq(supportTickets.state, state),
    search === undefined ? undefined : matches(search),
  )
  const waits = waitsForReply(supportTickets, resolvedAtCutoff)
  const waiting = and(isUnanswered(supportTickets), waits, condition)
  const [counted] = await db.select({ count: count() }).from(supportTickets).where(waiting)
  const waitingCount = counted?.count ?? 0
  const rows =
    offset < waitingCount
      ? await tickets(db, resolvedAtCutoff)
          .where(waiting)
          .orderBy(...byWait)
          .offset(offset)
          .limit(limit)
      : []
  if (rows.length < limit)
    rows.push(
      ...(await tickets(db, resolvedAtCutoff)
        .where(and(not(waits), condition))
        .orderBy(...byChange)
        .offset(Math.max(0, offset - waitingCount))
        .limit(limit - rows.length)),
    )
  return { rows, count: await countOf(db, condition) }
}

export async function find(
  db: Db,
  id: TicketId,
  resolvedAtCutoff: Date,
): Promise<Ticket | undefined> {
  const [ticket] = await tickets(db, resolvedAtCutoff).where(eq(supportTickets.id, id))
  return ticket
}
