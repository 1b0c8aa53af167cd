import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { attempts } from './throttle.schema.ts'

/** Serializes counting of this subject until the transaction ends. */
export const lock = (tx: Tx, subject: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`)

/** The times of use after `start`, oldest first. */
export async function listSince(db: Db, subject: string, start: Date, limit: number) {
  const rows = await db
    .select({ attemptedAt: attempts.attemptedAt })
    .from(attempts)
    .where(and(eq(attempts.subject, subject), gt(attempts.attemptedAt, start)))
    .orderBy(asc(attempts.attemptedAt), asc(attempts.id))
    .limit(limit)
  return rows.map((row) => row.attemptedAt)
}

export async function insert(db: Db, subject: string, now: Date) {
  const [row] = await db
    .insert(attempts)
    .values({ subject, attemptedAt: now })
    .returning({ id: attempts.id })
  if (!row) throw new Error('an attempt was not stored')
  return row.id
}

export async function remove(db: Db, subject: string, id: bigint) {
  await db.delete(attempts).where(and(eq(attempts.subject, subject), eq(attempts.id, id)))
}

export async function removeAll(db: Db, subject: string) {
  await db.delete(attempts).where(eq(attempts.subject, subject))
}

export async function removeBefore(db: Db, start: Date) {
  await db.delete(attempts).where(lt(attempts.attemptedAt, start))
}
