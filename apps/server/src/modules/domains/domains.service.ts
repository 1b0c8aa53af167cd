import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { DnsVerdict, ProjectDns, ProjectId } from '@slipway/contract/projects'
import { latest } from '../../clock.ts'
import type { Context, Db, Tx } from '../../context.ts'
import * as events from '../events/events.service.ts'
import * as regions from '../regions/regions.service.ts'
import { lookUp } from './domains.lookup.ts'
import { type Answers, foundIn, nextCheckAt, verdictOn } from './domains.policy.ts'
import * as store from './domains.store.ts'

/** Asks DNS about the domain of one project. */
export const checkJob = 'domains.check'

/**
 * Has DNS asked about the custom domain of a project when the transaction commits, and again and again while
 * it has that one; null ends it. Done again it does nothing. The project's row must be locked, or new.
 */
export async function follow(
  ctx: Pick<Context, 'clock' | 'jobs'>,
  tx: Tx,
  id: ProjectId,
  domain: string | null,
) {
  if (domain === null) await store.remove(tx, id)
  else if (await store.begin(tx, id, domain, ctx.clock.now())) await send(ctx, tx, id)
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

type Reason = 'due' | 'asked'

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
  exclusively(ctx, id, () => askAndStore(ctx, id, 'due'))

/** How soon somebody who waits looks again whether the check before theirs is done. */
const pause = 50

/** Asks DNS now, after any check that is under way, which may have begun before its owner changed a record. */
export async function checkNow(ctx: Context, id: ProjectId): Promise<void> {
  for (;;) {
    const isDone = await exclusively(ctx, id, async () => {
      await askAndStore(ctx, id, 'asked')
      return true
    })
    if (isDone || ctx.stopping.aborted) return
    await sleep(pause)
  }
}

async function askAndStore(ctx: Context, id: ProjectId, reason: Reason) {
  for (;;) {
    const asked = await store.findAsked(ctx.db, id)
    if (!asked) return
    const expected = regions.gatewayHost(ctx, asked.regionId)
    const answers = await lookUp(ctx.env, asked.domain, expected)
    // Where the domain was changed meanwhile, the answer is worth nothing: the new one is asked about.
    if (await note(ctx, asked, answers, expected, reason)) return
  }
}

/** Stores what DNS said, and tells whoever sees the project when that is news; false when it has another domain by now. */
const note = (
  ctx: Context,
  asked: Pick<store.Check, 'projectId' | 'domain'>,
  answers: Answers,
  expected: string,
  reason: Reason,
): Promise<boolean> =>
  ctx.write(async (tx) => {
    const before = await store.lock(tx, asked)
    if (!before) return false
    const after = afterCheck(before, answers, expected, reason, ctx.clock.now())
    await store.save(tx, after)
    const isNews = after.verdict !== before.verdict || !isDeepStrictEqual(after.found, before.found)
    if (isNews)
      await events.publish(tx, {
        kind: 'Project',
        data: { type: 'Updated', projectId: asked.projectId },
      })
    return true
  })

function afterCheck(
  { projectId, found, foundAt, checkedAt, misses }: store.Check,
  answers: Answers,
  expected: string,
  reason: Reason,
  now: Date,
): Omit<store.Check, 'domain'> {
  const verdict = verdictOn(answers, expected)
  // Whoever asks is at work on the record: the checks become frequent again.
  const missed = verdict === 'correct' ? 0 : reason === 'asked' ? 1 : misses + 1
  // Servers' clocks differ: what was checked last is not older for that.
  const at = latest(now, checkedAt ?? now)
  return {
    projectId,
    verdict,
    checkedAt: at,
    // Without an answer, the last one is all that is known.
    ...(verdict === 'unknown' ? { found, foundAt } : { found: foundIn(answers), foundAt: at }),
    misses: missed,
    nextCheckAt: nextCheckAt(missed, now),
  }
}
