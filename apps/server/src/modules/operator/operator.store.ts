import type { TicketId, TicketState } from '@slipway/contract/support'
import { and, asc, count, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/connect.ts'
import { users } from '../account/account.schema.ts'
import { supportTickets, waitsForReply } from '../support/support.schema.ts'

/** The tickets of everybody: for operators alone, whom the access of their endpoints lets in. */
const tickets = (db: Db, closedBefore: Date) =>
  db
    .select({
      id: supportTickets.id,
      subject: supportTickets.subject,
      state: supportTickets.state,
      resolvedAt: supportTickets.resolvedAt,
      createdAt: supportTickets.createdAt,
      updatedAt: supportTickets.updatedAt,
      user: { id: users.id, name: users.name, email: users.email },
      waiting: waitsForReply(supportTickets, closedBefore),
    })
    .from(supportTickets)
    .innerJoin(users, eq(users.id, supportTickets.userId))
    .$dynamic()

export type Ticket = Awaited<ReturnType<typeof tickets>>[number]

// The four letters i of Turkish and English are one, so that nobody has to know which was typed; a dot
// above, which İ may be written with, goes. The other Turkish letters stand here because `lower` leaves
// them as they are in a database of the locale C.
const folded = (text: SQL | PgColumn) =>
  sql`lower(translate(normalize(${text}, NFC), ${'İIıÇĞÖŞÜ\u0307'}, 'iiiçğöşü'))`

/** Looks for the text itself, not for a pattern: in it % and _ mean nothing. */
const contains = (text: SQL | PgColumn, search: string) =>
  sql`strpos(${folded(text)}, ${folded(sql`${search}::text`)}) > 0`

const found = (search: string) =>
  or(
    contains(supportTickets.subject, search),
    contains(users.name, search),
    contains(users.email, search),
    contains(sql`${supportTickets.id}::text`, search),
  )

/** The rows of one page, and how many there are on all of them. */
export async function list(
  db: Db,
  which: {
    state: TicketState | undefined
    search: string | undefined
    closedBefore: Date
  },
  page: { offset: number; limit: number },
): Promise<{ rows: Ticket[]; count: number }> {
  const condition = and(
    which.state && eq(supportTickets.state, which.state),
    which.search === undefined ? undefined : found(which.search),
  )
  const waiting = waitsForReply(supportTickets, which.closedBefore)
  const rows = await tickets(db, which.closedBefore)
    .where(condition)
    .orderBy(
      desc(waiting),
      asc(sql`case when ${waiting} then ${supportTickets.askedAt} end`),
      desc(supportTickets.updatedAt),
      desc(supportTickets.id),
    )
    .offset(page.offset)
    .limit(page.limit)
  const [all] = await db
    .select({ count: count() })
    .from(supportTickets)
    .innerJoin(users, eq(users.id, supportTickets.userId))
    .where(condition)
  return { rows, count: all?.count ?? 0 }
}

export async function find(db: Db, id: TicketId, closedBefore: Date): Promise<Ticket | undefined> {
  const [ticket] = await tickets(db, closedBefore).where(eq(supportTickets.id, id))
  return ticket
}
