import type { Context, Tx } from '../../context.ts'
import { configuredClusters, defaultCluster } from '../../env/configured-clusters.ts'
import type { Env } from '../../env/env.ts'
import { problem } from '../../problem.ts'
import * as store from './clusters.store.ts'

/** The names of the clusters that run the projects of a region. */
export const namesOf = (env: Env, regionId: string): string[] =>
  configuredClusters(env)
    .filter((cluster) => cluster.regionId === null || cluster.regionId === regionId)
    .map(({ name }) => name)

const roomOf = ({ capacity, projects }: store.StoredCluster) =>
  (capacity ?? Number.MAX_SAFE_INTEGER) - projects

/** The one with the most room; one that responds comes first. */
function withMostRoom(clusters: readonly store.StoredCluster[]): store.StoredCluster | undefined {
  const responding = clusters.filter(({ unreachableSince }) => unreachableSince === null)
  const [first, ...others] = responding.length > 0 ? responding : clusters
  return others.reduce((best, each) => (best && roomOf(each) <= roomOf(best) ? best : each), first)
}

/**
 * The cluster of a new project of a region: the open one with the most room, out of `names`. The
 * project must be stored in `tx`, which keeps others from taking the same room. Throws
 * `region_full`.
 */
export async function place(
  ctx: Pick<Context, 'env' | 'log'>,
  tx: Tx,
  regionId: string,
  names: readonly string[],
): Promise<string> {
  if (ctx.env.ENGINE !== 'kubernetes') return defaultCluster
  const open = await store.lockOpen(tx, names)
  const chosen = withMostRoom(open.filter((cluster) => roomOf(cluster) > 0))
  if (chosen) return chosen.name
  ctx.log.error({ regionId }, 'no cluster of the region has room for a new project')
  throw problem('region_full')
}
