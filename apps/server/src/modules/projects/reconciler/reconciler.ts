import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '@slipway/contract/limits'
import { isCrashing, type ProjectFailure, type ProjectId } from '@slipway/contract/projects'
import type { Context, Tx } from '../../../context.ts'
import { steadyTime } from '../../../engines/hosting/crashes.ts'
import {
  CapacityError,
  ClusterUnreachableError,
  DiskFullError,
  type Instance,
  MissingDataError,
  QuotaError,
  RejectedError,
  UnhealthyError,
} from '../../../engines/hosting/engine.ts'
import { recordActivity } from '../../activity/activity.service.ts'
import * as usage from '../../usage/usage.service.ts'
import * as creation from '../creation/creation.service.ts'
import * as moves from '../moves/project-moves.store.ts'
import { finishDeleted } from '../moves/run-move.ts'
import * as pauses from '../pauses/pauses.store.ts'
import { scheduleAfterChange } from '../pictures/picture-schedule.ts'
import { instanceOf } from '../projects.instance.ts'
import { isDeleted, isPowered } from '../projects.policy.ts'
import * as projects from '../projects.service.ts'
import * as store from '../projects.store.ts'
import { logNewFailure } from './failure-log.ts'

/**
 * The next step for a project, derived from its row. Each step is one effect: a process that is
 * killed before, between or after steps leaves a row from which the next run continues.
 */
export type Step =
  | { do: 'nothing' }
  /** pending → creating */
  | { do: 'start' }
  /** Applies the desired state in the engine and stores its generation. */
  | { do: 'apply' }
  /** Marks the project ready once its site responds, or at once if it does not run. */
  | { do: 'probe' }
  | { do: 'fail'; failure: ProjectFailure }
  /**
   * Ends the wait for a new domain or for a started site, and shows the failure. Null: shows which
   * part does not respond.
   */
  | { do: 'keepRunning'; failure: ProjectFailure | null }
  /** Clears the failure of a running site once the site responds. */
  | { do: 'recheck' }
  /** Removes the leftovers of a failed creation or a late deletion from the engine. */
  | { do: 'cleanUp' }
  /** Stops the instance and deletes its data. */
  | { do: 'remove' }
  | { do: 'markDeleted'; failure: ProjectFailure | null }

/** The next step for a project at `now`: a table of its states. */
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
      if (isLate) return { do: 'keepRunning', failure: project.failure }
      return { do: isApplied ? 'probe' : 'apply' }
    case 'ready':
      if (!isApplied) return { do: 'apply' }
      return { do: project.failure === null ? 'nothing' : 'recheck' }
    case 'failed_creating':
    case 'deleted':
      return { do: project.appliedGeneration > 0 ? 'cleanUp' : 'nothing' }
    case 'deleting':
      // The user sees a deleted project; the sweep removes the leftovers.
      return isLate ? { do: 'markDeleted', failure: 'removal_failed' } : { do: 'remove' }
  }
}

type Outcome = 'continue' | 'wait' | 'done'

