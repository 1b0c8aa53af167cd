import type { Context, Tx } from '../../context.ts'
import { configuredClusters, isLocal } from '../../env/configured-clusters.ts'
import type { Env } from '../../env/env.ts'
import { problem } from '../../problem.ts'
import * as store from './clusters.store.ts'

/** The names of the clusters that run the projects of a region. */
export const namesOf = (env: Env, regionId: string): string[] =>
  configuredClusters(env)
    .filter((cluster) => cluster.regionId === null || cluster.regionId === regionId)
    .map(({ name }) => name)

const freeCapacityOf = ({ capacity, projects }: store.StoredCluster) =>
  (capacity ?? Number.MAX_SAFE_INTEGER) - projects

/**
 * Kubernetes clusters come before this machine, which an installation outgrows; clusters that do
 * not respond come last.
 */
const rankOf = (env: Env, { name, unreachableSince }: store.StoredCluster) =>
  unreachableSince !== null ? 2 : isLocal(env, name) ? 1 : 0

/** The cluster of the best rank; among equals, the one with the most free capacity. */
const chooseBest = (env: Env, clusters: readonly store.StoredCluster[]) =>
  clusters.toSorted(
    (first, second) =>
      rankOf(env, first) - rankOf(env, second) || freeCapacityOf(second) - freeCapacityOf(first),
  )[0]

/**
 * The cluster of a new project of a region: the best open one of `names` with free capacity.
 * The project must be stored in `tx`, which keeps others from taking the same capacity. Throws
 * `region_full`.
 */
export async function place(
  ctx: Pick<Context, 'env' | 'log'>,
  tx: Tx,
  regionId: string,
  names: readonly string[],
): Promise<string> {
  const open = await store.lockOpen(tx, names)
  const chosen = chooseBest(
    ctx.env,
    open.filter((cluster) => freeCapacityOf(cluster) > 0),
  )
  if (chosen) return chosen.name
  ctx.log.error({ regionId }, 'no cluster of the region has capacity for a new project')
  throw problem('region_full')
}

/**
 * Why no project can move to a cluster; null if one can. The project must be stored in `tx`, which
 * keeps others from taking the same capacity.
 */
export async function obstacleOf(
  tx: Tx,
  name: string,
): Promise<'closed' | 'full' | 'unreachable' | null> {
  const [cluster] = await store.lockOpen(tx, [name])
  if (!cluster) return 'closed'
  if (freeCapacityOf(cluster) <= 0) return 'full'
  return cluster.unreachableSince === null ? null : 'unreachable'
}
