import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { DnsVerdict, ProjectDns, ProjectId } from '@slipway/contract/projects'
import { latest } from '../../clock.ts'
import type { Context, Db, Tx } from '../../context.ts'
import * as events from '../events/events.service.ts'
import * as regions from '../regions/regions.service.ts'
import { lookUp } from './domains.lookup.ts'
import { type DnsAnswers, nextCheckAt, recordsOf, verdictOf } from './domains.policy.ts'
import * as store from './domains.store.ts'

/** Checks the DNS of one project's domain. */
export const checkJob = 'domains.check'

/**
 * Starts periodic DNS checks of a project's custom domain when the transaction commits; null ends
 * them. Does nothing for an unchanged domain. The project's row must be locked or new.
 */
export async function scheduleChecks(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  id: ProjectId,
  domain: string | null,
) {
  if (domain === null) await store.remove(tx, id)
  else if (await store.setDomain(tx, id, domain, ctx.clock.now())) await send(ctx, tx, id)
}

/** Enqueues a check, at most one per project at a time. */
const send = (ctx: Pick<Context, 'jobs'>, tx: Tx, id: ProjectId) =>
  ctx.jobs.send(tx, checkJob, { projectId: id }, { singletonKey: id })

/**
 * The DNS record that a project's custom domain needs, and the result of the last check. The caller
 * has checked read access.
 */
export async function dnsOf(
  ctx: Pick<Context, 'env'>,
  db: Db,
  { id, domain, regionId }: { id: ProjectId; domain: string; regionId: string },
): Promise<ProjectDns> {
  const stored = await store.find(db, id)
  const check = stored?.domain === domain ? stored : undefined
  return {
    name: domain,
    type: 'CNAME',
    expected: regions.gatewayHost(ctx, regionId),
    found: check?.found ?? [],
    verdict: check?.verdict ?? null,
    checkedAt: check?.checkedAt?.toISOString() ?? null,
    foundAt: check?.foundAt?.toISOString() ?? null,
  }
}

/** The stored verdict on a project's domain; null without a domain or before the first check. */
export async function knownVerdict(
  db: Db,
  { id, domain }: { id: ProjectId; domain: string | null },
): Promise<DnsVerdict | null> {
  if (domain === null) return null
  const stored = await store.find(db, id)
  return stored?.domain === domain ? stored.verdict : null
}

type Reason = 'scheduled' | 'requested'

/** Enqueues every check that is due, including those whose job died with its server. */
export async function sweep(ctx: Context): Promise<void> {
  // Sorted, so that two concurrent sweeps cannot deadlock.
  const ids = (await store.listDue(ctx.db, ctx.clock.now())).sort()
  if (ids.length === 0) return
  await ctx.write(async (tx) => {
    for (const id of ids) await send(ctx, tx, id)
  })
}

const exclusively = <Result>(ctx: Context, id: ProjectId, work: () => Promise<Result>) =>
  ctx.locks.exclusively(`domain ${id}`, work)

/** Checks a project's domain and stores the result, unless another check is running. */
export const check = (ctx: Context, id: ProjectId) =>
  exclusively(ctx, id, () => lookUpAndStore(ctx, id, 'scheduled'))

/** How often `checkNow` retries while another check is running, in milliseconds. */
const retryDelay = 50

/**
 * Checks a project's domain now. Waits for a running check first, which may have started before the
 * owner changed a record.
 */
export async function checkNow(ctx: Context, id: ProjectId): Promise<void> {
  for (;;) {
    const isDone = await exclusively(ctx, id, async () => {
      await lookUpAndStore(ctx, id, 'requested')
      return true
    })
    if (isDone || ctx.stopping.aborted) return
    await sleep(retryDelay)
  }
}

async function lookUpAndStore(ctx: Context, id: ProjectId, reason: Reason) {
  for (;;) {
    const target = await store.findTarget(ctx.db, id)
    if (!target) return
    const expected = regions.gatewayHost(ctx, target.regionId)
    const answers = await lookUp(ctx.env, target.domain, expected)
    // False when the domain was changed during the lookup: check the new one.
    if (await storeResult(ctx, target, answers, expected, reason)) return
  }
}

/**
 * Stores the result of a check and publishes an event if it changed; false when the project has
 * another domain now.
 */
const storeResult = (
  ctx: Context,
  target: Pick<store.Check, 'projectId' | 'domain'>,
  answers: DnsAnswers,
  expected: string,
  reason: Reason,
): Promise<boolean> =>
  ctx.write(async (tx) => {
    const before = await store.lock(tx, target)
    if (!before) return false
    const after = afterCheck(before, answers, expected, reason, ctx.clock.now())
    await store.save(tx, after)
    const hasChanged =
      after.verdict !== before.verdict || !isDeepStrictEqual(after.found, before.found)
    if (hasChanged)
      await events.publish(tx, {
        kind: 'Project',
        data: { type: 'Updated', projectId: target.projectId },
      })
    return true
  })

function afterCheck(
  { projectId, found, foundAt, checkedAt, misses }: store.Check,
  answers: DnsAnswers,
  expected: string,
  reason: Reason,
  now: Date,
): Omit<store.Check, 'domain'> {
  const verdict = verdictOf(answers, expected)
  // A requested check means that the owner is editing the record: check often again.
  const missed = verdict === 'correct' ? 0 : reason === 'requested' ? 1 : misses + 1
  // Servers' clocks differ: the time of the last check never decreases.
  const time = latest(now, checkedAt ?? now)
  return {
    projectId,
    verdict,
    checkedAt: time,
    // Without a response, the last known records stay.
    ...(verdict === 'unknown' ? { found, foundAt } : { found: recordsOf(answers), foundAt: time }),
    misses: missed,
    nextCheckAt: nextCheckAt(missed, now),
  }
}
