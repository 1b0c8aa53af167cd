import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '@slipway/contract/limits'
import type { MoveFailure, MoveStep } from '@slipway/contract/project-moves'
import type { ProjectId } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import type { Context } from '../../../context.ts'
import { digestOfArchive } from '../../../engines/hosting/content/content-archive.ts'
import {
  CapacityError,
  ClusterUnreachableError,
  type Instance,
  QuotaError,
  UnhealthyError,
} from '../../../engines/hosting/engine.ts'
import { cleanOutput } from '../../../logs/log-record.ts'
import { recordActivity } from '../../activity/activity.service.ts'
import * as archives from '../../content-archives/content-archives.service.ts'
import * as runtimes from '../../runtimes/runtimes.service.ts'
import { instanceOf } from '../projects.instance.ts'
import { isDeleted, isPowered } from '../projects.policy.ts'
import * as projects from '../projects.service.ts'
import * as store from '../projects.store.ts'
import * as moves from './project-moves.store.ts'

/** How often a step is tried before the move fails. */
const attemptsPerStep = 3
const maxWaitMs = 60 * second
/** How often a long step checks whether the project was deleted. */
const watchInterval = second
const maxDetailLength = 2_000

/** Runtimes whose release may not run in every cluster. */
const checkedRuntimes: readonly Runtime[] = ['static', 'node', 'php']

export type MoveTimes = {
  /** The time until every gateway applies a change of its routes, in milliseconds. */
  drainMs: number
}
const defaultTimes: MoveTimes = { drainMs: 2_000 }

type Outcome = 'continue' | 'wait' | 'done'

type Work = {
  ctx: Context
  project: store.Project
  move: moves.Move
  times: MoveTimes
  /** Aborts when the project is deleted, or the process stops. */
  signal: AbortSignal
}

/** The move ends before its requests go to the target. The detail is for operators. */
class MoveError extends Error {
  override readonly name = 'MoveError'
  readonly failure: MoveFailure
  readonly detail: string | null

  constructor(failure: MoveFailure, detail: string | null = null, options?: ErrorOptions) {
    super(failure, options)
    this.failure = failure
    this.detail = detail
  }
}

const isBefore: Record<MoveStep, boolean> = {
  check: true,
  stop: true,
  export: true,
  import: true,
  start: true,
  clean: false,
  restore: false,
  discard: false,
}

const instanceIn = async (ctx: Context, project: store.Project, cluster: string) => ({
  ...(await instanceOf(ctx, project)),
  cluster,
})

const stopped = (instance: Instance): Instance => ({ ...instance, power: 'stopped' })

/** Files that the gateway serves alone do not change while they are copied. */
const mayWrite = ({ ctx }: Work, instance: Instance) => ctx.engine.servingOf(instance) !== 'files'

/** Enters a step, and clears why the previous step waited. */
async function goTo({ ctx, move }: Work, step: MoveStep, change: moves.Change = {}) {
  const next = { step, attempts: 0, retryAt: ctx.clock.now(), ...change }
  // The failure of a move that is undone stays.
  const cleared = isBefore[step] ? { failure: null, detail: null } : {}
  await moves.update(ctx.db, move, { ...cleared, ...next })
  return 'continue' as const
}

/** Tells the members of the project's team and the gateways about the change. */
const goToVisibly = ({ ctx, move }: Work, step: MoveStep, change: moves.Change) =>
  ctx.write(async (tx) => {
    const next = { step, attempts: 0, failure: null, detail: null, ...change }
    if (await moves.update(tx, move, next)) await projects.publishChange(tx, move.projectId)
    return 'continue' as const
  })

