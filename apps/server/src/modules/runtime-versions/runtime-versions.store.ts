import type { VersionedRuntime } from '@slipway/contract/runtimes'
import { and, desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { runtimeVersions } from './runtime-versions.schema.ts'

export type StoredVersion = typeof runtimeVersions.$inferSelect

export const list = (db: Db, limit: number): Promise<StoredVersion[]> =>
  db
    .select()
    .from(runtimeVersions)
    .orderBy(desc(runtimeVersions.createdAt), desc(runtimeVersions.id))
    .limit(limit)

export async function findNewest(
  db: Db,
  runtime: VersionedRuntime,
): Promise<StoredVersion | undefined> {
  const [newest] = await db
    .select()
    .from(runtimeVersions)
    .where(eq(runtimeVersions.runtime, runtime))
    .orderBy(desc(runtimeVersions.createdAt), desc(runtimeVersions.id))
    .limit(1)
  return newest
}

export async function find(
  db: Db,
  runtime: VersionedRuntime,
  artifact: string,
): Promise<StoredVersion | undefined> {
  const [version] = await db
    .select()
    .from(runtimeVersions)
    .where(and(eq(runtimeVersions.artifact, artifact), eq(runtimeVersions.runtime, runtime)))
  return version
}

export async function isArtifactUsed(db: Db, artifact: string): Promise<boolean> {
  const [row] = await db
    .select({ id: runtimeVersions.id })
    .from(runtimeVersions)
    .where(eq(runtimeVersions.artifact, artifact))
    .limit(1)
  return row !== undefined
}

/** Stores a version once; one that was added before becomes the newest again. */
export async function upsert(
  tx: Tx,
  version: Omit<typeof runtimeVersions.$inferInsert, 'id'>,
): Promise<StoredVersion> {
  const [stored] = await tx
    .insert(runtimeVersions)
    .values({ ...version, id: newId() })
    .onConflictDoUpdate({
      target: [runtimeVersions.artifact, runtimeVersions.runtime],
      set: { createdAt: version.createdAt },
    })
    .returning()
  if (!stored) throw new Error('a version was not stored')
  return stored
}
