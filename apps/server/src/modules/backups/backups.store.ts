import { desc } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { backups } from './backups.schema.ts'

export type Backup = typeof backups.$inferSelect

export async function insert(db: Db, backup: Backup) {
  // A second copy of a backup, in another location, replaces the record of the first.
  await db.insert(backups).values(backup).onConflictDoUpdate({ target: backups.name, set: backup })
}

export async function findNewest(db: Db): Promise<Backup | undefined> {
  const [newest] = await db.select().from(backups).orderBy(desc(backups.finishedAt)).limit(1)
  return newest
}
