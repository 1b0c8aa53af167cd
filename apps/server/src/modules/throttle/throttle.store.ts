import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { attempts } from './throttle.schema.ts'

/** Makes everybody who counts this subject wait for the end of the transaction. */
export const lock = (tx: Tx, subject: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`)

/** When the subject was last used since that moment, oldest first, at most `most` of them. */
export async function since(db: Db, subject: string, moment: Date, most: number) {
  const rows = await db
    .select({ at: attempts.at })
    .from(attempts)
    .where(and(eq(attempts.subject, subject), gt(attempts.at, moment)))
    .orderBy(asc(attempts.at), asc(attempts.id))
    .limit(most)
  return rows.map((row) => row.at)
}

export async function insert(db: Db, subject: string, at: Date) {
  const [row] = await db.insert(attempts).values({ subject, at }).returning({ id: attempts.id })
  if (!row) throw new Error('an attempt was not stored')
  return row.id
}

export async function remove(db: Db, subject: string, id: bigint) {
  await db.delete(attempts).where(and(eq(attempts.subject, subject), eq(attempts.id, id)))
}

export async function removeAll(db: Db, subject: string) {
  await db.delete(attempts).where(eq(attempts.subject, subject))
}

export async function removeBefore(db: Db, moment: Date) {
  await db.delete(attempts).where(lt(attempts.at, moment))
}
