import type { Readable } from 'node:stream'
import type { ContainerImage } from '@slipway/contract/container-images'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type { ProjectId } from '@slipway/contract/projects'
import type { listReleases, Release, ReleaseDetail } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import { serviceLimits } from '@slipway/contract/service-limits'
import { receiveUpload } from '../../artifacts/receive-upload.ts'
import type { Tx, UserContext } from '../../context.ts'
import { problem, tooOften } from '../../problem.ts'
import * as containerImages from '../container-images/container-images.service.ts'
import * as projects from '../projects/projects.service.ts'
import * as runtimeVersions from '../runtime-versions/runtime-versions.service.ts'
import * as runtimes from '../runtimes/runtimes.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { isCurrent, toLogLine, toResponse } from './releases.present.ts'
import * as store from './releases.store.ts'

export const deployJob = 'releases.deploy'

/** One release of a project is deployed at a time, and none while its files are replaced. */
export const deployLock = (projectId: ProjectId) => `release ${projectId}`

type UploadOptions = {
  /** The project's own by default; `static` for one with the starter site or an image. */
  runtime?: Runtime | undefined
  idempotencyKey: string | undefined
}

/**
 * Stores an upload and makes it the project's next release, which a job checks. A repeated request
 * with the same idempotency key returns the first one's release. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `runtime_not_available`, `request_too_large` with the limit in
 * bytes as context,
 * `malformed_request` for an empty or broken upload, `too_many_requests`, and `unavailable` while
 * the disk is nearly full.
 */
export async function create(
  ctx: UserContext,
  projectId: ProjectId,
  upload: Readable,
  { runtime: requested, idempotencyKey }: UploadOptions,
): Promise<Release> {
  // Checked before the upload, which may take minutes, and again after it.
  const project = await ctx.write(async (tx) => {
    await countRelease(ctx, tx)
    return projects.lockForChange(ctx, tx, projectId)
  })
  const runtime = requested ?? runtimeOfUpload(project)
  await requireAvailable(ctx, runtime, project)

  const { digest, bytes, endReservation } = await receiveUpload(ctx, upload)
  return insert(ctx, projectId, idempotencyKey, async () => ({
    runtime,
    artifact: digest,
    source: 'upload',
    archiveBytes: bytes,
    log: [{ event: 'received', bytes, time: ctx.clock.now().toISOString() }],
  })).finally(endReservation)
}

/**
 * Makes a container image the project's next release. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `runtime_not_available` where no engine runs images, and
 * `too_many_requests`.
 */
export async function createFromImage(
  ctx: UserContext,
  projectId: ProjectId,
  image: ContainerImage,
  idempotencyKey: string | undefined,
): Promise<Release> {
  const project = await ctx.write(async (tx) => {
    await countRelease(ctx, tx)
    return projects.lockForChange(ctx, tx, projectId)
  })
  await requireAvailable(ctx, 'image', project)
  const { reference } = image
  return insert(ctx, projectId, idempotencyKey, async (tx) => ({
    runtime: 'image',
    artifact: await containerImages.save(ctx, tx, image),
    source: 'upload',
    archiveBytes: 0,
    log: [{ event: 'image', reference, time: ctx.clock.now().toISOString() }],
  }))
}

/** The default runtime of an upload's files. */
const runtimeOfUpload = ({ runtime }: Pick<Project, 'runtime'>): Runtime =>
  runtime === 'starter' || runtime === 'image' ? 'static' : runtime

/** Throws `runtime_not_available` where the cluster of the project must not run the runtime. */
async function requireAvailable(
  ctx: UserContext,
  runtime: Runtime,
  { cluster }: Pick<Project, 'cluster'>,
) {
  if (!(await runtimes.isAvailable(ctx, runtime, cluster)))
    throw problem('runtime_not_available', runtime)
}

