import type { Context } from '../../../context.ts'
import * as store from './sweep.store.ts'

/** Settles one project that the sweep found. */
export const healJob = 'projects.heal'

/**
 * Finds what no other job will settle: projects whose job died with its server, instances that missing
 * from the engine or do not run there, remains of deleted projects. It touches nothing itself: what the
 * engine lacks is noted in the rows, and each row that asks for something becomes a job of its own,
 * which works under the project's lock and as the row is by then.
 */
export async function sweep(ctx: Context): Promise<void> {
  await recordDrift(ctx).catch((err) =>
    ctx.log.warn({ err }, 'the sweep could not compare the engine with the projects'),
  )
  // In order, so that two sweeps at once do not wait for one another in a ring.
  const ids = (await store.listUnsettled(ctx.db)).sort()
  if (ids.length === 0) return
  await ctx.write(async (tx) => {
    for (const id of ids) await ctx.jobs.send(tx, healJob, { projectId: id }, { singletonKey: id })
  })
}

/** Notes where the engine and the rows differ: one list of the engine, one query of keys. */
async function recordDrift(ctx: Context) {
  const instances = (await ctx.engine.list()).map(({ key, applied, running }) => ({
    key,
    running: running && applied !== null,
  }))
  const { missing, orphaned } = await store.compareWithInstances(ctx.db, instances)
  // One that was made since the list counts as missing, and is applied once more: that does no harm.
  const restored = await store.markMissing(ctx.db, missing)
  if (restored.length > 0)
    ctx.log.warn({ keys: restored }, 'instances that do not run are applied again')
  const removed = await store.markOrphaned(ctx.db, orphaned)
  if (removed.length > 0) ctx.log.warn({ keys: removed }, 'remains of deleted projects are removed')
}
