import type { UserId } from '@slipway/contract/account'
import { eq, lte, sql } from 'drizzle-orm'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from '../account/account.schema.ts'
import { type SessionId, sessions } from './sessions.schema.ts'

/** The PostgreSQL channel for ended sessions and changed users. */
export const channel = 'slipway_sessions'

export async function insert(db: Db, userId: UserId, tokenHash: Buffer, now: Date) {
  const id = newId<'Session'>()
  await db.insert(sessions).values({ id, userId, tokenHash, lastUsedAt: now, createdAt: now })
  return id
}

/** Prepared, because every request runs it. */
export const prepareFind = (db: Database['db']) =>
  db
    .select({
      id: sessions.id,
      lastUsedAt: sessions.lastUsedAt,
      user: { id: users.id, email: users.email, name: users.name, verifiedAt: users.verifiedAt },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, sql.placeholder('tokenHash')))
    .prepare('find_session')

export async function touch(db: Db, id: SessionId, now: Date) {
  await db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, id))
}

export async function remove(db: Db, id: SessionId) {
  await db.delete(sessions).where(eq(sessions.id, id))
}

export async function removeOfUser(db: Db, userId: UserId) {
  await db.delete(sessions).where(eq(sessions.userId, userId))
}

export async function removeUnusedSince(db: Db, time: Date) {
  await db.delete(sessions).where(lte(sessions.lastUsedAt, time))
}

/** Sent to every server once the transaction commits. */
export const announce = (tx: Tx, payload: string) =>
  tx.execute(sql`select pg_notify(${channel}, ${payload})`)
