import { second } from '@slipway/contract/limits'
import {
  entryFailures,
  type ReleaseFailure,
  type ReleaseId,
  uploadedRuntimes,
} from '@slipway/contract/releases'
import { serviceLimits } from '@slipway/contract/service-limits'
import { ArchiveError, DiskFullError } from '../../artifacts/archive-error.ts'
import { artifactLock, withArtifactLock } from '../../artifacts/artifact-lock.ts'
import { compareManifests, type Manifest } from '../../artifacts/manifest.ts'
import type { Context, Tx } from '../../context.ts'
import type { Instance } from '../../engines/hosting/engine.ts'
import { findRuleWarnings } from '../../gateway/static/rule-warnings.ts'
import { createLimiter } from '../../limiter.ts'
import { cleanOutput } from '../../logs/log-record.ts'
import { type Entry, recordActivity } from '../activity/activity.service.ts'
import * as containerImages from '../container-images/container-images.service.ts'
import { isPaused } from '../projects/copies/copies.service.ts'
import * as projects from '../projects/projects.service.ts'
import * as registries from '../registries/registries.service.ts'
import * as runtimeVersions from '../runtime-versions/runtime-versions.service.ts'
import * as runtimes from '../runtimes/runtimes.service.ts'
import * as siteBackups from '../site-backups/site-backups.service.ts'
import type { LogLine } from './releases.schema.ts'
import { deployJob, deployLock } from './releases.service.ts'
import * as store from './releases.store.ts'

/** An unfinished release without a worker counts as abandoned after this time. */
export const abandonedAfter = 30 * second

/** Unpacking uses a core. The local engine limits its own builds and starts. */
const unpacking = createLimiter(2)

type Failure = { failure: ReleaseFailure; detail?: string | undefined; output?: string }

/**
 * `wait`: for another release of the project, for another project that unpacks the same archive, or
 * while the files of the site are copied. `install`: for the installation of its packages.
 */
export type DeployOutcome = 'done' | 'wait' | 'install'

type DeployOptions = { mayInstall: boolean }

/**
 * Checks a release and makes it live. A worker that is killed may repeat each step: unpacked files
 * are not unpacked again, and the last step is one transaction. Installs no packages unless
 * `mayInstall`, because that takes minutes.
 */
export async function deploy(
  ctx: Context,
  id: ReleaseId,
  options: DeployOptions = { mayInstall: true },
): Promise<DeployOutcome> {
  const found = await store.findForDeployment(ctx.db, id)
  if (found?.state !== 'checking') return 'done'
  const outcome = await ctx.locks.exclusively(
    deployLock(found.projectId),
    async (): Promise<DeployOutcome> => {
      // Another worker may have ended the release before this one got the lock.
      const release = await store.findForDeployment(ctx.db, id)
      if (release?.state !== 'checking') return 'done'
      if (release.deadlineAt > ctx.clock.now()) return checkAndSwitch(ctx, release, options)
      await giveUp(ctx, release)
      return 'done'
    },
  )
  return outcome ?? 'wait'
}

/** Also ends what a killed worker has started of the release. */
async function giveUp(ctx: Context, release: store.Release) {
  const { projectId, runtime, artifact } = release
  const instance = await projects.instanceWith(ctx, projectId, { runtime, artifact })
  if (instance)
    await ctx.engine
      .unstage(instance)
      .catch((err: unknown) => ctx.log.warn({ err, key: instance.key }, 'a release still runs'))
  await fail(ctx, release, { failure: 'not_finished' })
}

async function checkAndSwitch(
  ctx: Context,
  release: store.Release,
  options: DeployOptions,
): Promise<DeployOutcome> {
  const manifest = (await isImage(ctx, release)) ? new Map() : await unpack(ctx, release)
  if (manifest === 'locked') return 'wait'
  if (manifest === 'failed') return 'done'
  // Nothing may run from the files of a site while they are copied.
  if (await isPaused(ctx.db, release.projectId)) return 'wait'
  return checkManifest(ctx, release, manifest, options)
}

