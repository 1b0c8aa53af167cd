import type { Readable } from 'node:stream'
import type { Runtime, RuntimeVersion, VersionedRuntime } from '@slipway/contract/runtimes'
import { versionedRuntimes } from '@slipway/contract/runtimes'
import { ArchiveError, DiskFullError } from '../../artifacts/archive-error.ts'
import { withArtifactLock } from '../../artifacts/artifact-lock.ts'
import { receiveUpload } from '../../artifacts/receive-upload.ts'
import type { Context, Db, UserContext } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as versions from './runtime-versions.store.ts'

const maxListed = 100

const toResponse = (stored: versions.StoredVersion): RuntimeVersion => ({
  runtime: stored.runtime,
  version: stored.version,
  digest: stored.artifact,
  createdAt: stored.createdAt.toISOString(),
})

/** The versions that operators added, the newest first. */
export const list = async (ctx: Pick<Context, 'db'>): Promise<RuntimeVersion[]> =>
  (await versions.list(ctx.db, maxListed)).map(toResponse)

const isVersioned = (runtime: Runtime): runtime is VersionedRuntime =>
  versionedRuntimes.some((each) => each === runtime)

/**
 * The version that new projects of a runtime get. Undefined for a runtime whose files operators do
 * not add; null when they added none.
 */
export const findNewest = async (
  db: Db,
  runtime: Runtime,
): Promise<versions.StoredVersion | null | undefined> =>
  isVersioned(runtime) ? ((await versions.findNewest(db, runtime)) ?? null) : undefined

/** The version with these files; undefined for other files. */
export const find = async (
  db: Db,
  runtime: Runtime,
  artifact: string,
): Promise<versions.StoredVersion | undefined> =>
  isVersioned(runtime) ? versions.find(db, runtime, artifact) : undefined

/**
 * The version that a project has, and the newest if it is another one. Null for a project without
 * versions.
 */
export async function compare(
  db: Db,
  { runtime, artifact }: { runtime: Runtime; artifact: string | null },
): Promise<{ current: string | null; update: string | null } | null> {
  if (!isVersioned(runtime)) return null
  const newest = await versions.findNewest(db, runtime)
  const current = artifact === null ? undefined : await versions.find(db, runtime, artifact)
  const hasUpdate = newest !== undefined && newest.artifact !== artifact
  return { current: current?.version ?? null, update: hasUpdate ? newest.version : null }
}

/** True for the files of a version. */
export const isArtifactUsed = versions.isArtifactUsed

/**
 * Adds a version for all projects. Adding an archive again makes it the newest. Throws
 * `runtime_version_invalid`, with the reason as context, `request_too_large`, `malformed_request`
 * for a broken upload, and `unavailable` while the archive is locked.
 */
export async function add(
  ctx: UserContext,
  runtime: VersionedRuntime,
  upload: Readable,
): Promise<RuntimeVersion> {
  const { digest, bytes, endReservation } = await receiveUpload(ctx, upload)
  const store = async () => {
    const version = await readVersion(ctx, runtime, digest)
    const createdAt = ctx.clock.now()
    const row = { runtime, version, artifact: digest, archiveBytes: bytes, createdAt }
    return ctx.write((tx) => versions.upsert(tx, row))
  }
  const stored = await withArtifactLock(ctx.locks, digest, store).finally(endReservation)
  if (!stored) throw problem('unavailable')
  return toResponse(stored)
}

async function readVersion(ctx: UserContext, runtime: VersionedRuntime, digest: string) {
  try {
    await ctx.artifacts.unpack(digest)
  } catch (error) {
    if (error instanceof DiskFullError) throw problem('unavailable')
    if (!(error instanceof ArchiveError)) throw error
    throw problem('runtime_version_invalid', error.problem)
  }
  const version = await ctx.engine.versionOf(runtime, digest)
  // The upload is removed with the unused artifacts.
  if (version === null) throw problem('runtime_version_invalid', 'unknown_files')
  return version
}
