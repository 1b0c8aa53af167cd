import { day, hour } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { SiteBackupFailure, SiteBackupId } from '@slipway/contract/site-backups'
import type { Context } from '../../context.ts'
import { digestOfArchive } from '../../engines/hosting/content/content-archive.ts'
import { ClusterUnreachableError, ContentTooLargeError } from '../../engines/hosting/engine.ts'
import { recordActivity } from '../activity/activity.service.ts'
import * as archives from '../content-archives/content-archives.service.ts'
import * as copies from '../projects/copies/copies.service.ts'
import { isDeleted } from '../projects/projects.policy.ts'
import * as projects from '../projects/projects.service.ts'
import * as files from './site-backups.files.ts'
import { outdated } from './site-backups.policy.ts'
import * as store from './site-backups.store.ts'

/** How long after a failed daily backup the next one is tried. */
const retryAfter = hour

/** The backup was not stored. */
class StorageError extends Error {
  override readonly name = 'StorageError'
}

/** `wait`: the files of the site are being copied or replaced. */
export type BackupOutcome = 'done' | 'wait'

type Work = {
  ctx: Context
  project: copies.StoredProject
  backup: store.SiteBackup
  /** Aborts when the process stops, and at the deadline. */
  signal: AbortSignal
}

const failureOf = (error: unknown): SiteBackupFailure => {
  if (error instanceof ContentTooLargeError) return 'too_large'
  if (error instanceof ClusterUnreachableError) return 'cluster_unreachable'
  if (error instanceof StorageError) return 'not_stored'
  // The disk on which the archive is written first.
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 'not_stored'
  return 'engine_failed'
}

/**
 * Makes a backup that a row requests, one at a time for each project. A worker that is killed may
 * repeat it. Stores a failure instead of throwing it.
 */
export async function run(ctx: Context, id: SiteBackupId): Promise<BackupOutcome> {
  const requested = await store.find(ctx.db, id)
  if (requested?.state !== 'creating') return 'done'
  const { projectId } = requested
  const outcome = await ctx.locks.exclusively(
    `backup ${projectId}`,
    async (): Promise<BackupOutcome> => {
      const project = await copies.find(ctx.db, projectId)
      const backup = await store.find(ctx.db, id)
      if (backup?.state !== 'creating' || !project) return 'done'
      const timeLeft = backup.deadlineAt.getTime() - ctx.clock.now().getTime()
      const signal = AbortSignal.any([ctx.stopping, AbortSignal.timeout(Math.max(0, timeLeft))])
      const work = { ctx, project, backup, signal }
      if (timeLeft <= 0 || isDeleted(project)) {
        await fail(work, 'not_finished')
        return 'done'
      }
      const mayRun = backup.cause === 'restore' || !(await isBusy(ctx, project))
      if (!mayRun) return 'wait'
      await copy(work)
      return 'done'
    },
  )
  return outcome ?? 'wait'
}

const isBusy = async ({ db }: Pick<Context, 'db'>, { id }: Pick<copies.StoredProject, 'id'>) =>
  (await copies.isPaused(db, id)) || (await copies.isMoving(db, id))

async function copy(work: Work): Promise<void> {
  const { ctx, backup, project } = work
  try {
    await copyFiles(work)
  } catch (error) {
    // The queue repeats these. A release and a restore begin with another backup instead.
    const isRepeated = backup.cause === 'manual' || backup.cause === 'daily'
    if (isRepeated) ctx.stopping.throwIfAborted()
    const failure = work.signal.aborted ? 'not_finished' : failureOf(error)
    ctx.log.warn({ err: error, key: project.key, failure }, 'a site was not backed up')
    await fail(work, failure)
  } finally {
    await archives.remove(ctx, backup.id)
  }
  await removeOutdated(ctx, project)
}