/** Runs one step. `wait`: the site does not respond yet, run the step again later. */
export async function runStep(
  ctx: Context,
  project: store.Project,
  step: Step,
  requestTimeout?: number,
): Promise<Outcome> {
  const instance = await instanceOf(ctx, project)
  const isHealthy = () => ctx.engine.isHealthy(instance, requestTimeout)
  switch (step.do) {
    case 'nothing':
      return 'done'
    case 'start':
      return saveVisible(ctx, project, { state: 'creating' })
    case 'apply': {
      const reporter = creation.createReporter(ctx, project, projects.publishChange)
      // Only a new site starts empty. Another without data has lost it.
      const options = { mayCreate: project.state === 'creating', report: reporter.report }
      const work = () => ctx.engine.apply(instance, options)
      const wasApplied = await recordEngineFailure(ctx, project, 'engine_failed', work).finally(
        reporter.settled,
      )
      await reporter.written()
      if (!wasApplied) return 'done'
      // Crashes of the previous version do not count. Generation 0: the same version is applied
      // again.
      const applied = {
        appliedGeneration: project.generation,
        ...(project.appliedGeneration > 0 ? withoutCrashes : {}),
      }
      if (project.state !== 'ready' || !isPowered(project))
        return saveInternal(ctx, project, applied)
      // Another release may run on other versions.
      const metadata = await metadataOf(ctx, project, instance)
      const isSame = JSON.stringify(metadata) === JSON.stringify(project.metadata)
      if (isSame) return saveInternal(ctx, project, applied)
      return saveVisible(ctx, project, { ...applied, metadata })
    }
    case 'probe':
      if (isPowered(project) && !(await isHealthy())) return showWhatIsAwaited(ctx, project)
      return saveVisible(ctx, project, {
        state: 'ready',
        failure: null,
        ...withoutCrashes,
        deadlineAt: null,
        metadata: await metadataOf(ctx, project, instance),
      })
    case 'fail':
      return saveVisible(ctx, project, {
        state: 'failed_creating',
        failure: knownProblem(ctx, project, step.failure),
        deadlineAt: null,
        // At least 1, so that `cleanUp` follows even when `apply` was killed before its save.
        appliedGeneration: Math.max(1, project.appliedGeneration),
      })
    case 'keepRunning':
      return saveVisible(ctx, project, {
        state: 'ready',
        failure: step.failure ?? (await unresponsivePart(ctx, instance)),
        deadlineAt: null,
      })
    case 'recheck':
      // Not `wait`: this may last until the owner changes the domain; the sweep checks again.
      if (isPowered(project) && (mayCrashAgain(ctx, project) || !(await isHealthy()))) return 'done'
      return saveVisible(ctx, project, { failure: null, ...withoutCrashes })
    case 'cleanUp':
      if (!(await cleanUp(ctx, project))) return 'done'
      if (project.state === 'deleted') await ctx.logs.remove(project.key)
      if (project.failure === 'cluster_unreachable' && project.state === 'failed_creating')
        return createAgain(ctx, project)
      return saveInternal(ctx, project, { appliedGeneration: 0 })
    case 'remove': {
      const wasRemoved = await recordEngineFailure(ctx, project, 'removal_failed', async () => {
        await removeEverywhere(ctx, project)
        await ctx.logs.remove(project.key)
      })
      if (!wasRemoved) return 'done'
      return runStep(ctx, project, { do: 'markDeleted', failure: null })
    }
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

/** The problems that a start may wait for. The sweep shows crashes, with their number. */
const startProblems: readonly (ProjectFailure | null)[] = [
  'image_not_pulled',
  'no_capacity',
  'volume_unbound',
  'quota_exceeded',
  'configuration_rejected',
]

/** Shows why a site does not start, while the engine reports a reason. */
async function showWhatIsAwaited(ctx: Context, project: store.Project): Promise<Outcome> {
  const problem = ctx.engine.problemOf(project)
  const failure = startProblems.includes(problem) ? problem : null
  const isStale = failure !== null || startProblems.includes(project.failure)
  if (isStale && failure !== project.failure) {
    if (failure !== null) logNewFailure(ctx, project, failure)
    await saveVisible(ctx, project, { failure })
  }
  return 'wait'
}

const withoutCrashes = { crashes: 0, crashedAt: null }

/**
 * True for a site that has crashed and not run well since. Its last crash is read from the row,
 * too: after a restart of the server the engine does not know it.
 */
function mayCrashAgain(ctx: Context, project: store.Project) {
  if (!isCrashing(project)) return false
  const { crashedAt } = project
  const isRecent =
    crashedAt !== null && ctx.clock.now().getTime() - crashedAt.getTime() < steadyTime
  return isRecent || ctx.engine.problemOf(project) !== null
}

/** Removes a project from its cluster and from both clusters of a move, and ends the move. */
async function removeEverywhere(ctx: Context, { id, key, cluster }: store.Project) {
  const move = await moves.findOpen(ctx.db, id)
  const clusters = new Set(move ? [cluster, move.source, move.target] : [cluster])
  for (const name of clusters) await ctx.engine.remove({ key, cluster: name })
  if (move) await finishDeleted(ctx, move)
}

/** The engine's metadata of the site; the stored metadata while the engine has none. */
const metadataOf = async (ctx: Context, project: store.Project, instance: Instance) => [
  ...((await ctx.engine.metadata(instance)) ?? project.metadata),
]

/** False while the project's cluster does not respond. */
async function cleanUp(ctx: Context, project: store.Project): Promise<boolean> {
  try {
    await removeEverywhere(ctx, project)
    return true
  } catch (error) {
    if (error instanceof ClusterUnreachableError) return false
    throw error
  }
}

/** Starts another attempt of a creation that failed only because its cluster did not respond. */
const createAgain = (ctx: Context, project: store.Project): Promise<Outcome> =>
  saveVisible(ctx, project, {
    state: 'pending',
    failure: null,
    deadlineAt: projects.deadline(ctx),
    appliedGeneration: 0,
  })

/** The part of an instance that does not respond: the site itself, or its domain alone. */
async function unresponsivePart(ctx: Context, instance: Instance): Promise<ProjectFailure> {
  const responds = await ctx.engine.isHealthy({ ...instance, hosts: instance.hosts.slice(0, 1) })
  if (responds) return 'domain_not_routed'
  return ctx.engine.problemOf(instance) ?? 'site_not_answering'
}

/** Why a site does not respond, if the engine knows the reason; otherwise only that it does not. */
const knownProblem = (ctx: Context, project: store.Project, failure: ProjectFailure) =>
  failure === 'site_not_answering' ? (ctx.engine.problemOf(project) ?? failure) : failure

type Change = Parameters<typeof store.updateIfUnchanged>[2]

/** Saves a change that users see: records usage and progress, publishes the event. */
async function saveVisible(ctx: Context, project: store.Project, change: Change): Promise<Outcome> {
  await ctx.write(async (tx) => {
    const saved = await store.updateIfUnchanged(tx, project, {
      ...change,
      updatedAt: ctx.clock.now(),
    })
    if (!saved) return
    await usage.recordState(ctx, tx, saved)
    await recordProgress(ctx, tx, project, saved)
    if (saved.appliedGeneration > project.appliedGeneration)
      await scheduleAfterChange(ctx, tx, saved)
    await projects.publishChange(tx, project.id)
  })
  return 'continue'
}

/** Records a state change in the project's creation attempt, and the end of the attempt. */
async function recordProgress(ctx: Context, tx: Tx, before: store.Project, saved: store.Project) {
  const { state, failure } = saved
  if (before.state === 'failed_creating' && state === 'pending')
    await creation.beginAttempt(ctx, tx, before)
  if (before.state === 'pending' && state === 'creating')
    await creation.startStep(tx, before.id, creation.firstStep(ctx, before), ctx.clock.now())
  const concerns = { project: before }
  if (before.state === 'creating' && state === 'ready') {
    await creation.endAttempt(ctx, tx, before.id, null)
    const after = ctx.engine.servingOf(saved) === null ? 'empty' : null
    await recordActivity(ctx, tx, { kind: 'project_ready', concerns, after, actor: 'service' })
    await scheduleAfterChange(ctx, tx, saved)
  }
  if (isCrashing(before) && state === 'ready' && failure === null && isPowered(saved))
    await recordActivity(ctx, tx, { kind: 'site_recovered', concerns, actor: 'service' })
  if (state === 'failed_creating' && before.state !== state) {
    await creation.endAttempt(ctx, tx, before.id, failure)
    await recordActivity(ctx, tx, {
      kind: 'project_failed',
      concerns,
      after: failure,
      actor: 'service',
    })
  }
}

/** Saves a change that users do not see, except for a new step of a creation. */
async function saveInternal(
  ctx: Context,
  project: store.Project,
  change: Change,
): Promise<Outcome> {
  await ctx.write(async (tx) => {
    const saved = await store.updateIfUnchanged(tx, project, change)
    if (!saved) return
    await scheduleAfterChange(ctx, tx, saved)
    if (saved.state !== 'creating') return
    const isNewStep = await creation.startStep(tx, project.id, 'answer', ctx.clock.now())
    if (isNewStep) await projects.publishChange(tx, project.id)
  })
  return 'continue'
}

/** The failure of a project that waits for capacity, its cluster, data, owner, or a retry. */
const waitingFailure = (error: unknown): ProjectFailure | undefined => {
  if (error instanceof CapacityError) return 'no_capacity'
  if (error instanceof QuotaError) return 'quota_exceeded'
  if (error instanceof RejectedError) return 'configuration_rejected'
  if (error instanceof ClusterUnreachableError) return 'cluster_unreachable'
  if (error instanceof MissingDataError) return 'data_missing'
  if (error instanceof DiskFullError) return 'disk_full'
  if (error instanceof UnhealthyError) return 'change_unhealthy'
  return undefined
}

/**
 * Runs engine work and shows a failure on the project. Rethrows it for the job's retry; returns
 * false when the project waits instead, for the next sweep.
 */
async function recordEngineFailure(
  ctx: Context,
  project: store.Project,
  failure: ProjectFailure,
  work: () => Promise<void>,
) {
  try {
    await work()
    return true
  } catch (error) {
    const waiting = waitingFailure(error)
    const visibleFailure = waiting ?? failure
    if (project.failure !== visibleFailure) {
      await saveVisible(ctx, project, { failure: visibleFailure })
      logNewFailure(ctx, project, visibleFailure, error)
    }
    if (!waiting) throw error
    return false
  }
}

/** How long one run probes a site: enough for a normal start, too short to block other projects. */
const probeTimeout = 2 * second

/** How a run probes a site, in milliseconds. */
export type ProbeTimes = {
  /** The site is probed again until this time is over. */
  timeout?: number
  /** How long each request may take; as long as the engine allows by default. */
  requestTimeout?: number
}

/** For a change by a user: a site with slow pages is left to the slow queue. */
export const quickProbe: ProbeTimes = { requestTimeout: probeTimeout }
/** Once, however slow the pages are. */
export const singleProbe: ProbeTimes = { timeout: 0 }

const firstDelay = 15
const maxDelay = 500

export type ReconcileResult = 'settled' | 'unsettled' | 'busy'

/**
 * Brings a project to its desired state, one run at a time across all processes. `unsettled`: the
 * site did not respond within `timeout` milliseconds, requeue; `busy`: another run has the lock.
 * Rejects when the engine does: the job is retried until the project's deadline.
 */
export async function reconcile(
  ctx: Context,
  id: ProjectId,
  { timeout = probeTimeout, requestTimeout }: ProbeTimes = {},
): Promise<ReconcileResult> {
  const result = await ctx.locks.exclusively(
    `project ${id}`,
    async (): Promise<ReconcileResult> => {
      const started = performance.now()
      let delay = firstDelay
      // The site must not start while its files are copied. It is reconciled afterwards.
      const isPaused = await pauses.isPaused(ctx.db, id)
      for (;;) {
        const project = await store.findForReconciler(ctx.db, id)
        if (!project || (isPaused && !isDeleted(project))) return 'settled'
        const outcome = await runStep(
          ctx,
          project,
          nextStep(project, ctx.clock.now()),
          requestTimeout,
        )
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
