import { isCrashing, type ProjectFailure } from '@slipway/contract/projects'
import type { Context } from '../../../context.ts'
import { isLoop } from '../../../engines/hosting/crashes.ts'
import { recordActivity } from '../../activity/activity.service.ts'
import { publishChange } from '../projects.service.ts'
import { logNewFailure } from './failure-log.ts'
import * as store from './sweep.store.ts'

/** Where the next batch of projects begins. */
let lastCompared: string | undefined

/**
 * Marks rows that differ from the engine's instances: projects whose instance does not run, and
 * deleted projects that left one. Each run compares at most `batch` of both, the next ones in turn.
 */
export async function recordDrift(ctx: Context, batch: number): Promise<void> {
  const expected = await store.nextInTurn(lastCompared, batch, (range, limit) =>
    store.listApplied(ctx.db, range, limit),
  )
  lastCompared = expected.at(-1)?.key
  const instances = await ctx.engine.list(expected)
  // An instance that is not listed is unknown, not missing.
  const missing = instances
    .filter(({ running, applied }) => !running || applied === null)
    .map(({ key }) => key)
  await recordProblems(ctx, expected)
  // A project that is changed at this moment may be applied again, which is safe.
  const restored = await store.markMissing(ctx.db, missing)
  if (restored.length > 0)
    ctx.log.warn(
      summary(restored),
      'instances that do not run, have other settings or need new addresses are applied again',
    )
  const removed = await store.markOrphaned(ctx.db, await ctx.engine.scan(batch))
  if (removed.length > 0) ctx.log.warn(summary(removed), 'remains of deleted projects are removed')
}

/** Shows on ready projects why their sites do not respond. Their next recheck clears it. */
async function recordProblems(ctx: Context, projects: readonly store.AppliedProject[]) {
  for (const project of projects) {
    const failure = ctx.engine.problemOf(project)
    if (failure !== null) await recordProblem(ctx, project, failure)
  }
}

/** At most one write for each sweep, however fast a site crashes. */
async function recordProblem(ctx: Context, project: store.AppliedProject, failure: ProjectFailure) {
  const crashes = isCrashing({ failure }) ? ctx.engine.crashesOf(project) : null
  if (crashes && !isLoop(crashes)) return
  const isNew = project.failure === null
  const hasCrashed = crashes !== null && crashes.lastAt > (project.crashedAt?.getTime() ?? 0)
  if (!isNew && !(project.failure === failure && hasCrashed)) return
  logNewFailure(ctx, project, failure)
  await ctx.write(async (tx) => {
    if (isNew && !(await store.markFailing(tx, project.id, failure))) return
    if (crashes) await store.recordCrashes(tx, project.id, failure, crashes)
    if (isNew && crashes)
      await recordActivity(ctx, tx, {
        kind: 'site_crashing',
        concerns: { project },
        actor: 'service',
      })
    await publishChange(tx, project.id)
  })
}

const loggedKeys = 10

/** The number of projects and some of their keys: a log line stays short. */
const summary = (keys: readonly string[]) => ({
  projects: keys.length,
  keys: keys.slice(0, loggedKeys),
})
