import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import {
  type SiteBackupId,
  type SiteRestoreFailure,
  type SiteRestoreStep,
  siteBackupLimits,
} from '@slipway/contract/site-backups'
import type { Context } from '../../context.ts'
import {
  CapacityError,
  ClusterUnreachableError,
  type Instance,
  MissingDataError,
  QuotaError,
} from '../../engines/hosting/engine.ts'
import { recordActivity } from '../activity/activity.service.ts'
import * as archives from '../content-archives/content-archives.service.ts'
import * as copies from '../projects/copies/copies.service.ts'
import { isDeleted } from '../projects/projects.policy.ts'
import * as projects from '../projects/projects.service.ts'
import { deployLock } from '../releases/releases.service.ts'
import * as siteBackups from '../site-backups/site-backups.service.ts'
import * as store from './site-restores.store.ts'

/** How often a step is tried before the restore fails. */
const attemptsPerStep = 3
/** After these, in about an hour, the site starts as it is: another backup can be restored then. */
const attemptsToUndo = 60
const maxWaitMs = 60 * second
/** How often a long step checks whether the project was deleted. */
const watchInterval = second

export type RestoreTimes = {
  /** The time until every gateway applies a change of its routes, in milliseconds. */
  drainMs: number
}
const defaultTimes: RestoreTimes = { drainMs: 2_000 }

type Outcome = 'continue' | 'wait' | 'done'

type Work = {
  ctx: Context
  project: copies.StoredProject
  restore: store.OpenRestore
  times: RestoreTimes
  /** Aborts when the project is deleted, or the process stops. */
  ended: AbortSignal
  /** Aborts then, and at the deadline. */
  signal: AbortSignal
}

/** The restore ends, or is undone. */
class RestoreError extends Error {
  override readonly name = 'RestoreError'
  readonly failure: SiteRestoreFailure

  constructor(failure: SiteRestoreFailure, options?: ErrorOptions) {
    super(failure, options)
    this.failure = failure
  }
}

const stopped = (instance: Instance): Instance => ({ ...instance, power: 'stopped' })

/** Enters a step, and tells the members of the project's team. */
const goTo = (
  { ctx, restore }: Work,
  step: SiteRestoreStep,
  change: Parameters<typeof store.update>[2] = {},
): Promise<Outcome> =>
  ctx.write(async (tx) => {
    const next = { step, attempts: 0, retryAt: ctx.clock.now(), ...change }
    if (await store.update(tx, restore, next)) await projects.publishChange(tx, restore.projectId)
    return 'continue' as const
  })

/** Each step is one effect, which may be killed and repeated; then the row has the next step. */
const steps: Record<SiteRestoreStep, (work: Work) => Promise<Outcome>> = {
  async stop(work) {
    const { ctx, project, times, signal } = work
    await sleep(times.drainMs, undefined, { signal })
    const instance = await copies.instanceOf(ctx, project)
    try {
      // Of a release whose worker was killed.
      await ctx.engine.unstage(instance)
      await ctx.engine.apply(stopped(instance), { mayCreate: false })
    } catch (error) {
      // Nothing is left to back up.
      if (error instanceof MissingDataError) return goTo(work, 'import')
      throw error
    }
    return goTo(work, 'backup')
  },

  async backup(work) {
    const { ctx, project } = work
    const earlierBackupId = await siteBackups.backUpStopped(ctx, project)
    if (earlierBackupId === null) throw new RestoreError('not_backed_up')
    return goTo(work, 'import', { earlierBackupId })
  },

  async import(work) {
    await load(work, work.restore.backupId)
    return finish(work, null)
  },

  async undo(work) {
    const { restore } = work
    if (restore.earlierBackupId !== null) await load(work, restore.earlierBackupId)
    return finish(work, restore.failure)
  },
}

/** Replaces the files of the site by those of a backup. */
async function load({ ctx, project, restore, signal }: Work, backupId: SiteBackupId) {
  const archive = await archives.archiveOf(ctx, restore.id)
  const digest = await siteBackups.fetch(ctx, backupId, archive.file, signal)
  if (digest === null) throw new RestoreError('backup_unreadable')
  const instance = stopped(await copies.instanceOf(ctx, project))
  await ctx.engine.importContent(instance, { ...archive, digest }, signal)
}

/** Ends the restore, and starts the site. */
async function finish(
  { ctx, project, restore }: Work,
  failure: SiteRestoreFailure | null,
): Promise<Outcome> {
  await archives.remove(ctx, restore.id)
  await ctx.write(async (tx) => {
    const locked = await copies.lock(tx, project.id)
    const ended = { step: null, failure, finishedAt: ctx.clock.now() }
    if (!(await store.update(tx, restore, ended)) || !locked || isDeleted(locked)) return
    await recordActivity(ctx, tx, {
      kind: failure === null ? 'backup_restored' : 'backup_restore_failed',
      concerns: { project },
      subject: restore.backupCreatedAt.toISOString(),
      after: failure,
      actor:
        failure === null && restore.requestedBy !== null
          ? { id: restore.requestedBy, byToken: restore.byToken }
          : 'service',
    })
    await projects.resume(ctx, tx, locked, restore.isNewProject && failure !== null)
  })
  ctx.log.info({ key: project.key, failure }, 'a backup was restored')
  return 'done'
}

