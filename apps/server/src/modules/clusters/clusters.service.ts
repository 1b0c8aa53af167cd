import { createHash } from 'node:crypto'
import {
  type Cluster,
  type ClusterCheck,
  type ClusterCheckItem,
  type ClusterFinding,
  type ClusterResult,
  type ClusterState,
  clusterFindings,
} from '@slipway/contract/clusters'
import { day } from '@slipway/contract/limits'
import type { Context, UserContext } from '../../context.ts'
import type { MissingPart } from '../../engines/hosting/engine.ts'
import { configuredClusters, defaultCluster } from '../../env/configured-clusters.ts'
import type { Env } from '../../env/env.ts'
import { problem } from '../../problem.ts'
import * as store from './clusters.store.ts'

export const checkJob = 'clusters.check'

/** Findings that may pass by themselves: the next timer checks again. */
const passing: ReadonlySet<ClusterFinding> = new Set([
  'unreachable',
  'not_checked',
  'network_policy_not_tried',
])

/** A digest of the settings that a check depends on. */
function settingsOf(env: Env): string {
  const settings = Object.entries(env)
    .filter(([name]) => name === 'KUBECONFIG' || name.startsWith('KUBERNETES_'))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex')
}

/** Checks of earlier versions name no cluster: there was one. */
const clusterOf = ({ cluster }: { cluster?: string }) => cluster ?? defaultCluster

const toItem = ({ part, finding, detail, ...rest }: ClusterResult): ClusterCheckItem => ({
  cluster: clusterOf(rest),
  part,
  finding,
  passed: clusterFindings[finding],
  detail,
})

const toResponse = ({ requestedAt, pending, checkedAt, results }: store.StoredCheck) =>
  ({
    state: pending ? 'running' : 'finished',
    requestedAt: requestedAt.toISOString(),
    checkedAt: checkedAt?.toISOString() ?? null,
    items: (results ?? []).map(toItem),
  }) satisfies ClusterCheck

const request = (ctx: Pick<Context, 'clock' | 'env' | 'jobs' | 'write'>) =>
  ctx.write(async (tx) => {
    const installation = ctx.env.KUBERNETES_INSTALLATION
    const check = { installation, settings: settingsOf(ctx.env), now: ctx.clock.now() }
    await ctx.jobs.send(tx, checkJob, {})
    return store.request(tx, check)
  })

/**
 * Requests a check of the clusters, for an operator. A worker runs it: web servers may have no
 * credentials of them. Throws `item_not_found` where sites run on no cluster.
 */
export async function start(ctx: UserContext): Promise<ClusterCheck> {
  if (ctx.env.ENGINE !== 'kubernetes') throw problem('item_not_found')
  return toResponse(await request(ctx))
}

/** The newest check. Throws `item_not_found` before the first, and where there is no cluster. */
export async function view(ctx: UserContext): Promise<ClusterCheck> {
  const check = await store.find(ctx.db, ctx.env.KUBERNETES_INSTALLATION)
  if (!check || ctx.env.ENGINE !== 'kubernetes') throw problem('item_not_found')
  return toResponse(check)
}

/**
 * Requests a check at the first start of a worker, after a change of its settings, once a day, and
 * sooner while one has failed for a reason that may pass.
 */
export async function requestIfDue(ctx: Context): Promise<void> {
  if (ctx.env.ENGINE !== 'kubernetes') return
  const check = await store.find(ctx.db, ctx.env.KUBERNETES_INSTALLATION)
  const isFresh =
    check?.checkedAt &&
    !check.pending &&
    check.settings === settingsOf(ctx.env) &&
    ctx.clock.now().getTime() - check.checkedAt.getTime() < day
  if (isFresh && !check.results?.some(({ finding }) => passing.has(finding))) return
  await request(ctx)
}

/** Checks the clusters, logs what failed and stores all. */
export async function check(ctx: Context): Promise<void> {
  const results = await ctx.engine.checkClusters(ctx.stopping)
  if (results === null) return
  for (const { cluster, part, finding, detail } of results)
    if (!clusterFindings[finding])
      ctx.log.error({ cluster, part, finding, detail }, 'the cluster failed a check')
  await store.finish(ctx.db, {
    installation: ctx.env.KUBERNETES_INSTALLATION,
    settings: settingsOf(ctx.env),
    results,
    now: ctx.clock.now(),
  })
}

/**
 * What a cluster lacks to run programs of customers, by its newest check: null where it enforces
 * NetworkPolicy.
 */
export async function missingForPrograms(
  ctx: Pick<Context, 'db' | 'env'>,
  name: string,
): Promise<MissingPart | null> {
  const check = await store.find(ctx.db, ctx.env.KUBERNETES_INSTALLATION)
  const found = check?.results?.find(
    (result) => result.part === 'network_policy' && clusterOf(result) === name,
  )?.finding
  if (found === 'network_policy_enforced') return null
  return found === 'network_policy_not_enforced' ? 'no_network_policy' : 'network_policy_unknown'
}

/** The clusters of these projects, by their keys. */
export const clustersOf = store.clustersOf

const toCluster = ({ name, regionId, state, capacity, projects, ...row }: store.StoredCluster) =>
  ({
    name,
    regionId,
    state,
    capacity,
    projects,
    unreachableSince: row.unreachableSince?.toISOString() ?? null,
  }) satisfies Cluster

const configuredNames = (env: Env) => configuredClusters(env).map(({ name }) => name)

/**
 * Stores the configured clusters, at the start. Logs an error for clusters that have projects and
 * are not configured.
 */
export async function register(ctx: Pick<Context, 'db' | 'env' | 'log'>): Promise<void> {
  if (ctx.env.ENGINE !== 'kubernetes') return
  for (const { name, regionId, capacity } of configuredClusters(ctx.env))
    await store.save(ctx.db, { name, regionId, capacity })
  const missing = await store.listForgotten(ctx.db, configuredNames(ctx.env))
  if (missing.length > 0)
    ctx.log.error(
      { clusters: missing },
      'KUBERNETES_CLUSTERS lacks clusters that have projects: nothing changes in them',
    )
}

/** The clusters that run sites; none with another engine. */
export async function list(ctx: UserContext): Promise<Cluster[]> {
  if (ctx.env.ENGINE !== 'kubernetes') return []
  return (await store.list(ctx.db, configuredNames(ctx.env))).map(toCluster)
}

/** Says whether new projects may be placed in a cluster. Throws `item_not_found`. */
export async function changeState(
  ctx: UserContext,
  name: string,
  state: ClusterState,
): Promise<Cluster> {
  const isConfigured = ctx.env.ENGINE === 'kubernetes' && configuredNames(ctx.env).includes(name)
  if (!isConfigured || !(await store.setState(ctx.db, name, state))) throw problem('item_not_found')
  ctx.log.warn(
    { cluster: name, state, userId: ctx.user.id },
    'operator changed the state of a cluster',
  )
  const [changed] = await store.list(ctx.db, [name])
  if (!changed) throw problem('item_not_found')
  return toCluster(changed)
}

/** Stores which clusters this worker does not reach: new projects are placed in others. */
export async function recordReachability(ctx: Context): Promise<void> {
  if (ctx.env.ENGINE !== 'kubernetes') return
  await store.setUnreachable(ctx.db, ctx.engine.unreachableClusters(), ctx.clock.now())
}
