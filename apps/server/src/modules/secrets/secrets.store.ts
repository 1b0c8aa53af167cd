import { eq } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { secrets } from './secrets.schema.ts'

export async function find(db: Db, name: string) {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name))
  return row?.value
}

/** Stores the value unless one exists: of two concurrent calls the first wins. */
export async function insertIfMissing(db: Db, name: string, value: Buffer, now: Date) {
  await db.insert(secrets).values({ name, value, createdAt: now }).onConflictDoNothing()
}
