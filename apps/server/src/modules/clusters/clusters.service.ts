import { createHash } from 'node:crypto'
import {
  type Cluster,
  type ClusterCheck,
  type ClusterCheckItem,
  type ClusterFinding,
  type ClusterPart,
  type ClusterResult,
  type ClusterState,
  clusterFindings,
} from '@slipway/contract/clusters'
import { day, minute } from '@slipway/contract/limits'
import type { Context, UserContext } from '../../context.ts'
import type { MissingPart } from '../../engines/hosting/engine.ts'
import { configuredClusters, defaultCluster, localCluster } from '../../env/configured-clusters.ts'
import type { Env } from '../../env/env.ts'
import { problem } from '../../problem.ts'
import * as events from '../events/events.service.ts'
import * as store from './clusters.store.ts'

export const clusterCheckJob = 'clusters.check'

/** After one of these findings the next check is due soon. */
const temporaryFindings: ReadonlySet<ClusterFinding> = new Set([
  'unreachable',
  'not_checked',
  'network_policy_not_tried',
])

const hasKubernetes = (env: Env) => env.ENGINE.includes('kubernetes')

/** A digest of the settings that a check depends on. */
function digestOfSettings(env: Env): string {
  const settings = Object.entries(env)
    .filter(([name]) => name === 'KUBECONFIG' || name.startsWith('KUBERNETES_'))
    .sort(([first], [second]) => (first < second ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex')
}

/** A check that an earlier version stored names no cluster, because there was only one. */
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

const request = (ctx: Pick<Context, 'clock' | 'env' | 'jobs' | 'write'>, settings: string | null) =>
  ctx.write(async (tx) => {
    const installation = ctx.env.KUBERNETES_INSTALLATION
    await ctx.jobs.send(tx, clusterCheckJob, {})
    return store.request(tx, { installation, settings, now: ctx.clock.now() })
  })

/**
 * Requests a check of the clusters, for an operator. A worker runs it: web servers may have no
 * credentials of them. Throws `item_not_found` where sites run on no cluster.
 */
export async function startCheck(ctx: UserContext): Promise<ClusterCheck> {
  if (!hasKubernetes(ctx.env)) throw problem('item_not_found')
  // The settings of a web server may differ from those of the worker, by which results expire.
  return toResponse(await request(ctx, null))
}

/** The newest check. Throws `item_not_found` before the first, and where there is no cluster. */
export async function viewCheck(ctx: UserContext): Promise<ClusterCheck> {
  const check = await store.find(ctx.db, ctx.env.KUBERNETES_INSTALLATION)
  if (!check || !hasKubernetes(ctx.env)) throw problem('item_not_found')
  return toResponse(check)
}

/**
 * Requests a check at each start of a worker, after a change of its settings, once a day, and an
 * hour after a temporary finding. Until it ends the earlier results of the same settings count.
 */
export async function requestIfDue(ctx: Context, isStart: boolean): Promise<void> {
  if (!hasKubernetes(ctx.env)) return
  const check = await store.find(ctx.db, ctx.env.KUBERNETES_INSTALLATION)
  const isFresh =
    !isStart &&
    check?.checkedAt &&
    !check.pending &&
    check.settings === digestOfSettings(ctx.env) &&
    ctx.clock.now().getTime() - check.checkedAt.getTime() < day
  if (isFresh && !check.results?.some(({ finding }) => temporaryFindings.has(finding))) return
  await request(ctx, digestOfSettings(ctx.env))
}

/** Checks the clusters, logs the failed checks and stores all results. */
export async function check(ctx: Context): Promise<void> {
  const results = await ctx.engine.checkClusters(ctx.stopping)
  if (results === null) return
  for (const { cluster, part, finding, detail } of results)
    if (!clusterFindings[finding])
      ctx.log.error({ cluster, part, finding, detail }, 'the cluster failed a check')
  await store.finish(ctx.db, {
    installation: ctx.env.KUBERNETES_INSTALLATION,
    settings: digestOfSettings(ctx.env),
    results,
    now: ctx.clock.now(),
  })
}

/**
 * The part that a cluster lacks to run programs of customers, by its newest check; null where it
 * enforces NetworkPolicy and sites cannot reach its API server, and where the operator trusts all
 * customers.
 */
export async function missingForPrograms(
  ctx: Pick<Context, 'db' | 'env'>,
  name: string,
): Promise<MissingPart | null> {
  const { KUBERNETES_INSTALLATION, KUBERNETES_NETWORK_POLICY } = ctx.env
  if (KUBERNETES_NETWORK_POLICY === 'trusted') return null
  const check = await store.find(ctx.db, KUBERNETES_INSTALLATION)
  const findingOf = (part: ClusterPart) =>
    check?.results?.find((result) => result.part === part && clusterOf(result) === name)?.finding
  if (findingOf('api_access') === 'api_open') return 'api_server_open'
  const finding = findingOf('network_policy')
  if (KUBERNETES_NETWORK_POLICY === 'enforced' || finding === 'network_policy_enforced') return null
  return finding === 'network_policy_not_enforced' ? 'no_network_policy' : 'network_policy_unknown'
}

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
 * Renames the cluster `default` of projects to the name that this machine has since, unless a
 * Kubernetes cluster of this installation is or was named `default`. Idempotent.
 */
export const nameLocalProjects = (ctx: Pick<Context, 'env' | 'write'>): Promise<void> =>
  ctx.write(async (tx) => {
    if (!ctx.env.ENGINE.includes('local')) return
    for (const projectId of await store.renameUnused(tx, defaultCluster, localCluster))
      await events.publish(tx, { kind: 'Project', data: { type: 'Updated', projectId } })
  })

/**
 * Stores the configured clusters, at the start. Logs an error for clusters that have projects and
 * are not configured.
 */
export async function register(ctx: Pick<Context, 'db' | 'env' | 'log'>): Promise<void> {
  for (const { name, regionId, capacity } of configuredClusters(ctx.env))
    await store.save(ctx.db, { name, regionId, capacity })
  const missing = await store.listUnconfigured(ctx.db, configuredNames(ctx.env))
  if (missing.length > 0)
    ctx.log.error(
      { clusters: missing },
      'ENGINE and KUBERNETES_CLUSTERS lack clusters that have projects: nothing changes in them',
    )
}

/** The clusters that run sites, this machine among them with the local engine. */
export const list = async (ctx: UserContext): Promise<Cluster[]> =>
  (await store.list(ctx.db, configuredNames(ctx.env))).map(toCluster)

/** Sets whether new projects may be placed in a cluster. Throws `item_not_found`. */
export async function changeState(
  ctx: UserContext,
  name: string,
  state: ClusterState,
): Promise<Cluster> {
  const isConfigured = configuredNames(ctx.env).includes(name)
  if (!isConfigured || !(await store.setState(ctx.db, name, state))) throw problem('item_not_found')
  ctx.log.warn(
    { cluster: name, state, userId: ctx.user.id },
    'operator changed the state of a cluster',
  )
  const [changed] = await store.list(ctx.db, [name])
  if (!changed) throw problem('item_not_found')
  return toCluster(changed)
}

/**
 * Stores which clusters this worker does not reach: new projects are placed in others. Requests a
 * check of a cluster that responds again: without one it accepts no programs of customers.
 */
export async function recordReachability(ctx: Context): Promise<void> {
  const unreachable = ctx.engine.unreachableClusters()
  await store.setUnreachable(ctx.db, unreachable, ctx.clock.now())
  if (hasKubernetes(ctx.env)) await requestAfterOutage(ctx, unreachable)
}

/** At most once a minute: a check may reach a cluster less well than the engine does. */
async function requestAfterOutage(ctx: Context, unreachable: readonly string[]) {
  const check = await store.find(ctx.db, ctx.env.KUBERNETES_INSTALLATION)
  if (!check?.checkedAt || check.pending) return
  if (ctx.clock.now().getTime() - check.checkedAt.getTime() < minute) return
  const responding = configuredNames(ctx.env).filter((name) => !unreachable.includes(name))
  const respondsAgain = check.results?.some(
    (result) => result.finding === 'unreachable' && responding.includes(clusterOf(result)),
  )
  if (respondsAgain) await request(ctx, digestOfSettings(ctx.env))
}
