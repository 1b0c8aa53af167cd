import type { UserId } from '@slipway/contract/account'
import { and, desc, eq, gt, inArray, lte, ne, or, sql } from 'drizzle-orm'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from '../account/account.schema.ts'
import { type SessionId, sessions, socketTickets } from './sessions.schema.ts'

/** The PostgreSQL channel for ended sessions and changed users. */
export const channel = 'slipway_sessions'

export async function insert(db: Db, session: Omit<typeof sessions.$inferInsert, 'id'>) {
  const id = newId<'Session'>()
  await db.insert(sessions).values({ id, ...session })
  return id
}

/** The sessions of a user that are in use and began after these times, the last used first. */
export const listOfUser = (
  db: Db,
  userId: UserId,
  { lastUsedAt, createdAt }: { lastUsedAt: Date; createdAt: Date },
  limit: number,
) =>
  db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.lastUsedAt, lastUsedAt),
        gt(sessions.createdAt, createdAt),
      ),
    )
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .limit(limit)

/** False if the user has no session with this id. */
export async function removeOwn(db: Db, userId: UserId, id: SessionId): Promise<boolean> {
  const removed = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ id: sessions.id })
  return removed.length === 1
}

export async function removeOthers(db: Db, userId: UserId, currentId: SessionId) {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, currentId)))
}

/** Removes all but the last used sessions of a user. False if there are no others. */
export async function removeBeyond(tx: Tx, userId: UserId, limit: number): Promise<boolean> {
  const oldest = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .offset(limit)
  const { rowCount } = await tx.delete(sessions).where(inArray(sessions.id, oldest))
  return (rowCount ?? 0) > 0
}

/** Prepared, because every request runs it. */
export const prepareFind = (db: Database['db']) =>
  db
    .select({
      id: sessions.id,
      lastUsedAt: sessions.lastUsedAt,
      createdAt: sessions.createdAt,
      user: { id: users.id, email: users.email, name: users.name, verifiedAt: users.verifiedAt },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, sql.placeholder('tokenHash')))
    .prepare('find_session')

export async function find(db: Db, id: SessionId) {
  const [session] = await db.select().from(sessions).where(eq(sessions.id, id))
  return session
}

/** Undefined when the session has ended; else it cannot end until the transaction does. */
export async function lock(tx: Tx, id: SessionId) {
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, id)).for('key share')
  return session
}

export async function insertTicket(db: Db, ticket: typeof socketTickets.$inferInsert) {
  await db.insert(socketTickets).values(ticket)
}

/** Removes and returns the ticket; of two concurrent uses only one gets it. */
export async function takeTicket(db: Db, ticketHash: Buffer) {
  const [ticket] = await db
    .delete(socketTickets)
    .where(eq(socketTickets.ticketHash, ticketHash))
    .returning()
  return ticket
}

export async function removeExpiredTickets(db: Db, now: Date) {
  await db.delete(socketTickets).where(lte(socketTickets.expiresAt, now))
}

export async function touch(db: Db, id: SessionId, now: Date) {
  await db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, id))
}

export async function remove(db: Db, id: SessionId) {
  await db.delete(sessions).where(eq(sessions.id, id))
}

export async function removeOfUser(db: Db, userId: UserId) {
  await db.delete(sessions).where(eq(sessions.userId, userId))
}

export async function removeOld(db: Db, times: { lastUsedAt: Date; createdAt: Date }) {
  await db
    .delete(sessions)
    .where(or(lte(sessions.lastUsedAt, times.lastUsedAt), lte(sessions.createdAt, times.createdAt)))
}

/** Sent to every server once the transaction commits. */
export const notify = (tx: Tx, payload: string) =>
  tx.execute(sql`select pg_notify(${channel}, ${payload})`)