/** Each step is one effect, which may be killed and repeated; then the row has the next step. */
const steps: Record<MoveStep, (work: Work) => Promise<Outcome>> = {
  async check(work) {
    const { ctx, project, move } = work
    const unreachable = ctx.engine.unreachableClusters()
    if (unreachable.includes(move.target)) throw new MoveError('target_unreachable')
    if (unreachable.includes(move.source)) throw new ClusterUnreachableError(move.source)
    await requireRunnable(work)
    const instance = await instanceIn(ctx, project, move.source)
    if (!(await ctx.engine.hasContent(instance))) return goTo(work, 'start', { digest: null })
    if (!mayWrite(work, instance)) return goTo(work, 'export')
    return goToVisibly(work, 'stop', { pausedAt: ctx.clock.now(), digest: null })
  },

  async stop(work) {
    const { ctx, project, move, times, signal } = work
    await sleep(times.drainMs, undefined, { signal })
    const instance = await instanceIn(ctx, project, move.source)
    await ctx.engine.apply(stopped(instance), { mayCreate: false })
    return goTo(work, 'export')
  },

  async export(work) {
    const { ctx, project, move, signal } = work
    const instance = await instanceIn(ctx, project, move.source)
    const archive = await archives.archiveOf(ctx, move.id)
    await ctx.engine.exportContent(stopped(instance), archive, signal)
    const digest = await digestOfArchive(archive.file)
    if (digest === null) throw new Error('the files of the site did not arrive')
    return goTo(work, 'import', { digest })
  },

  async import(work) {
    const { ctx, project, move, signal } = work
    const archive = await archives.archiveOf(ctx, move.id)
    const { digest } = move
    // A backup has no archives, and an old one is removed.
    if (digest === null || (await digestOfArchive(archive.file)) !== digest)
      return goTo(work, 'export', { digest: null })
    const instance = await instanceIn(ctx, project, move.target)
    await ctx.engine.importContent(instance, { ...archive, digest }, signal)
    return goTo(work, 'start')
  },

  async start(work) {
    const { ctx, project, move } = work
    const instance = await instanceIn(ctx, project, move.target)
    const source = { ...instance, cluster: move.source }
    // The instance got a program, or files, since the check.
    const isOutdated = move.digest === null && (await ctx.engine.hasContent(source))
    const isWritten = move.pausedAt === null && move.digest !== null && mayWrite(work, source)
    if (isOutdated || isWritten) {
      await removeFrom(ctx, project, move.target)
      return goTo(work, 'check')
    }
    const mayCreate = move.digest === null
    const problem = isPowered(project) ? await ctx.engine.stage(instance, { mayCreate }) : null
    if (problem?.failure === 'quota_exceeded') throw new QuotaError(problem.failure)
    if (problem) throw new UnhealthyError(problem)
    await ctx.engine.apply(instance, { mayCreate })
    const metadata = (await ctx.engine.metadata(instance)) ?? project.metadata
    return switchCluster(work, [...metadata])
  },

  async clean(work) {
    const { ctx, project, move, times, signal } = work
    await sleep(times.drainMs, undefined, { signal })
    await removeFrom(ctx, project, move.source)
    return finish(work, { failure: null, detail: null })
  },

  async restore(work) {
    const { ctx, project, move } = work
    const instance = await instanceIn(ctx, project, move.source)
    // Before requests go there again; the reconciler repeats it otherwise.
    await ctx.engine
      .apply(instance, { mayCreate: false })
      .catch((err: unknown) =>
        ctx.log.warn({ err, key: project.key }, 'a site waits for its start'),
      )
    return ctx.write(async (tx): Promise<Outcome> => {
      if (!(await moves.update(tx, move, { step: 'discard', pausedAt: null, attempts: 0 })))
        return 'continue'
      const locked = await store.lock(tx, project.id)
      if (!locked || isDeleted(locked)) return 'continue'
      const now = ctx.clock.now()
      const isWaiting = locked.state === 'modifying'
      const changed = await store.updateDesiredState(
        tx,
        project.id,
        isWaiting ? { deadlineAt: projects.deadline(ctx) } : {},
        now,
      )
      await projects.scheduleReconcile(ctx, tx, changed)
      return 'continue'
    })
  },

  async discard(work) {
    const { ctx, project, move } = work
    await removeFrom(ctx, project, move.target)
    return finish(work, { failure: move.failure ?? 'engine_failed', detail: move.detail })
  },
}