/** Counts a release of the user. Throws `too_many_requests` beyond the limit. */
const countRelease = (ctx: UserContext, tx: Tx) =>
  throttle.consume(
    tx,
    ctx.clock.now(),
    `release:user:${ctx.user.id}`,
    serviceLimits.releasesPerUser,
    'too_many_requests',
  )

type Project = Awaited<ReturnType<typeof projects.lockForChange>>

type NewRelease = Pick<
  Parameters<typeof store.insert>[1],
  'runtime' | 'artifact' | 'source' | 'archiveBytes' | 'rollbackOf' | 'log'
>

/** Stores a release with its job and its event. `prepare` runs while the project is locked. */
const insert = (
  ctx: UserContext,
  projectId: ProjectId,
  idempotencyKey: string | undefined,
  prepare: (tx: Tx, project: Project) => Promise<NewRelease>,
): Promise<Release> =>
  ctx.write(async (tx) => {
    // The lock makes numbers and limits exact. A repeated request waits here and finds the first.
    const project = await projects.lockForChange(ctx, tx, projectId)
    const first =
      idempotencyKey !== undefined &&
      (await store.findByIdempotencyKeyForUser(tx, ctx.user.id, projectId, idempotencyKey))
    if (first) return toResponse(first, project)
    if ((await store.countChecking(tx, projectId)) >= serviceLimits.releasesInProgress)
      throw tooOften('too_many_requests', 10)
    const now = ctx.clock.now()
    const stored = await store.insert(tx, {
      ...(await prepare(tx, project)),
      projectId,
      state: 'checking',
      userId: ctx.user.id,
      byToken: ctx.token !== undefined,
      idempotencyKey: idempotencyKey ?? null,
      deadlineAt: new Date(now.getTime() + serviceLimits.releaseDeadline),
      createdAt: now,
    })
    await ctx.jobs.send(tx, deployJob, { releaseId: stored.id })
    await projects.publishChange(tx, projectId)
    const image =
      stored.runtime === 'image' ? await containerImages.find({ db: tx }, stored.artifact) : null
    return toResponse({ ...stored, userName: ctx.user.name, image }, project)
  })

/**
 * Makes a new release with the files of an earlier one. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `release_not_found` (also for one that never was live),
 * `release_already_live` (also for another one of the same files), `release_in_progress` while the
 * newest release has the same files and is being checked, `runtime_not_available` where its program
 * must not run any more, and `too_many_requests`.
 */
export async function rollBack(
  ctx: UserContext,
  projectId: ProjectId,
  number: number,
  idempotencyKey: string | undefined,
): Promise<Release> {
  const project = await ctx.write((tx) => projects.lockForChange(ctx, tx, projectId))
  const release = await store.findByNumberForUser(ctx.db, ctx.user.id, projectId, number)
  if (release) await requireAvailable(ctx, release.runtime, project)
  return insert(ctx, projectId, idempotencyKey, async (tx, project) => {
    await countRelease(ctx, tx)
    const earlier = await store.findByNumberForUser(tx, ctx.user.id, projectId, number)
    if (earlier?.state === 'live') throw problem('release_already_live')
    if (earlier?.state !== 'superseded') throw problem('release_not_found')
    const { runtime, artifact, archiveBytes } = earlier
    if (isCurrent(earlier, project)) throw problem('release_already_live')
    if (await store.isNewestInProgress(tx, projectId, artifact))
      throw problem('release_in_progress')
    return { runtime, artifact, archiveBytes, source: 'rollback', rollbackOf: number }
  })
}

/**
 * Makes a release of the newest version that operators added. Throws `project_not_found`,
 * `cannot_update_deleted_project`, `runtime_not_available` for a project without versions and where
 * its program must not run any more, `release_already_live` when its site runs the newest one,
 * `release_in_progress` while another request's release of it is checked, and `too_many_requests`.
 */