/** True for a release of a container image, which has no files. */
const isImage = async (ctx: Context, { runtime, artifact }: store.Release) =>
  runtime === 'image' && (await containerImages.find(ctx, artifact)) !== null

async function checkManifest(
  ctx: Context,
  release: store.Release,
  manifest: Manifest,
  { mayInstall }: DeployOptions,
): Promise<DeployOutcome> {
  const { runtime, artifact, projectId, source } = release
  const instance = await projects.instanceWith(ctx, projectId, { runtime, artifact })
  if (!instance) return fail(ctx, release, { failure: 'not_finished' })
  // Only uploads: the files of an earlier release, and of a version, have been checked before.
  const failure =
    source === 'upload' && !(await isImage(ctx, release))
      ? await checkFiles(ctx, { ...instance, artifact }, manifest)
      : null
  if (failure) return fail(ctx, release, failure)
  if (!mayInstall && (await ctx.engine.needsInstall(instance))) return 'install'
  // A first start of the release may change the files and databases of the site.
  const isBackedUp = await siteBackups.backUpBefore(ctx, projectId, 'release')
  // The backup may take minutes: a move or a restore may have begun.
  if (await isPaused(ctx.db, projectId)) return 'wait'
  const current = await projects.instanceWith(ctx, projectId, { runtime, artifact })
  if (!current) return fail(ctx, release, { failure: 'not_finished' })
  // Waits until the release is healthy beside the serving one. The reconciler switches to it later.
  const printed: LogLine[] = []
  const unhealthy = await ctx.engine.stage(current, {
    mayCreate: await projects.mayStartEmpty(ctx, projectId),
    onOutput: (text) => void printed.push(outputLine(ctx, text)),
  })
  if (unhealthy) return fail(ctx, release, unhealthy)
  const warnings = await findWarnings(ctx, current, artifact)
  const saved: LogLine[] = isBackedUp
    ? [{ time: ctx.clock.now().toISOString(), event: 'backed_up' }]
    : isBackedUp === false
      ? [{ time: ctx.clock.now().toISOString(), event: 'not_backed_up' }]
      : []
  const built = { ...release, log: [...release.log, ...saved, ...printed, ...warnings] }
  if (!(await goLive(ctx, built, manifest, current))) await ctx.engine.unstage(current)
  return 'done'
}

const outputLine = (ctx: Context, text: string): LogLine => ({
  time: ctx.clock.now().toISOString(),
  event: 'output',
  text: cleanOutput(text),
})

/** How many warnings the log of a release shows; the others are only counted. */
const maxWarnings = 20

async function findWarnings(
  ctx: Context,
  { runtime, hosts }: Instance,
  artifact: string,
): Promise<LogLine[]> {
  if (runtime !== 'static') return []
  const allWarnings = await findRuleWarnings(ctx.artifacts.filesOf(artifact), hosts)
  const time = ctx.clock.now().toISOString()
  const warnings = allWarnings.slice(0, maxWarnings)
  const count = allWarnings.length - warnings.length
  return [
    ...warnings.map((warning) => ({ time, event: 'rule_warning' as const, ...warning })),
    ...(count > 0 ? [{ time, event: 'more_warnings' as const, count }] : []),
  ]
}

/** Why files cannot be a release. The detail is another runtime that could run them, if any. */
async function checkFiles(
  ctx: Context,
  instance: Instance & { artifact: string },
  manifest: Manifest,
): Promise<Failure | null> {
  const problem = await ctx.engine.checkRelease(instance, manifest)
  if (!problem || !entryFailures.includes(problem.failure)) return problem
  for (const runtime of uploadedRuntimes) {
    if (!(await runtimes.isAvailable(ctx, runtime, instance.cluster))) continue
    const otherProblem = await ctx.engine.checkRelease({ ...instance, runtime }, manifest)
    if (!otherProblem || !entryFailures.includes(otherProblem.failure))
      return { ...problem, detail: runtime }
  }
  return problem
}