/** Throws a `MoveError` for a project that the target cannot run. */
async function requireRunnable({ ctx, project, move }: Work) {
  const { runtime, artifact } = project
  const { target: cluster } = move
  if (!(await runtimes.isAvailable(ctx, runtime, cluster)))
    throw new MoveError('runtime_not_available', runtime)
  if (artifact === null || !checkedRuntimes.includes(runtime)) return
  const manifest = await ctx.artifacts.manifest(artifact)
  const rejection = await ctx.engine.checkRelease({ cluster, runtime, artifact }, manifest)
  if (rejection)
    throw new MoveError(
      'release_not_supported',
      rejection.detail === undefined
        ? rejection.failure
        : `${rejection.failure}: ${rejection.detail}`,
    )
}

/** Deletes a project's instance in a cluster other than its current one. */
async function removeFrom(ctx: Context, { id, key }: store.Project, cluster: string) {
  const current = await store.findForReconciler(ctx.db, id)
  if (current?.cluster === cluster) throw new Error(`${key} runs in ${cluster}`)
  await ctx.engine.remove({ key, cluster })
}

/** Sends the requests to the target, unless the project has changed since it was applied there. */
function switchCluster({ ctx, project, move }: Work, metadata: store.Project['metadata']) {
  const { generation: appliedGeneration } = project
  return ctx.write(async (tx): Promise<Outcome> => {
    const locked = await store.lock(tx, project.id)
    if (!locked || isDeleted(locked)) return 'done'
    if (locked.generation !== appliedGeneration) return 'continue'
    const next = {
      step: 'clean',
      pausedAt: null,
      failure: null,
      detail: null,
      attempts: 0,
    } as const
    if (!(await moves.update(tx, move, next))) return 'continue'
    const deadlineAt = locked.state === 'modifying' ? projects.deadline(ctx) : locked.deadlineAt
    await moves.switchCluster(tx, move, { appliedGeneration, metadata, deadlineAt })
    await recordActivity(ctx, tx, {
      kind: 'project_moved',
      concerns: { project },
      actor: 'operator',
    })
    await ctx.jobs.send(tx, projects.reconcileJob, { projectId: project.id })
    await projects.publishChange(tx, project.id)
    return 'continue'
  })
}

type Reason = Pick<moves.Move, 'failure' | 'detail'>

async function finish({ ctx, project, move }: Work, reason: Reason): Promise<Outcome> {
  const { failure } = reason
  await archives.remove(ctx, move.id)
  await ctx.write(async (tx) => {
    const finished = { ...reason, finishedAt: ctx.clock.now() }
    if (!(await moves.update(tx, move, finished))) return
    if (failure !== null)
      await recordActivity(ctx, tx, {
        kind: 'project_move_failed',
        concerns: { project },
        after: failure,
        actor: 'operator',
      })
    await projects.publishChange(tx, project.id)
  })
  ctx.log.info({ key: project.key, target: move.target, failure }, 'a project was moved')
  return 'done'
}

/** Ends the move of a deleted project, from which both clusters were emptied. */
export const finishDeleted = async (ctx: Context, move: moves.Move) => {
  await archives.remove(ctx, move.id)
  await moves.update(ctx.db, move, {
    finishedAt: ctx.clock.now(),
    failure: 'project_deleted',
    detail: null,
  })
}

/** Undoes a move, or ends one that has done nothing. */
async function fail(work: Work, failure: MoveFailure, detail: string | null): Promise<Outcome> {
  const { ctx, move, project } = work
  ctx.log.warn({ key: project.key, step: move.step, failure, detail }, 'a project is not moved')
  const reason = { failure, detail: detail?.slice(-maxDetailLength) ?? null }
  if (move.step === 'check') return finish(work, reason)
  // The site must not run in both clusters. Its files in the target are removed later.
  if (move.step === 'start')
    await ctx.engine
      .apply(stopped(await instanceIn(ctx, project, move.target)), { mayCreate: false })
      .catch((err: unknown) => ctx.log.warn({ err, key: project.key }, 'a site may still run'))
  if (move.pausedAt !== null) return goTo(work, 'restore', reason)
  return goToVisibly(work, 'discard', reason)
}

