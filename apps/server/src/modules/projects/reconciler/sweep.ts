import type { Context } from '../../../context.ts'
import * as store from './sweep.store.ts'

/** Reconciles one project that the sweep found. */
export const reconcileUnsettledJob = 'projects.reconcile-unsettled'

/**
 * Finds projects that no other job reconciles: the job died with its server, the instance is
 * missing or stopped, or a deleted project left something in the engine. The sweep marks the rows
 * and enqueues one job per unsettled project; the job reads the row again under its lock.
 */
export async function sweep(ctx: Context): Promise<void> {
  await recordDrift(ctx).catch((err) =>
    ctx.log.warn({ err }, 'the sweep could not compare the engine with the projects'),
  )
  // Sorted, so that two concurrent sweeps cannot deadlock.
  const ids = (await store.listUnsettled(ctx.db)).sort()
  if (ids.length === 0) return
  await ctx.write(async (tx) => {
    for (const id of ids)
      await ctx.jobs.send(tx, reconcileUnsettledJob, { projectId: id }, { singletonKey: id })
  })
}

/** Marks the rows that differ from the engine's instances: one engine call, one query of keys. */
async function recordDrift(ctx: Context) {
  const instances = (await ctx.engine.list()).map(({ key, applied, running }) => ({
    key,
    running: running && applied !== null,
  }))
  const { missing, orphaned } = await store.compareWithInstances(ctx.db, instances)
  // An instance created after the list counts as missing and is applied again, which is safe.
  const restored = await store.markMissing(ctx.db, missing)
  if (restored.length > 0)
    ctx.log.warn({ keys: restored }, 'instances that do not run are applied again')
  const removed = await store.markOrphaned(ctx.db, orphaned)
  if (removed.length > 0) ctx.log.warn({ keys: removed }, 'remains of deleted projects are removed')
}