/** The unpacked files; `failed` when the archive is not accepted, which fails the release. */
async function unpack(
  ctx: Context,
  release: store.Release,
): Promise<Manifest | 'failed' | 'locked'> {
  const { artifact } = release
  try {
    const unpackArtifact = () => unpacking.run(() => ctx.artifacts.unpack(artifact))
    return (await withArtifactLock(ctx.locks, artifact, unpackArtifact)) ?? 'locked'
  } catch (error) {
    // Without a retry: each would fill the disk again, which the database may be on.
    if (error instanceof DiskFullError) {
      ctx.log.error({ err: error }, 'an upload was not unpacked')
      await fail(ctx, release, { failure: 'no_room' })
    } else if (error instanceof ArchiveError)
      await fail(ctx, release, {
        failure: error.problem,
        detail: error.file ?? error.max?.toString(),
      })
    else throw error
    // After the release has failed: a worker that is killed in between checks it again.
    await ctx.locks.exclusively(artifactLock(artifact), async () => {
      if (await ctx.artifacts.isReserved(artifact)) return
      if (!(await isUsed(ctx, artifact))) await ctx.artifacts.discardArchive(artifact)
    })
    return 'failed'
  }
}

/** Returns false when the project is deleted or has a newer release. */
async function goLive(
  ctx: Context,
  release: store.Release,
  manifest: Manifest,
  { power }: Instance,
) {
  const { id, projectId, number, runtime, artifact } = release
  const previous = await store.findLive(ctx.db, projectId)
  if (previous && previous.number > number) {
    await fail(ctx, release, { failure: 'overtaken', detail: String(previous.number) })
    return false
  }
  const before = await manifestOf(ctx, previous?.artifact)
  const bytes = [...manifest.values()].reduce((sum, file) => sum + file.size, 0)
  const time = ctx.clock.now().toISOString()
  const log: LogLine[] = [
    ...release.log,
    { time, event: 'unpacked', files: manifest.size, bytes },
    { time, event: power === 'running' ? 'live' : 'deployed' },
  ]
  return ctx.write(async (tx) => {
    // The releases of a deleted project no longer matter.
    if (!(await projects.deployArtifact(ctx, tx, projectId, { runtime, artifact }))) return false
    const finished = await store.finish(tx, id, {
      state: 'live',
      files: manifest.size,
      bytes,
      changes: compareManifests(before, manifest),
      log,
      finishedAt: ctx.clock.now(),
    })
    if (!finished) throw new Error(`release ${id} was finished by another process`)
    await store.supersede(tx, release)
    await store.removeOld(tx, projectId, serviceLimits.releasesPerProject)
    await recordRegistryUse(ctx, tx, release)
    await record(ctx, tx, release, {
      kind: release.source === 'rollback' ? 'release_rolled_back' : 'release_live',
      after: release.rollbackOf === null ? null : String(release.rollbackOf),
    })
    return true
  })
}

/** The files of an artifact; empty if it was deleted. */
const manifestOf = async (ctx: Context, artifact: string | undefined): Promise<Manifest> =>
  artifact === undefined
    ? new Map()
    : ctx.artifacts.manifest(artifact).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        return new Map()
      })

/** Records that the team of a release has pulled its image. */
async function recordRegistryUse(ctx: Context, tx: Tx, { projectId, artifact }: store.Release) {
  const image = await containerImages.find({ db: tx }, artifact)
  const project = image && (await projects.findTeam(tx, projectId))
  if (project) await registries.recordUse(ctx, tx, project.teamId, image.reference)
}

async function record(
  ctx: Context,
  tx: Tx,
  { projectId, number, userId, byToken }: store.Release,
  entry: Pick<Entry, 'kind' | 'after'>,
) {
  const project = await projects.findTeam(tx, projectId)
  if (!project) return
  const [subject, actor] = [String(number), { id: userId, byToken }]
  await recordActivity(ctx, tx, { ...entry, concerns: { project }, subject, actor })
}