const failureOf = (error: unknown, step: MoveStep): MoveFailure | undefined => {
  if (error instanceof MoveError) return error.failure
  if (error instanceof CapacityError || error instanceof QuotaError) return 'no_room'
  if (error instanceof UnhealthyError) return 'unhealthy'
  const isAtTarget = step === 'import' || step === 'start'
  if (error instanceof ClusterUnreachableError && isAtTarget) return 'target_unreachable'
  return undefined
}

function detailOf(error: unknown): string {
  if (error instanceof MoveError) return error.detail ?? ''
  if (!(error instanceof UnhealthyError)) return error instanceof Error ? error.message : ''
  const { problem, message } = error
  return problem.output === undefined ? message : `${message}\n${problem.output}`
}

/** Fails the move, or retries the step later. */
async function handleError(work: Work, error: unknown): Promise<Outcome> {
  const { ctx, move, project, signal } = work
  if (signal.aborted) return 'done'
  const detail = cleanOutput(detailOf(error).slice(-maxDetailLength)) || null
  const failure = failureOf(error, move.step)
  if (isBefore[move.step] && failure) return fail(work, failure, detail)
  const isWaiting = error instanceof ClusterUnreachableError
  const attempts = move.attempts + 1
  ctx.log.warn({ err: error, key: project.key, step: move.step }, 'a step of a move has failed')
  if (isBefore[move.step] && !isWaiting && attempts >= attemptsPerStep)
    return fail(work, 'engine_failed', detail)
  const wait = Math.min(second * 2 ** attempts, maxWaitMs)
  // A move that is undone has its failure already.
  const storedDetail = move.step === 'restore' || move.step === 'discard' ? {} : { detail }
  await moves.update(ctx.db, move, {
    ...storedDetail,
    ...(isBefore[move.step] && isWaiting ? { failure: 'source_unreachable' } : {}),
    attempts,
    retryAt: new Date(ctx.clock.now().getTime() + wait),
  })
  return 'wait'
}

/** Runs one step of an open move and stores the next. Stores a failure instead of throwing it. */
async function runMoveStep(
  ctx: Context,
  project: store.Project,
  move: moves.Move,
  times: MoveTimes = defaultTimes,
): Promise<Outcome> {
  const canceling = new AbortController()
  const signal = AbortSignal.any([ctx.stopping, canceling.signal])
  const work = { ctx, project, move, times, signal }
  const watch = async () => {
    const current = await store.findForReconciler(ctx.db, project.id)
    if (!current || isDeleted(current)) canceling.abort(new Error('the project was deleted'))
  }
  const timer = setInterval(() => void watch().catch(() => undefined), watchInterval)
  try {
    if (isBefore[move.step] && move.deadlineAt <= ctx.clock.now())
      return await fail(work, 'timed_out', move.failure)
    return await steps[move.step](work)
  } catch (error) {
    return await handleError(work, error)
  } finally {
    clearInterval(timer)
  }
}

/**
 * Moves a project until it is done, or waits. One run at a time across all processes, and none
 * beside the reconciler's. False when another run has the lock.
 */
export async function runMove(ctx: Context, id: ProjectId, times?: MoveTimes): Promise<boolean> {
  const ran = await ctx.locks.exclusively(`project ${id}`, async () => {
    for (;;) {
      const move = await moves.findOpen(ctx.db, id)
      const project = await store.findForReconciler(ctx.db, id)
      // The reconciler ends the move of a deleted project.
      if (!move || !project || isDeleted(project) || ctx.stopping.aborted) return true
      if ((await runMoveStep(ctx, project, move, times)) !== 'continue') return true
    }
  })
  return ran ?? false
}