export async function update(
  ctx: UserContext,
  projectId: ProjectId,
  idempotencyKey: string | undefined,
): Promise<Release> {
  const current = await ctx.write((tx) => projects.lockForChange(ctx, tx, projectId))
  await requireAvailable(ctx, current.runtime, current)
  return insert(ctx, projectId, idempotencyKey, async (tx, project) => {
    await countRelease(ctx, tx)
    const { runtime } = project
    const newest = await runtimeVersions.findNewest(tx, runtime)
    if (!newest) throw problem('runtime_not_available', runtime)
    if (newest.artifact === project.artifact) throw problem('release_already_live')
    if (await store.isNewestInProgress(tx, projectId, newest.artifact))
      throw problem('release_in_progress')
    await insertFirstVersion(ctx, tx, project)
    const { artifact, archiveBytes } = newest
    return { runtime, artifact, archiveBytes, source: 'version' }
  })
}

/** The version that a project was created with becomes a release, to which it can roll back. */
async function insertFirstVersion(ctx: UserContext, tx: Tx, project: Project) {
  const { id: projectId, runtime, artifact, createdAt } = project
  const version = artifact && (await runtimeVersions.find(tx, runtime, artifact))
  if (!version || (await store.hasAny(tx, projectId))) return
  await store.insert(tx, {
    projectId,
    runtime,
    artifact,
    archiveBytes: version.archiveBytes,
    source: 'version',
    state: 'live',
    userId: ctx.user.id,
    deadlineAt: createdAt,
    createdAt,
    finishedAt: createdAt,
  })
}

/** True while a release of the project is checked. */
export const isDeploying = async (tx: Tx, projectId: ProjectId): Promise<boolean> =>
  (await store.countChecking(tx, projectId)) > 0

/** Makes the release of a backup the first of a new project, live with these files. */
export async function insertFirst(
  ctx: UserContext,
  tx: Tx,
  { id: projectId, createdAt }: Pick<Project, 'id' | 'createdAt'>,
  { sourceId, runtime, artifact }: { sourceId: ProjectId; runtime: Runtime; artifact: string },
): Promise<void> {
  const source = await store.findByArtifact(tx, sourceId, artifact)
  await store.insert(tx, {
    projectId,
    runtime,
    artifact,
    archiveBytes: source?.archiveBytes ?? 0,
    files: source?.files ?? null,
    bytes: source?.bytes ?? null,
    source: 'backup',
    state: 'live',
    userId: ctx.user.id,
    byToken: ctx.token !== undefined,
    deadlineAt: createdAt,
    createdAt,
    finishedAt: createdAt,
  })
}

/** A page of a project's releases, the newest first. Throws `project_not_found`. */
export async function list(
  ctx: UserContext,
  projectId: ProjectId,
  { page, perPage }: InputOf<typeof listReleases>['query'],
): Promise<ResponseOf<typeof listReleases>> {
  const project = await projects.requireForUser(ctx, projectId)
  const { rows, count } = await store.listForUser(ctx.db, ctx.user.id, projectId, {
    offset: (page - 1) * perPage,
    limit: perPage,
  })
  return {
    items: rows.map((release) => toResponse(release, project)),
    currentPage: page,
    totalPages: Math.ceil(count / perPage),
    perPage,
    maxArchiveBytes: ctx.artifacts.maxArchiveBytes,
    version: await runtimeVersions.compare(ctx.db, project),
  }
}

/** A release with its log. Throws `project_not_found` and `release_not_found`. */
export async function view(
  ctx: UserContext,
  projectId: ProjectId,
  number: number,
): Promise<ReleaseDetail> {
  const project = await projects.requireForUser(ctx, projectId)
  const release = await store.findByNumberForUser(ctx.db, ctx.user.id, projectId, number)
  if (!release) throw problem('release_not_found')
  const log = release.log.map((line) => toLogLine(line, ctx.locale))
  return { ...toResponse(release, project), log }
}

/** Removes the releases of a deleted project. Their files are removed as unused artifacts. */
export const removeAll = store.removeAll