/** Marks a release as failed. The live release stays. */
async function fail(
  ctx: Context,
  release: store.Release,
  { failure, detail, output }: Failure,
): Promise<'done'> {
  await ctx.write(async (tx) => {
    const finished = await store.finish(tx, release.id, {
      state: 'failed',
      failure,
      // File names of an archive have any characters, too.
      failureDetail: detail === undefined ? null : cleanOutput(detail.slice(0, 300)),
      ...(output ? { log: [...release.log, outputLine(ctx, output)] } : {}),
      finishedAt: ctx.clock.now(),
    })
    if (!finished) return
    await store.removeOld(tx, release.projectId, serviceLimits.releasesPerProject)
    await record(ctx, tx, release, { kind: 'release_failed', after: failure })
    await projects.publishChange(tx, release.projectId)
  })
  return 'done'
}

/**
 * Fails releases whose deadline has passed. Sends another job for those that no worker has
 * deployed for 30 seconds: their worker was killed or lost its database connection.
 */
export async function sweep(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const before = new Date(now.getTime() + serviceLimits.releaseDeadline - abandonedAfter)
  for (const { id, projectId, deadlineAt } of await store.listChecking(ctx.db, before))
    if (deadlineAt <= now) await deploy(ctx, id)
    else
      await ctx.locks.exclusively(deployLock(projectId), () =>
        ctx.write((tx) =>
          ctx.jobs.send(
            tx,
            deployJob,
            { releaseId: id },
            // The first job may still wait in a long queue.
            { singletonKey: id, singletonSeconds: abandonedAfter / second },
          ),
        ),
      )
}

/** Newest releases of a project whose installed packages stay: a rollback starts at once. */
const builtReleases = 3

/**
 * Removes artifacts without a release or version, the installed packages of old releases, and the
 * leftovers of killed uploads.
 */
export async function removeUnused(ctx: Context): Promise<void> {
  // Files that cannot be removed must not keep the artifacts of all other projects.
  await ctx.artifacts
    .removeAbandoned(ctx.clock.now().getTime())
    .catch((err: unknown) => ctx.log.error({ err }, 'leftovers of artifacts were not removed'))
  for (const artifact of await ctx.artifacts.list())
    await removeIfUnused(ctx, artifact).catch((err: unknown) =>
      ctx.log.error({ err, artifact }, 'an unused artifact was not removed'),
    )
}

async function removeIfUnused(ctx: Context, artifact: string) {
  if (await isUsed(ctx, artifact)) return removeOldBuilds(ctx, artifact)
  await ctx.locks.exclusively(artifactLock(artifact), async () => {
    // Before the rows: a reservation that ends in between has stored its row already.
    if (await ctx.artifacts.isReserved(artifact)) return
    // Checked again under the lock: a release may have been created meanwhile.
    if (!(await isUsed(ctx, artifact))) await ctx.artifacts.remove(artifact)
  })
}

/**
 * Removes the built packages of older releases. A rollback to one of them builds again. Not those
 * of a version: a project that was created with it has no release.
 */
async function removeOldBuilds(ctx: Context, artifact: string) {
  const isRecent = async () =>
    (await runtimeVersions.isArtifactUsed(ctx.db, artifact)) ||
    store.isArtifactRecent(ctx.db, artifact, builtReleases)
  if (await isRecent()) return
  await ctx.locks.exclusively(artifactLock(artifact), async () => {
    if (!(await isRecent())) await ctx.artifacts.removeBuilds(artifact)
  })
}

const isUsed = async (ctx: Pick<Context, 'db'>, artifact: string) =>
  (await store.isArtifactUsed(ctx.db, artifact)) ||
  (await siteBackups.isArtifactUsed(ctx, artifact)) ||
  runtimeVersions.isArtifactUsed(ctx.db, artifact)
