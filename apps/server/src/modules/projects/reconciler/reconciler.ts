import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '@slipway/contract/limits'
import type { ProjectFailure, ProjectId } from '@slipway/contract/projects'
import type { Context, Tx } from '../../../context.ts'
import * as usage from '../../usage/usage.service.ts'
import * as creation from '../creation/creation.service.ts'
import { instanceOf } from '../projects.instance.ts'
import * as projects from '../projects.service.ts'
import * as store from '../projects.store.ts'

/**
 * The next thing to do for a project, as its row says it. Each is one effect: whoever is killed before,
 * between or after them leaves a row from which the same steps go on.
 */
export type Step =
  | { do: 'nothing' }
  /** pending → creating */
  | { do: 'start' }
  /** Has the engine run what is asked, and notes which generation that was. */
  | { do: 'apply' }
  /** Asks whether the site answers: then it is ready, else ask again. */
  | { do: 'probe' }
  | { do: 'fail'; failure: ProjectFailure }
  /** Gives up waiting for a new domain: the site runs on, with what is wrong said. */
  | { do: 'keepRunning'; failure: ProjectFailure }
  /** Asks whether what was said to be wrong with a site that runs still is. */
  | { do: 'recheck' }
  /** Takes what is left of a failed creation, or of a deletion that came late, from the engine. */
  | { do: 'cleanUp' }
  /** Ends the instance and deletes its data. */
  | { do: 'remove' }
  | { do: 'markDeleted'; failure: ProjectFailure | null }

/** What the row of a project asks for next, at that moment. A table of its states. */
export function nextStep(project: store.Project, now: Date): Step {
  const isLate = project.deadlineAt !== null && project.deadlineAt <= now
  const isApplied = project.appliedGeneration >= project.generation
  switch (project.state) {
    case 'pending':
      return isLate ? { do: 'fail', failure: project.failure ?? 'engine_failed' } : { do: 'start' }
    case 'creating':
      if (isLate) return { do: 'fail', failure: project.failure ?? 'site_not_answering' }
      return { do: isApplied ? 'probe' : 'apply' }
    case 'modifying':
      if (isLate) return { do: 'keepRunning', failure: project.failure ?? 'domain_not_routed' }
      return { do: isApplied ? 'probe' : 'apply' }
    case 'ready':
      if (!isApplied) return { do: 'apply' }
      return { do: project.failure === null ? 'nothing' : 'recheck' }
    case 'failed_creating':
    case 'deleted':
      return { do: project.appliedGeneration > 0 ? 'cleanUp' : 'nothing' }
    case 'deleting':
      // What a late removal leaves behind is swept up; to the user the project is gone.
      return isLate ? { do: 'markDeleted', failure: 'removal_failed' } : { do: 'remove' }
  }
}

type Outcome = 'continue' | 'wait' | 'done'

/** Does one step. `wait`: the world is not there yet; ask again in a moment. */
export async function runStep(ctx: Context, project: store.Project, step: Step): Promise<Outcome> {
  const instance = await instanceOf(ctx, project)
  switch (step.do) {
    case 'nothing':
      return 'done'
    case 'start':
      return saveVisible(ctx, project, { state: 'creating' })
    case 'apply': {
      const reporter = creation.createReporter(ctx, project, projects.announce)
      const work = () => ctx.engine.apply(instance, reporter.report)
      await recordEngineFailure(ctx, project, 'engine_failed', work).finally(reporter.settled)
      await reporter.written()
      return saveInternal(ctx, project, { appliedGeneration: project.generation })
    }
    case 'probe':
      if (!(await ctx.engine.answers(instance))) return 'wait'
      return saveVisible(ctx, project, {
        state: 'ready',
        failure: null,
        deadlineAt: null,
        metadata: await ctx.engine.metadata(instance),
      })
    case 'fail':
      return saveVisible(ctx, project, {
        state: 'failed_creating',
        failure: step.failure,
        deadlineAt: null,
        // From now on what was applied is to be withdrawn, even if nobody saved that it was.
        appliedGeneration: Math.max(1, project.appliedGeneration),
      })
    case 'keepRunning':
      return saveVisible(ctx, project, { state: 'ready', failure: step.failure, deadlineAt: null })
    case 'recheck':
      // Not `wait`: it may stay so for as long as its owner leaves it, and the sweep asks again.
      if (!(await ctx.engine.answers(instance))) return 'done'
      return saveVisible(ctx, project, { failure: null })
    case 'cleanUp':
      await ctx.engine.remove(project.key)
      return saveInternal(ctx, project, { appliedGeneration: 0 })
    case 'remove':
      await recordEngineFailure(ctx, project, 'removal_failed', () =>
        ctx.engine.remove(project.key),
      )
      return runStep(ctx, project, { do: 'markDeleted', failure: null })
    case 'markDeleted':
      return saveVisible(ctx, project, {
        state: 'deleted',
        failure: step.failure,
        deadlineAt: null,
        deletedAt: ctx.clock.now(),
        appliedGeneration: step.failure === null ? 0 : Math.max(1, project.appliedGeneration),
      })
  }
}

