import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type { FileStream } from '@slipway/contract/file-response'
import { day, hour, minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import {
  type listSiteBackups,
  type SiteBackupCause,
  type SiteBackupId,
  type SiteBackupObstacle,
  type SiteBackup as SiteBackupResponse,
  type SiteRestore,
  siteBackupLimits,
} from '@slipway/contract/site-backups'
import type { Context, Db, Tx, UserContext } from '../../context.ts'
import { digestOfArchive, writeArchive } from '../../engines/hosting/content/content-archive.ts'
import { tarOf } from '../../engines/hosting/content/content-tar.ts'
import { problem } from '../../problem.ts'
import * as containerImages from '../container-images/container-images.service.ts'
import * as copies from '../projects/copies/copies.service.ts'
import * as projects from '../projects/projects.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { giveUp, run } from './run-backup.ts'
import { createSlots, endWhenSlow } from './site-backups.downloads.ts'
import * as files from './site-backups.files.ts'
import * as store from './site-backups.store.ts'

export const createJob = 'site-backups.create'

type StoredProject = copies.StoredProject

const notPossible = (obstacle: SiteBackupObstacle) => problem('backup_not_possible', obstacle)

const toResponse = (backup: store.ListedBackup): SiteBackupResponse => ({
  id: backup.id,
  state: backup.state,
  cause: backup.cause,
  failure: backup.failure,
  runtime: backup.runtime,
  release: backup.release,
  createdBy: backup.userId === null ? null : { id: backup.userId, name: backup.userName ?? '' },
  bytes: backup.bytes,
  createdAt: backup.createdAt.toISOString(),
  checkedAt: backup.checkedAt?.toISOString() ?? null,
})

async function findRestore(db: Db, projectId: ProjectId): Promise<SiteRestore | null> {
  const restore = await store.findRestore(db, projectId)
  if (!restore) return null
  return {
    backupId: restore.backupId,
    backupCreatedAt: restore.backupCreatedAt.toISOString(),
    step: restore.step,
    // A failed restore ends once its changes are rolled back.
    failure: restore.step === null ? restore.failure : null,
    requestedAt: restore.requestedAt.toISOString(),
    finishedAt: restore.finishedAt?.toISOString() ?? null,
  }
}

/** True if the site of a project writes files of its own, which no release has. */
async function hasContent(
  ctx: Pick<Context, 'db'>,
  { runtime, artifact }: Pick<StoredProject, 'runtime' | 'artifact'>,
): Promise<boolean> {
  // Its pages and pictures.
  if (runtime === 'starter') return true
  if (runtime === 'static' || artifact === null) return false
  if (runtime !== 'image') return true
  const image = await containerImages.find(ctx, artifact)
  return image !== null && image.dataPath !== null
}

/** A page of a project's backups, the newest first. Throws `project_not_found`. */
export async function list(
  ctx: UserContext,
  projectId: ProjectId,
  { page, perPage }: InputOf<typeof listSiteBackups>['query'],
): Promise<ResponseOf<typeof listSiteBackups>> {
  const project = await projects.requireForUser(ctx, projectId)
  const { id } = project
  const [{ rows, count }, restore, canWrite] = await Promise.all([
    store.list(ctx.db, id, { offset: (page - 1) * perPage, limit: perPage }),
    findRestore(ctx.db, id),
    hasContent(ctx, project),
  ])
  return {
    items: rows.map(toResponse),
    currentPage: page,
    totalPages: Math.ceil(count / perPage),
    perPage,
    hasContent: canWrite,
    restore,
  }
}

/**
 * Throws `backup_not_possible` while the files of a locked project cannot be copied or replaced.
 */
export async function requireFree(tx: Tx, project: StoredProject): Promise<void> {
  if (project.state !== 'ready' && project.state !== 'modifying') throw notPossible('not_ready')
  if (await copies.isMoving(tx, project.id)) throw notPossible('moving')
  const restore = await store.findRestore(tx, project.id)
  if (restore && restore.step !== null) throw notPossible('restore_in_progress')
  if ((await store.countCreating(tx, project.id)) > 0) throw notPossible('backup_in_progress')
}

type Request = { cause: SiteBackupCause } & Partial<
  Pick<store.SiteBackup, 'userId' | 'byToken' | 'idempotencyKey'>
>

/** Stores the request of a backup of a locked project. `run` makes it. */
async function request(
  ctx: Pick<Context, 'clock' | 'env'>,
  tx: Tx,
  { id: projectId, runtime, artifact }: StoredProject,
  requested: Request,
): Promise<store.SiteBackup> {
  const now = ctx.clock.now()
  return store.insert(tx, {
    ...requested,
    projectId,
    runtime,
    artifact,
    release: await store.liveRelease(tx, projectId),
    location: files.currentLocation(ctx.env),
    deadlineAt: new Date(now.getTime() + deadlineOf(requested)),
    createdAt: now,
  })
}

/** A release waits for its backup, and has a deadline of its own. */
const deadlineOf = ({ cause }: Request) =>
  cause === 'release' ? serviceLimits.releaseDeadline / 2 : siteBackupLimits.deadline

/**
 * Requests a backup of a site, which a job makes. A repeated request with the same idempotency key
 * returns the first one's backup. Throws `project_not_found`, `cannot_update_deleted_project`,
 * `backup_not_possible` with the obstacle, and `too_many_requests`.
 */
export const create = (
  ctx: UserContext,
  projectId: ProjectId,
  idempotencyKey: string | undefined,
): Promise<SiteBackupResponse> =>
  ctx.write(async (tx) => {
    const project = await projects.lockForChange(ctx, tx, projectId)
    const first =
      idempotencyKey !== undefined &&
      (await store.findByIdempotencyKey(tx, projectId, ctx.user.id, idempotencyKey))
    if (first) return toResponse(first)
    const subject = `site backup:user:${ctx.user.id}`
    const now = ctx.clock.now()
    await throttle.consume(tx, now, subject, siteBackupLimits.requestsPerUser, 'too_many_requests')
    if (!(await hasContent({ db: tx }, project))) throw notPossible('no_content')
    await requireFree(tx, project)
    const backup = await request(ctx, tx, project, {
      cause: 'manual',
      userId: ctx.user.id,
      byToken: ctx.token !== undefined,
      idempotencyKey: idempotencyKey ?? null,
    })
    await ctx.jobs.send(tx, createJob, { backupId: backup.id })
    await projects.publishChange(tx, projectId)
    return toResponse({ ...backup, userName: ctx.user.name })
  })

const acquireSlot = createSlots()

/**
 * A backup as a tar.gz. Throws `project_not_found`, `item_not_found` for a backup that is not
 * ready, or whose file is missing, and `too_many_requests` while other downloads are sent. One that
 * is read too slowly ends.
 */
export async function download(
  ctx: UserContext,
  projectId: ProjectId,
  backupId: SiteBackupId,
): Promise<FileStream> {
  const { id, key } = await projects.requireForUser(ctx, projectId)
  const backup = await store.findReady(ctx.db, id, backupId)
  if (!backup) throw problem('item_not_found')
  const releaseSlot = acquireSlot(ctx.user.id)
  const archive = await files.open(ctx, backup).catch((err: unknown) => {
    releaseSlot()
    ctx.log.error({ err, key, backupId }, 'the backup of a site cannot be read')
    throw problem('item_not_found')
  })
  const content = endWhenSlow(tarOf(archive))
  content.once('close', releaseSlot)
  const time = backup.createdAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return {
    name: `${key}-${time}.tar.gz`,
    content: Readable.toWeb(content) as ReadableStream<Uint8Array>,
  }
}

/**
 * Backs a site up before a change of its files or its program, and waits for it. Resolves with
 * false when it failed, and with null for a site that has no files of its own.
 */
export async function backUpBefore(
  ctx: Context,
  projectId: ProjectId,
  cause: SiteBackupCause,
): Promise<boolean | null> {
  const project = await copies.find(ctx.db, projectId)
  const isCreated = project?.state === 'ready' || project?.state === 'modifying'
  if (!project || !isCreated || !(await hasContent(ctx, project))) return null
  const backup = await ctx.write(async (tx) => {
    // The lock of the project: neither a move nor a restore begins meanwhile.
    const locked = await copies.lock(tx, projectId)
    const isBusy = !locked || (await copies.isMoving(tx, projectId))
    if (isBusy || (await copies.isPaused(tx, projectId))) return undefined
    return request(ctx, tx, locked, { cause })
  })
  if (!backup) return false
  await runToEnd(ctx, backup.id)
  ctx.stopping.throwIfAborted()
  const made = await store.find(ctx.db, backup.id)
  // An earlier backup of the same files replaces it.
  return made === undefined || made.state === 'ready'
}

/** How long a backup waits for another one of its project, in milliseconds. */
const maxWait = 2 * minute
const pollInterval = second / 2

/** Makes a requested backup in this process. Fails it if another one takes too long. */
async function runToEnd(ctx: Context, id: SiteBackupId): Promise<void> {
  const end = performance.now() + maxWait
  try {
    while ((await run(ctx, id)) === 'wait') {
      if (performance.now() >= end) return await giveUp(ctx, id)
      await sleep(pollInterval, undefined, { signal: ctx.stopping })
    }
  } catch (error) {
    // No job makes it later. The caller's work begins with a new one.
    await giveUp(ctx, id).catch(() => undefined)
    throw error
  }
}

/**
 * Backs a stopped site up, before its files are replaced. Resolves with the id of the backup; null
 * when it failed.
 */
export async function backUpStopped(
  ctx: Context,
  project: StoredProject,
): Promise<SiteBackupId | null> {
  const { id } = await ctx.write((tx) => request(ctx, tx, project, { cause: 'restore' }))
  await runToEnd(ctx, id)
  return (await store.find(ctx.db, id))?.state === 'ready' ? id : null
}

/**
 * Writes the archive of a backup to a file, unless the file has it already. Resolves with its
 * SHA-256; null when the stored backup is missing or damaged.
 */
export async function fetch(
  ctx: Pick<Context, 'db' | 'env' | 'log' | 'sealing'>,
  id: SiteBackupId,
  file: string,
  signal: AbortSignal,
): Promise<string | null> {
  const backup = await store.find(ctx.db, id)
  if (backup?.state !== 'ready' || backup.digest === null) return null
  if ((await digestOfArchive(file)) === backup.digest) return backup.digest
  try {
    const archive = await files.open(ctx, backup, signal)
    await writeArchive(file, (target) => pipeline(archive, target, { signal }))
  } catch (err) {
    signal.throwIfAborted()
    if ((err as NodeJS.ErrnoException).code === 'ENOSPC') throw err
    ctx.log.error({ err, backupId: id }, 'the backup of a site cannot be read')
    return null
  }
  return (await digestOfArchive(file)) === backup.digest ? backup.digest : null
}

/** A complete backup of a project. */
export const findReady = store.findReady

/** Daily backups that wait or run at once: each is made long before its deadline. */
const maxDaily = 20

/** Requests the daily backups that are due, each with its job. */
export const requestDaily = (ctx: Context): Promise<void> =>
  ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const limit = maxDaily - (await store.countDaily(tx))
    if (limit <= 0) return
    for (const project of await store.lockDue(tx, { now, limit })) {
      const { id: projectId } = project
      const isPossible = await hasContent({ db: tx }, project)
      // Another attempt follows even if this one is lost.
      await store.setDue(tx, projectId, new Date(now.getTime() + (isPossible ? hour : day)))
      const isBusy =
        (await copies.isMoving(tx, projectId)) || (await copies.isPaused(tx, projectId))
      if (!isPossible || isBusy || (await store.countCreating(tx, projectId)) > 0) continue
      const { id } = await request(ctx, tx, project, { cause: 'daily' })
      await ctx.jobs.send(tx, dailyJob, { backupId: id })
    }
  })

export const dailyJob = 'site-backups.daily'

/** True if a new project could be created from a backup with these files of a release. */
export const isArtifactUsed = (ctx: Pick<Context, 'db'>, artifact: string): Promise<boolean> =>
  store.isArtifactUsed(ctx.db, artifact)
