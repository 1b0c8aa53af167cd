import type { ClusterResult } from '@slipway/contract/clusters'
import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { clusterChecks } from './clusters.schema.ts'

export type StoredCheck = typeof clusterChecks.$inferSelect

export async function find(db: Db, installation: string): Promise<StoredCheck | undefined> {
  const [check] = await db
    .select()
    .from(clusterChecks)
    .where(eq(clusterChecks.installation, installation))
  return check
}

/** Stores a request. Results of other settings are deleted: they may be of another cluster. */
export async function request(
  tx: Tx,
  { installation, settings, now }: { installation: string; settings: string; now: Date },
): Promise<StoredCheck> {
  const isSame = sql`${clusterChecks.settings} = ${settings}`
  const [check] = await tx
    .insert(clusterChecks)
    .values({ installation, settings, requestedAt: now, pending: true })
    .onConflictDoUpdate({
      target: clusterChecks.installation,
      set: {
        settings,
        requestedAt: now,
        pending: true,
        checkedAt: sql`case when ${isSame} then ${clusterChecks.checkedAt} end`,
        results: sql`case when ${isSame} then ${clusterChecks.results} end`,
      },
    })
    .returning()
  if (!check) throw new Error('no check of the cluster was stored')
  return check
}

/** Stores what a check found. */
export async function finish(
  db: Db,
  {
    installation,
    settings,
    results,
    now,
  }: { installation: string; settings: string; results: readonly ClusterResult[]; now: Date },
) {
  const found = { settings, results, checkedAt: now, pending: false }
  await db
    .insert(clusterChecks)
    .values({ installation, requestedAt: now, ...found })
    .onConflictDoUpdate({ target: clusterChecks.installation, set: found })
}