type Change = Parameters<typeof store.updateIfUnchanged>[2]

/** A change that people see. */
async function saveVisible(ctx: Context, project: store.Project, change: Change): Promise<Outcome> {
  await ctx.write(async (tx) => {
    const saved = await store.updateIfUnchanged(tx, project, {
      ...change,
      updatedAt: ctx.clock.now(),
    })
    if (!saved) return
    await usage.recordState(ctx, tx, saved)
    await recordProgress(ctx, tx, project, saved)
    await projects.announce(tx, project.id)
  })
  return 'continue'
}

/** What a move means to the creation of the project, if it is one. */
async function recordProgress(
  ctx: Context,
  tx: Tx,
  before: store.Project,
  { state, failure }: store.Project,
) {
  if (before.state === 'pending' && state === 'creating')
    await creation.startStep(tx, before.id, creation.firstStep(ctx), ctx.clock.now())
  if (before.state === 'creating' && state === 'ready')
    await creation.endAttempt(ctx, tx, before.id, null)
  if (state === 'failed_creating' && before.state !== state)
    await creation.endAttempt(ctx, tx, before.id, failure)
}

/** A change that only the reconciler sees, but for what it means to a creation. */
async function saveInternal(
  ctx: Context,
  project: store.Project,
  change: Change,
): Promise<Outcome> {
  await ctx.write(async (tx) => {
    const saved = await store.updateIfUnchanged(tx, project, change)
    if (saved?.state !== 'creating') return
    const isNewStep = await creation.startStep(tx, project.id, 'answer', ctx.clock.now())
    if (isNewStep) await projects.announce(tx, project.id)
  })
  return 'continue'
}

/** Has the engine do something; what it could not do is shown on the project, and tried again. */
async function recordEngineFailure(
  ctx: Context,
  project: store.Project,
  failure: ProjectFailure,
  work: () => Promise<void>,
) {
  try {
    await work()
  } catch (error) {
    if (project.failure !== failure) await saveVisible(ctx, project, { failure })
    throw error
  }
}

/**
 * How long one run asks whether a site answers before it leaves that to a later one: long enough for a site
 * to start, and short enough that many that do not answer hold nobody up.
 */
const probeTimeout = 2 * second
const firstDelay = 15
const maxDelay = 500

export type ReconcileResult = 'settled' | 'unsettled' | 'busy'

/**
 * Brings a project to what its row asks for, one run at a time in all processes. `unsettled`: the site
 * does not answer within `timeout` milliseconds, ask again later; `busy`: another run is on it. Rejects
 * when the engine does; then the deadline decides.
 */
export async function reconcile(
  ctx: Context,
  id: ProjectId,
  timeout = probeTimeout,
): Promise<ReconcileResult> {
  const result = await ctx.locks.exclusively(
    `project ${id}`,
    async (): Promise<ReconcileResult> => {
      const started = performance.now()
      let delay = firstDelay
      for (;;) {
        const project = await store.findForReconciler(ctx.db, id)
        if (!project) return 'settled'
        const outcome = await runStep(ctx, project, nextStep(project, ctx.clock.now()))
        if (outcome === 'done') return 'settled'
        if (outcome === 'continue') continue
        if (performance.now() - started >= timeout || ctx.stopping.aborted) return 'unsettled'
        await sleep(delay)
        delay = Math.min(delay * 1.5, maxDelay)
      }
    },
  )
  return result ?? 'busy'
}
