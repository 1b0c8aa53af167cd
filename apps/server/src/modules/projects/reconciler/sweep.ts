import type { Context } from '../../../context.ts'
import { recordDrift } from './drift.ts'
import * as store from './sweep.store.ts'

export const reconcileUnsettledJob = 'projects.reconcile-unsettled'

/** The maximum number of projects of each kind in one sweep. */
const batch = 500

/** Where the next batch of projects without a deadline begins. */
let lastWithoutDeadline: string | undefined

/**
 * Finds projects that no other job reconciles: the job died with its server, the instance is
 * missing or stopped, or a deleted project left something in the engine. The sweep marks the rows
 * and enqueues one job per unsettled project; the job reads the row again under its lock. Each run
 * takes a batch, so its cost does not grow with the projects.
 */
export async function sweep(ctx: Context): Promise<void> {
  await recordDrift(ctx, batch).catch((err) =>
    ctx.log.warn({ err }, 'the sweep could not compare the engine with the projects'),
  )
  const withDeadline = await store.listWithDeadline(ctx.db, batch)
  const others = await store.nextInTurn(lastWithoutDeadline, batch, (range, limit) =>
    store.listWithoutDeadline(ctx.db, range, limit),
  )
  lastWithoutDeadline = others.at(-1)
  // Sorted, so that two concurrent sweeps cannot deadlock.
  const ids = [...withDeadline, ...others].sort()
  if (ids.length === 0) return
  await ctx.write(async (tx) => {
    for (const id of ids)
      await ctx.jobs.send(tx, reconcileUnsettledJob, { projectId: id }, { singletonKey: id })
  })
}
