import { eq, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { sealingKeys, secrets } from './secrets.schema.ts'

export async function find(db: Db, name: string) {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name))
  return row
}

/** Stores the value unless one exists: of two concurrent calls the first wins. */
export async function insertIfMissing(db: Db, name: string, sealedValue: string, now: Date) {
  await db.insert(secrets).values({ name, sealedValue, createdAt: now }).onConflictDoNothing()
}

export const lockSealingKeys = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('sealing keys', 0))`)

export const listSealingKeys = async (db: Db) =>
  (await db.select().from(sealingKeys).orderBy(sealingKeys.id)).map(({ id }) => id)

export async function insertSealingKey(db: Db, id: string) {
  await db.insert(sealingKeys).values({ id, createdAt: sql`now()` }).onConflictDoNothing()
}

export async function removeOtherSealingKeys(db: Db, id: string) {
  await db.delete(sealingKeys).where(ne(sealingKeys.id, id))
}

export async function databaseTime(db: Db): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`select clock_timestamp()::text as now`)
  if (!rows[0]) throw new Error('the database returned no time')
  return rows[0].now
}

export async function hasTransactionBefore(db: Db, time: string) {
  const { rows } = await db.execute<{ found: boolean }>(sql`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and application_name like 'slipway-%' and xact_start < ${time}::timestamptz
    ) as found`)
  return rows[0]?.found === true
}

export async function hasSessionNamed(db: Db, names: readonly string[]) {
  const { rows } = await db.execute<{ found: boolean }>(sql`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and application_name in ${names}
    ) as found`)
  return rows[0]?.found === true
}
