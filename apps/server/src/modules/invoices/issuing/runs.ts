import type { UserId } from '@slipway/contract/account'
import type { InvoiceRunId } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import type { InvoiceRun } from '@slipway/contract/products'
import type { Context, Db, UserContext } from '../../../context.ts'
import { newId } from '../../../db/ids.ts'
import { reasonOf } from '../../../env/setting-error.ts'
import { issue, issueJob, listDue } from './issuing.ts'
import * as store from './runs.store.ts'

export const runJob = 'invoices.issue-all'

const shownFailures = 20
const runRetention = 90 * day

async function toResponse(db: Db, run: store.Run): Promise<InvoiceRun> {
  const states = await store.countByState(db, run.id)
  const countOf = (state: string) => states.find((row) => row.state === state)?.count ?? 0
  const failures = await store.listFailures(db, run.id, shownFailures)
  const running = run.listedAt === null || countOf('waiting') > 0
  return {
    id: run.id,
    createdAt: run.createdAt.toISOString(),
    state: running ? 'running' : 'finished',
    customers: states.reduce((sum, row) => sum + row.count, 0),
    listed: run.listedAt !== null,
    done: countOf('done'),
    failed: countOf('failed'),
    failures: failures.map(({ userId, reason }) => ({ userId, reason: reason ?? '' })),
  }
}

/** The progress of the last run; null when there was none. */
export async function newestRun(ctx: Pick<Context, 'db'>): Promise<InvoiceRun | null> {
  const run = await store.findNewest(ctx.db)
  return run ? toResponse(ctx.db, run) : null
}

/** Starts to issue the invoices of all customers up to now, unless a run is in progress. */
export const startRun = (ctx: Pick<UserContext, 'clock' | 'jobs' | 'write'>): Promise<InvoiceRun> =>
  ctx.write(async (tx) => {
    await store.lock(tx)
    const newest = await store.findNewest(tx)
    const current = newest && (await toResponse(tx, newest))
    if (current?.state === 'running') return current
    const run = { id: newId<'InvoiceRun'>(), listedAt: null, createdAt: ctx.clock.now() }
    await store.insert(tx, run)
    await ctx.jobs.send(tx, runJob, { runId: run.id })
    return toResponse(tx, run)
  })

/** Sends a job for each customer of a run. May run again after a crash: each is sent once. */
export async function listCustomers(
  ctx: Pick<Context, 'clock' | 'db' | 'jobs' | 'write'>,
  runId: InvoiceRunId,
): Promise<void> {
  const run = await store.find(ctx.db, runId)
  if (!run || run.listedAt) return
  for await (const page of listDue(ctx.db, run.createdAt))
    await ctx.write(async (tx) => {
      const userIds = page.map(({ userId }) => userId)
      // Not the key of the monthly job: that job does not report to the run.
      for (const userId of await store.addCustomers(tx, runId, userIds))
        await ctx.jobs.send(
          tx,
          issueJob,
          { userId, upTo: 'now', runId },
          { singletonKey: `${userId} ${runId}` },
        )
    })
  await store.setListed(ctx.db, runId, ctx.clock.now())
}

export async function issueInRun(
  ctx: Pick<Context, 'clock' | 'db' | 'jobs' | 'env' | 'write'>,
  runId: InvoiceRunId,
  userId: UserId,
): Promise<void> {
  try {
    await issue(ctx, userId, 'now')
  } catch (error) {
    await store.setOutcome(ctx.db, runId, userId, { state: 'failed', reason: reasonOf(error) })
    throw error
  }
  await store.setOutcome(ctx.db, runId, userId, { state: 'done', reason: null })
}

/** Stores that the process of a customer's job was killed in every attempt. */
export const giveUp = (ctx: Pick<Context, 'db'>, runId: InvoiceRunId, userId: UserId) =>
  store.setOutcome(ctx.db, runId, userId, { state: 'failed', reason: 'it was interrupted' })

export const tidyRuns = (ctx: Pick<Context, 'db' | 'clock'>): Promise<void> =>
  store.removeBefore(ctx.db, new Date(ctx.clock.now().getTime() - runRetention))