async function copyFiles(work: Work): Promise<void> {
  const { ctx, project, backup, signal } = work
  const instance = await copies.instanceOf(ctx, project)
  if (!(await ctx.artifacts.hasRoom())) throw new StorageError('the disk is nearly full')
  const archive = await archives.archiveOf(ctx, backup.id)
  // A restore has stopped the site before. Any other site is copied without its lock, also one that
  // is stopped, so that it can be started meanwhile.
  const power = backup.cause === 'restore' ? ('stopped' as const) : ('running' as const)
  const source = { ...instance, power }
  const { runtime, artifact } = project
  const release = await store.liveRelease(ctx.db, project.id)
  await ctx.engine.exportContent(source, archive, signal)
  const digest = await digestOfArchive(archive.file)
  if (digest === null) throw new Error('the files of the site did not arrive')
  if (await isUnchanged(work, digest)) return
  const stored = await files.write(ctx, backup, archive.file, signal).catch((cause: unknown) => {
    throw new StorageError('the backup was not stored', { cause })
  })
  const now = ctx.clock.now()
  const wasSaved = await ctx.write(async (tx) => {
    const made = { runtime, artifact, release, digest }
    const change = { ...stored, ...made, state: 'ready' as const, finishedAt: now }
    if (!(await store.update(tx, backup.id, change))) return false
    if (backup.cause === 'manual')
      await recordActivity(ctx, tx, {
        kind: 'backup_created',
        concerns: { project },
        actor: backup.userId === null ? 'service' : { id: backup.userId, byToken: backup.byToken },
      })
    await store.setDue(tx, project.id, new Date(now.getTime() + day))
    await projects.publishChange(tx, project.id)
    return true
  })
  if (!wasSaved) await files.remove(ctx, backup)
}

/** True if an earlier backup has the same files: then it is checked, and this one not needed. */
async function isUnchanged({ ctx, project, backup }: Work, digest: string): Promise<boolean> {
  if (backup.cause !== 'daily' && backup.cause !== 'release') return false
  const newest = await store.findNewest(ctx.db, project.id)
  const isSame = newest?.digest === digest && newest.artifact === project.artifact
  if (!isSame || !(await files.exists(ctx, newest))) return false
  const now = ctx.clock.now()
  await ctx.write(async (tx) => {
    await store.replaceByEarlier(tx, backup.id, newest.id, now)
    await store.setDue(tx, project.id, new Date(now.getTime() + day))
    await projects.publishChange(tx, project.id)
  })
  return true
}

const fail = (
  { ctx, backup: { id, projectId } }: Pick<Work, 'ctx' | 'backup'>,
  failure: SiteBackupFailure,
) =>
  ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const change = { state: 'failed' as const, failure, finishedAt: now }
    if (!(await store.update(tx, id, change))) return
    await store.setDue(tx, projectId, new Date(now.getTime() + retryAfter))
    await projects.publishChange(tx, projectId)
  })

/** Fails a backup that waits for another one. */
export async function giveUp(ctx: Context, id: SiteBackupId): Promise<void> {
  const backup = await store.find(ctx.db, id)
  if (backup) await fail({ ctx, backup }, 'not_finished')
}

/** Removes the backups of a project that are no longer needed, and the oldest failures. */
async function removeOutdated(
  ctx: Context,
  { id }: Pick<copies.StoredProject, 'id'>,
): Promise<void> {
  const removable = outdated(await store.listRemovable(ctx.db, id))
  for (const backup of removable) await removeUnneeded(ctx, backup)
}

/** Removes a backup unless an open restore needs it. The next removal repeats one that fails. */
async function removeUnneeded(ctx: Context, backup: store.SiteBackup): Promise<void> {
  const isHidden = await ctx.write(async (tx) => {
    // No restore begins meanwhile: it locks the project, too.
    await copies.lock(tx, backup.projectId)
    return store.hide(tx, backup.id)
  })
  if (!isHidden) return
  try {
    await files.remove(ctx, backup)
    await store.remove(ctx.db, backup.id)
  } catch (err) {
    ctx.log.warn({ err, backupId: backup.id }, 'the backup of a site was not removed')
  }
}

/** Fails the backups that were not finished in time, for example because no worker ran. */
export async function failLate(ctx: Context): Promise<void> {
  // Without the lock: a copy that hangs has it, and removes its file once it ends.
  for (const { id } of await store.listLate(ctx.db, ctx.clock.now(), 100)) await giveUp(ctx, id)
}

async function removeAll(ctx: Context, projectId: ProjectId) {
  for (const backup of await store.listRemovable(ctx.db, projectId)) {
    if (ctx.stopping.aborted) return
    await removeUnneeded(ctx, backup)
  }
}

/**
 * Removes the backups of deleted projects, with their files. Continues after those that cannot
 * be removed, for example because they are in an earlier storage.
 */
export async function removeOfDeleted(ctx: Context, atOnce = 100): Promise<void> {
  let after: ProjectId | undefined
  do {
    const ids = await store.listDeletedProjects(ctx.db, after, atOnce)
    for (const id of ids)
      await ctx.locks.exclusively(`backup ${id}`, async () => removeAll(ctx, id))
    after = ids.at(-1)
  } while (after !== undefined && !ctx.stopping.aborted)
}
