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
  | { do: 'take' }
  /** Has the engine run what is asked, and notes which generation that was. */
  | { do: 'apply' }
  /** Asks whether the site answers: then it is ready, else ask again. */
  | { do: 'await' }
  | { do: 'fail'; failure: ProjectFailure }
  /** Gives up waiting for a new domain: the site runs on, with what is wrong said. */
  | { do: 'settle'; failure: ProjectFailure }
  /** Asks whether what was said to be wrong with a site that runs still is. */
  | { do: 'reconsider' }
  /** Takes what is left of a failed creation, or of a deletion that came late, from the engine. */
  | { do: 'withdraw' }
  /** Ends the instance and deletes its data. */
  | { do: 'remove' }
  | { do: 'bury'; failure: ProjectFailure | null }

/** What the row of a project asks for next, at that moment. A table of its states. */
export function nextStep(project: store.Project, now: Date): Step {
  const late = project.deadlineAt !== null && project.deadlineAt <= now
  const applied = project.appliedGeneration >= project.generation
  switch (project.state) {
    case 'pending':
      return late ? { do: 'fail', failure: project.failure ?? 'engine_failed' } : { do: 'take' }
    case 'creating':
      if (late) return { do: 'fail', failure: project.failure ?? 'site_not_answering' }
      return { do: applied ? 'await' : 'apply' }
    case 'modifying':
      if (late) return { do: 'settle', failure: project.failure ?? 'domain_not_routed' }
      return { do: applied ? 'await' : 'apply' }
    case 'ready':
      if (!applied) return { do: 'apply' }
      return { do: project.failure === null ? 'nothing' : 'reconsider' }
    case 'failed_creating':
    case 'deleted':
      return { do: project.appliedGeneration > 0 ? 'withdraw' : 'nothing' }
    case 'deleting':
      // What a late removal leaves behind is swept up; to the user the project is gone.
      return late ? { do: 'bury', failure: 'removal_failed' } : { do: 'remove' }
  }
}

type Outcome = 'again' | 'wait' | 'done'

/** Does one step. `wait`: the world is not there yet; ask again in a moment. */
export async function takeStep(ctx: Context, project: store.Project, step: Step): Promise<Outcome> {
  const instance = await instanceOf(ctx, project)
  switch (step.do) {
    case 'nothing':
      return 'done'
    case 'take':
      return move(ctx, project, { state: 'creating' })
    case 'apply': {
      const reports = creation.reportsOf(ctx, project, projects.announce)
      const work = () => ctx.engine.apply(instance, reports.report)
      await engineDoes(ctx, project, 'engine_failed', work).finally(reports.settled)
      await reports.written()
      return note(ctx, project, { appliedGeneration: project.generation })
    }
    case 'await':
      if (!(await ctx.engine.answers(instance))) return 'wait'
      return move(ctx, project, {
        state: 'ready',
        failure: null,
        deadlineAt: null,
        metadata: await ctx.engine.metadata(instance),
      })
    case 'fail':
      return move(ctx, project, {
        state: 'failed_creating',
        failure: step.failure,
        deadlineAt: null,
        // From now on what was applied is to be withdrawn, even if nobody noted that it was.
        appliedGeneration: Math.max(1, project.appliedGeneration),
      })
    case 'settle':
      return move(ctx, project, { state: 'ready', failure: step.failure, deadlineAt: null })
    case 'reconsider':
      // Not `wait`: it may stay so for as long as its owner leaves it, and the sweep asks again.
      if (!(await ctx.engine.answers(instance))) return 'done'
      return move(ctx, project, { failure: null })
    case 'withdraw':
      await ctx.engine.remove(project.key)
      return note(ctx, project, { appliedGeneration: 0 })
    case 'remove':
      await engineDoes(ctx, project, 'removal_failed', () => ctx.engine.remove(project.key))
      return takeStep(ctx, project, { do: 'bury', failure: null })
    case 'bury':
      return move(ctx, project, {
        state: 'deleted',
        failure: step.failure,
        deadlineAt: null,
        deletedAt: ctx.clock.now(),
        appliedGeneration: step.failure === null ? 0 : Math.max(1, project.appliedGeneration),
      })
  }
}

type Change = Parameters<typeof store.advance>[2]

/** A change that people see. */
async function move(ctx: Context, project: store.Project, change: Change): Promise<Outcome> {
  await ctx.write(async (tx) => {
    const moved = await store.advance(tx, project, { ...change, updatedAt: ctx.clock.now() })
    if (!moved) return
    await usage.follow(ctx, tx, moved)
    await noteProgress(ctx, tx, project, moved)
    await projects.announce(tx, project.id)
  })
  return 'again'
}

/** What a move means to the creation of the project, if it is one. */
async function noteProgress(
  ctx: Context,
  tx: Tx,
  before: store.Project,
  { state, failure }: store.Project,
) {
  if (before.state === 'pending' && state === 'creating')
    await creation.reach(tx, before.id, creation.firstStep(ctx), ctx.clock.now())
  if (before.state === 'creating' && state === 'ready') await creation.end(ctx, tx, before.id, null)
  if (state === 'failed_creating' && before.state !== state)
    await creation.end(ctx, tx, before.id, failure)
}

/** A change that only the reconciler sees, but for what it means to a creation. */
async function note(ctx: Context, project: store.Project, change: Change): Promise<Outcome> {
  await ctx.write(async (tx) => {
    const noted = await store.advance(tx, project, change)
    if (noted?.state !== 'creating') return
    const isNews = await creation.reach(tx, project.id, 'answer', ctx.clock.now())
    if (isNews) await projects.announce(tx, project.id)
  })
  return 'again'
}

/** Has the engine do something; what it could not do is shown on the project, and tried again. */
async function engineDoes(
  ctx: Context,
  project: store.Project,
  failure: ProjectFailure,
  work: () => Promise<void>,
) {
  try {
    await work()
  } catch (error) {
    if (project.failure !== failure) await move(ctx, project, { failure })
    throw error
  }
}

/**
 * How long one run asks whether a site answers before it leaves that to a later one: long enough for a site
 * to start, and short enough that many that do not answer hold nobody up.
 */
const longestWait = 2 * second
const firstPause = 15
const longestPause = 500

export type Settled = 'settled' | 'unsettled' | 'busy'

/**
 * Brings a project to what its row asks for, one run at a time in all processes. `unsettled`: the site
 * does not answer within `patience` milliseconds, ask again later; `busy`: another run is on it. Rejects
 * when the engine does; then the deadline decides.
 */
export async function reconcile(
  ctx: Context,
  id: ProjectId,
  patience = longestWait,
): Promise<Settled> {
  const settled = await ctx.locks.exclusively(`project ${id}`, async (): Promise<Settled> => {
    const started = performance.now()
    let pause = firstPause
    for (;;) {
      const project = await store.findForReconciler(ctx.db, id)
      if (!project) return 'settled'
      const outcome = await takeStep(ctx, project, nextStep(project, ctx.clock.now()))
      if (outcome === 'done') return 'settled'
      if (outcome === 'again') continue
      if (performance.now() - started >= patience || ctx.stopping.aborted) return 'unsettled'
      await sleep(pause)
      pause = Math.min(pause * 1.5, longestPause)
    }
  })
  return settled ?? 'busy'
}