/** Ends the restore, after it was undone if files were replaced. */
async function fail(work: Work, failure: SiteRestoreFailure): Promise<Outcome> {
  const { ctx, project, restore } = work
  ctx.log.warn({ key: project.key, step: restore.step, failure }, 'a backup is not restored')
  if (restore.step !== 'import') return finish(work, failure)
  if (restore.earlierBackupId !== null) return goTo(work, 'undo', { failure })
  const mayBeReplaced = failure !== 'backup_unreadable' && failure !== 'timed_out'
  try {
    // Its files were lost, or it never had any: it must not start with a part of the others.
    if (restore.isNewProject || mayBeReplaced) await ctx.engine.remove(project)
  } catch (err) {
    ctx.log.warn({ err, key: project.key }, 'a part of a backup was not removed')
    return retryLater(work)
  }
  return finish(work, failure)
}

const failureOf = (error: unknown): SiteRestoreFailure => {
  if (error instanceof RestoreError) return error.failure
  if (error instanceof CapacityError || error instanceof QuotaError) return 'no_room'
  if (error instanceof ClusterUnreachableError) return 'cluster_unreachable'
  return 'engine_failed'
}

/** Fails the restore, or retries the step later. */
async function handleError(work: Work, error: unknown): Promise<Outcome> {
  const { ctx, restore, project, signal, ended } = work
  if (ended.aborted) return 'done'
  ctx.log.warn({ err: error, key: project.key, step: restore.step }, 'a restore has failed')
  const isWaiting = error instanceof ClusterUnreachableError
  const attempts = restore.attempts + 1
  const isFinal = error instanceof RestoreError || (!isWaiting && attempts >= attemptsPerStep)
  // Without the earlier files the site would be left with a part of each.
  if (restore.step !== 'undo') {
    if (signal.aborted) return fail(work, 'timed_out')
    if (isFinal) return fail(work, failureOf(error))
  } else if (attempts >= attemptsToUndo) {
    ctx.log.error({ err: error, key: project.key }, 'a site may have a part of its files only')
    return finish(work, restore.failure)
  }
  return retryLater(work)
}

async function retryLater({ ctx, restore }: Work): Promise<Outcome> {
  const attempts = restore.attempts + 1
  const wait = Math.min(second * 2 ** attempts, maxWaitMs)
  const retryAt = new Date(ctx.clock.now().getTime() + wait)
  await store.update(ctx.db, restore, { attempts, retryAt })
  return 'wait'
}

/** Runs one step and stores the next. Stores a failure instead of throwing it. */
async function runStep(
  ctx: Context,
  project: copies.StoredProject,
  restore: store.OpenRestore,
  times: RestoreTimes,
): Promise<Outcome> {
  const canceling = new AbortController()
  const ended = AbortSignal.any([ctx.stopping, canceling.signal])
  const timeLeft = restore.deadlineAt.getTime() - ctx.clock.now().getTime()
  // What it undoes has a limit of its own: the site must not stay without files.
  const limit = restore.step === 'undo' ? siteBackupLimits.deadline : Math.max(0, timeLeft)
  const signal = AbortSignal.any([ended, AbortSignal.timeout(limit)])
  const work = { ctx, project, restore, times, signal, ended }
  const watch = async () => {
    const current = await copies.find(ctx.db, project.id)
    if (!current || isDeleted(current)) canceling.abort(new Error('the project was deleted'))
  }
  const timer = setInterval(() => void watch().catch(() => undefined), watchInterval)
  try {
    if (restore.step !== 'undo' && timeLeft <= 0) return await fail(work, 'timed_out')
    return await steps[restore.step](work)
  } catch (error) {
    return await handleError(work, error)
  } finally {
    clearInterval(timer)
  }
}

/**
 * Restores a backup until it is done, or waits. One run at a time across all processes, and none
 * beside the reconciler's or a release's. False when another run has a lock.
 */
export async function runRestore(
  ctx: Context,
  id: ProjectId,
  times: RestoreTimes = defaultTimes,
): Promise<boolean> {
  const run = async () => {
    for (;;) {
      const restore = await store.findOpen(ctx.db, id)
      const project = await copies.find(ctx.db, id)
      if (!restore || !project || ctx.stopping.aborted) return true
      if (isDeleted(project)) {
        await archives.remove(ctx, restore.id)
        await store.update(ctx.db, restore, { step: null, finishedAt: ctx.clock.now() })
        return true
      }
      if ((await runStep(ctx, project, restore, times)) !== 'continue') return true
    }
  }
  const ran = await ctx.locks.exclusively(deployLock(id), () =>
    ctx.locks.exclusively(`project ${id}`, run),
  )
  return ran ?? false
}
