import { createHash } from 'node:crypto'
import {
  type ClusterCheck,
  type ClusterCheckItem,
  type ClusterFinding,
  type ClusterResult,
  clusterFindings,
} from '@slipway/contract/clusters'
import { day } from '@slipway/contract/limits'
import type { Context, UserContext } from '../../context.ts'
import type { MissingPart } from '../../engines/hosting/engine.ts'
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

const toItem = ({ part, finding, detail }: ClusterResult): ClusterCheckItem => ({
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
 * Requests a check of the cluster, for an operator. A worker runs it: web servers may have no
 * credentials of the cluster. Throws `item_not_found` where sites run on no cluster.
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

/** Checks the cluster, logs what failed and stores all. */
export async function check(ctx: Context): Promise<void> {
  const results = await ctx.engine.checkCluster(ctx.stopping)
  if (results === null) return
  for (const { part, finding, detail } of results)
    if (!clusterFindings[finding])
      ctx.log.error({ part, finding, detail }, 'the cluster failed a check')
  await store.finish(ctx.db, {
    installation: ctx.env.KUBERNETES_INSTALLATION,
    settings: settingsOf(ctx.env),
    results,
    now: ctx.clock.now(),
  })
}

/**
 * What the cluster lacks to run programs of customers, by its newest check: null where it enforces
 * NetworkPolicy.
 */
export async function missingForPrograms(
  ctx: Pick<Context, 'db' | 'env'>,
): Promise<MissingPart | null> {
  const check = await store.find(ctx.db, ctx.env.KUBERNETES_INSTALLATION)
  const found = check?.results?.find(({ part }) => part === 'network_policy')?.finding
  if (found === 'network_policy_enforced') return null
  return found === 'network_policy_not_enforced' ? 'no_network_policy' : 'network_policy_unknown'
}
