import type { ClusterResult } from '@slipway/contract/clusters'
import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, eq, inArray, isNotNull, isNull, ne, notInArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { instances } from '../instances/instances.schema.ts'
import { isOpen, projectMoves, projects } from '../projects/projects.schema.ts'
import { clusterChecks, clusters } from './clusters.schema.ts'

export type StoredCheck = typeof clusterChecks.$inferSelect

export async function find(db: Db, installation: string): Promise<StoredCheck | undefined> {
  const [check] = await db
    .select()
    .from(clusterChecks)
    .where(eq(clusterChecks.installation, installation))
  return check
}

/**
 * Stores a request. Results of other settings are deleted: they may be of another cluster. With
 * null, for a server that does not know the worker's settings, results stay.
 */
export async function request(
  tx: Tx,
  { installation, settings, now }: { installation: string; settings: string | null; now: Date },
): Promise<StoredCheck> {
  const isSame = sql`${clusterChecks.settings} = ${settings}`
  const pending = { requestedAt: now, pending: true }
  const [check] = await tx
    .insert(clusterChecks)
    .values({ installation, settings: settings ?? '', ...pending })
    .onConflictDoUpdate({
      target: clusterChecks.installation,
      set:
        settings === null
          ? pending
          : {
              ...pending,
              settings,
              checkedAt: sql`case when ${isSame} then ${clusterChecks.checkedAt} end`,
              results: sql`case when ${isSame} then ${clusterChecks.results} end`,
            },
    })
    .returning()
  if (!check) throw new Error('no check of the cluster was stored')
  return check
}

export async function finish(
  db: Db,
  {
    installation,
    settings,
    results,
    now,
  }: { installation: string; settings: string; results: readonly ClusterResult[]; now: Date },
) {
  const check = { settings, results, checkedAt: now, pending: false }
  await db
    .insert(clusterChecks)
    .values({ installation, requestedAt: now, ...check })
    .onConflictDoUpdate({ target: clusterChecks.installation, set: check })
}

export type StoredCluster = typeof clusters.$inferSelect & {
  /** Its undeleted projects, and the projects that move to it. */
  projects: number
}

/** Stores the settings of a cluster; its state stays. */
export async function save(db: Db, cluster: Pick<StoredCluster, 'name' | 'regionId' | 'capacity'>) {
  const { regionId, capacity } = cluster
  await db
    .insert(clusters)
    .values(cluster)
    .onConflictDoUpdate({
      target: clusters.name,
      set: { regionId, capacity },
      setWhere: sql`(${clusters.regionId}, ${clusters.capacity}) is distinct from (${regionId}::text, ${capacity}::integer)`,
    })
}

/** Counts the projects that move to each of these clusters. */
async function countArriving(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ name: projectMoves.target, count: sql<number>`count(*)::integer` })
    .from(projectMoves)
    .innerJoin(projects, eq(projects.id, projectMoves.projectId))
    .where(
      and(
        isOpen(projectMoves),
        sql`${projectMoves.target} = any(${sql.param(names)}::text[])`,
        sql`${projects.cluster} <> ${projectMoves.target}`,
      ),
    )
    .groupBy(projectMoves.target)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

async function countProjects(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ name: projects.cluster, count: sql<number>`count(*)::integer` })
    .from(projects)
    .where(and(inArray(projects.cluster, [...names]), ne(projects.state, 'deleted')))
    .groupBy(projects.cluster)
  const arriving = await countArriving(db, names)
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  for (const [name, count] of arriving) counts.set(name, (counts.get(name) ?? 0) + count)
  return counts
}

/** The clusters of these names in their order, with the number of their projects. */
export async function list(db: Db, names: readonly string[]): Promise<StoredCluster[]> {
  const rows = await db
    .select()
    .from(clusters)
    .where(inArray(clusters.name, [...names]))
    .orderBy(asc(clusters.name))
  const counts = await countProjects(db, names)
  return rows.map((row) => ({ ...row, projects: counts.get(row.name) ?? 0 }))
}

/**
 * The open clusters of these names. Those with a capacity are locked until the transaction ends, so
 * that the number of their projects is exact.
 */
export async function lockOpen(tx: Tx, names: readonly string[]): Promise<StoredCluster[]> {
  const named = inArray(clusters.name, [...names])
  await tx
    .select({ name: clusters.name })
    .from(clusters)
    .where(and(named, isNotNull(clusters.capacity)))
    // In one order, so that two creations cannot deadlock.
    .orderBy(asc(clusters.name))
    .for('no key update')
  // Read after the lock: another creation may have taken the last capacity meanwhile.
  return (await list(tx, names)).filter(({ state }) => state === 'open')
}

/** False for an unknown name. */
export async function setState(
  db: Db,
  name: string,
  state: StoredCluster['state'],
): Promise<boolean> {
  const rows = await db
    .update(clusters)
    .set({ state })
    .where(eq(clusters.name, name))
    .returning({ name: clusters.name })
  return rows.length > 0
}

/** Stores which of the clusters do not respond, from `now` on if they did before. */
export async function setUnreachable(db: Db, names: readonly string[], now: Date) {
  const unreachable = [...names]
  await db
    .update(clusters)
    .set({ unreachableSince: now })
    .where(and(inArray(clusters.name, unreachable), isNull(clusters.unreachableSince)))
  await db
    .update(clusters)
    .set({ unreachableSince: null })
    .where(and(notInArray(clusters.name, unreachable), isNotNull(clusters.unreachableSince)))
}

/** The clusters that no worker reaches, and since when. */
export const listUnreachable = (db: Db) =>
  db
    .select({ name: clusters.name, unreachableSince: clusters.unreachableSince })
    .from(clusters)
    .where(isNotNull(clusters.unreachableSince))

/** The names of clusters that have projects, except for these names. */
export async function listUnconfigured(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ name: projects.cluster })
    .from(projects)
    .where(and(notInArray(projects.cluster, [...names]), ne(projects.state, 'deleted')))
  return rows.map(({ name }) => name)
}

/** The clusters of these projects, by their keys; deleted projects included. */
export async function clustersOf(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ key: projects.key, cluster: projects.cluster })
    .from(projects)
    .where(sql`${projects.key} = any(${sql.param(keys)}::text[])`)
  return new Map(rows.map(({ key, cluster }) => [key, cluster]))
}

/**
 * Renames the cluster of undeleted projects, unless Kubernetes has had a cluster of that name.
 * Resolves with the changed projects.
 */
export async function renameUnused(db: Db, name: string, newName: string): Promise<ProjectId[]> {
  const isUnused = sql`not exists (select from ${clusters} where ${clusters.name} = ${name})
    and not exists (select from ${instances} where ${instances.cluster} = ${name})`
  const renamed = await db
    .update(projects)
    .set({ cluster: newName })
    .where(and(eq(projects.cluster, name), ne(projects.state, 'deleted'), isUnused))
    .returning({ id: projects.id })
  return renamed.map(({ id }) => id)
}
