import type { TicketId, TicketState } from '@slipway/contract/support'
import { and, asc, count, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/connect.ts'
import { users } from '../account/account.schema.ts'
import { supportTickets, waitsForReply } from '../support/support.schema.ts'

/** Across tenants: for operators only. */
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

// Folds i, ı, I and İ to i; drops the combining dot of a decomposed İ. The other Turkish letters
// are listed because `lower` ignores them in a database with locale C.
const foldCase = (text: SQL | PgColumn) =>
  sql`lower(translate(normalize(${text}, NFC), ${'İIıÇĞÖŞÜ\u0307'}, 'iiiçğöşü'))`

/** A substring match, in which % and _ are plain characters. */
const contains = (text: SQL | PgColumn, search: string) =>
  sql`strpos(${foldCase(text)}, ${foldCase(sql`${search}::text`)}) > 0`

const matches = (search: string) =>
  or(
    contains(supportTickets.subject, search),
    contains(users.name, search),
    contains(users.email, search),
    contains(sql`${supportTickets.id}::text`, search),
  )

/** The rows of one page, and the count of all rows. */
export async function list(
  db: Db,
  filter: {
    state: TicketState | undefined
    search: string | undefined
    closedBefore: Date
  },
  page: { offset: number; limit: number },
): Promise<{ rows: Ticket[]; count: number }> {
  const condition = and(
    filter.state && eq(supportTickets.state, filter.state),
    filter.search === undefined ? undefined : matches(filter.search),
  )
  const waiting = waitsForReply(supportTickets, filter.closedBefore)
  const rows = await tickets(db, filter.closedBefore)
    .where(condition)
    .orderBy(
      desc(waiting),
      asc(sql`case when ${waiting} then ${supportTickets.askedAt} end`),
      desc(supportTickets.updatedAt),
      desc(supportTickets.id),
    )
    .offset(page.offset)
    .limit(page.limit)
  const [total] = await db
    .select({ count: count() })
    .from(supportTickets)
    .innerJoin(users, eq(users.id, supportTickets.userId))
    .where(condition)
  return { rows, count: total?.count ?? 0 }
}

export async function find(db: Db, id: TicketId, closedBefore: Date): Promise<Ticket | undefined> {
  const [ticket] = await tickets(db, closedBefore).where(eq(supportTickets.id, id))
  return ticket
}
