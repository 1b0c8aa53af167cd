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

/** Asks DNS about the domain of one project. */
export const checkJob = 'domains.check'

/**
 * Has DNS target about the custom domain of a project when the transaction commits, and again and again while
 * it has that one; null ends it. Done again it does nothing. The project's row must be locked, or new.
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

/** One at a time for each project, however often it is sent. */
const send = (ctx: Pick<Context, 'jobs'>, tx: Tx, id: ProjectId) =>
  ctx.jobs.send(tx, checkJob, { projectId: id }, { singletonKey: id })

/** The record that a project's custom domain needs, and what is known of it. Its caller has made sure that it may be read. */
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

/** What DNS says of a project's domain; null while that is not known, and without one. */
export async function knownVerdict(
  db: Db,
  { id, domain }: { id: ProjectId; domain: string | null },
): Promise<DnsVerdict | null> {
  if (domain === null) return null
  const stored = await store.find(db, id)
  return stored?.domain === domain ? stored.verdict : null
}

type Reason = 'scheduled' | 'requested'

/** Makes a job of each check that is due: those whose job died with its server, too. */
export async function sweep(ctx: Context): Promise<void> {
  // In order, so that two sweeps at once do not wait for one another in a ring.
  const ids = (await store.listDue(ctx.db, ctx.clock.now())).sort()
  if (ids.length === 0) return
  await ctx.write(async (tx) => {
    for (const id of ids) await send(ctx, tx, id)
  })
}

const exclusively = <Result>(ctx: Context, id: ProjectId, work: () => Promise<Result>) =>
  ctx.locks.exclusively(`domain ${id}`, work)

/** Asks DNS about the domain of a project and stores what it says, unless somebody else is at it. */
export const check = (ctx: Context, id: ProjectId) =>
  exclusively(ctx, id, () => lookUpAndStore(ctx, id, 'scheduled'))

/** How soon somebody who waits looks again whether the check before theirs is done. */
const pause = 50

/** Asks DNS now, after any check that is under way, which may have begun before its owner changed a record. */
export async function checkNow(ctx: Context, id: ProjectId): Promise<void> {
  for (;;) {
    const isDone = await exclusively(ctx, id, async () => {
      await lookUpAndStore(ctx, id, 'requested')
      return true
    })
    if (isDone || ctx.stopping.aborted) return
    await sleep(pause)
  }
}

async function lookUpAndStore(ctx: Context, id: ProjectId, reason: Reason) {
  for (;;) {
    const target = await store.findTarget(ctx.db, id)
    if (!target) return
    const expected = regions.gatewayHost(ctx, target.regionId)
    const answers = await lookUp(ctx.env, target.domain, expected)
    // Where the domain was changed meanwhile, the answer is worth nothing: the new one is target about.
    if (await storeResult(ctx, target, answers, expected, reason)) return
  }
}

/** Stores what DNS said, and tells whoever sees the project when that is news; false when it has another domain by now. */
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
  // Whoever asks is at work on the record: the checks become frequent again.
  const missed = verdict === 'correct' ? 0 : reason === 'requested' ? 1 : misses + 1
  // Servers' clocks differ: what was checked last is not older for that.
  const at = latest(now, checkedAt ?? now)
  return {
    projectId,
    verdict,
    checkedAt: at,
    // Without an answer, the last one is all that is known.
    ...(verdict === 'unknown' ? { found, foundAt } : { found: recordsOf(answers), foundAt: at }),
    misses: missed,
    nextCheckAt: nextCheckAt(missed, now),
  }
}
