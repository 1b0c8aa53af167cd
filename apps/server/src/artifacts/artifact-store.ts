import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { freeBytesOf } from '../disk-room.ts'
import { removeTree } from '../remove-tree.ts'
import { ArchiveError, DiskFullError } from './archive-error.ts'
import { createArtifactLayout, isBuild, isDigest, isReservationOf } from './artifact-layout.ts'
import type { ArchiveLimits } from './entry-writer.ts'
import { encodings, type Manifest, readManifest } from './manifest.ts'
import { type ReceivedArchive, receiveArchive } from './receive.ts'
import { unpackInProcess } from './unpack-in-process.ts'

export type ArtifactLimits = ArchiveLimits & {
  archiveBytes: number
}

export type ArtifactStore = ReturnType<typeof createArtifactStore>

/**
 * An incoming file or an archive older than this belongs to a killed process, in milliseconds:
 * longer than the deadline of a release.
 */
const abandonedAfter = 3_600_000

/** A file and its compressed copies, which are hardly smaller at worst. */
const copiesOfFile = 1 + encodings.length

/**
 * The artifacts of a data folder: uploaded archives and their unpacked files. An artifact is named
 * by its archive's SHA-256, complete as soon as its folder exists, and never changed.
 */
export function createArtifactStore(
  dataDir: string,
  limits: ArtifactLimits,
  measureFreeBytes = freeBytesOf,
) {
  const layout = createArtifactLayout(dataDir)
  const filesOf = (digest: string) => layout.artifact(digest)
  const exists = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    )

  /**
   * The limits for an archive that is unpacked now: the room of an upload stays free. Throws a
   * `DiskFullError` while there is less.
   */
  async function unpackingLimits(): Promise<ArchiveLimits> {
    const room = (await measureFreeBytes(layout.incoming)) - limits.archiveBytes
    if (room <= 0) throw new DiskFullError()
    const unpackedBytes = Math.min(limits.unpackedBytes, Math.floor(room / copiesOfFile))
    return { ...limits, unpackedBytes }
  }

  /** Unpacks into a temporary folder, which is renamed when complete. */
  async function build(digest: string) {
    // Removed when another release of the same files was rejected.
    if (!(await exists(layout.archive(digest)))) throw new ArchiveError('damaged')
    const work = join(layout.incoming, `${randomUUID()}.unpacked`)
    await mkdir(work, { recursive: true })
    try {
      const available = await unpackingLimits()
      const unpacking = { archive: layout.archive(digest), folder: work, limits: available }
      await unpackInProcess(unpacking).catch((error: unknown) => {
        const isTooLarge = error instanceof ArchiveError && error.problem === 'too_large_unpacked'
        const isLimited = available.unpackedBytes < limits.unpackedBytes
        throw isTooLarge && isLimited ? new DiskFullError() : error
      })
      await rename(work, filesOf(digest).folder).catch((error: NodeJS.ErrnoException) => {
        // Another process has built the same artifact.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      })
    } finally {
      await removeTree(work)
    }
  }

  /** Deletes an artifact. Its archive stays: a new upload may just have stored it. Idempotent. */
  async function remove(digest: string): Promise<void> {
    // Renamed first: a killed removal leaves no half artifact under its name.
    const removed = join(layout.incoming, `${randomUUID()}.removed`)
    await mkdir(layout.incoming, { recursive: true })
    await rename(filesOf(digest).folder, removed).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await removeTree(removed)
  }

  /** False while the disk is nearly full. The database and the sites may be on it. */
  async function hasRoom(): Promise<boolean> {
    await mkdir(layout.incoming, { recursive: true })
    return (await measureFreeBytes(layout.incoming)) >= limits.archiveBytes
  }

  return {
    filesOf,

    maxArchiveBytes: limits.archiveBytes,

    hasRoom,

    /**
     * Stores an upload. Throws an `ArchiveError`, and a `DiskFullError` before the upload is read;
     * a broken upload leaves nothing behind.
     */
    async receive(upload: Readable): Promise<ReceivedArchive> {
      // An upload that breaks before it is read fails its call, not the process.
      upload.on('error', () => undefined)
      if (!(await hasRoom())) throw new DiskFullError()
      return receiveArchive(upload, layout, limits.archiveBytes)
    },

    /**
     * Unpacks a received archive once. Throws an `ArchiveError` if the archive is rejected, and a
     * `DiskFullError` while the disk has too little room for its files.
     */
    async unpack(digest: string): Promise<Manifest> {
      const { folder } = filesOf(digest)
      // Root trusts only files that it unpacked: a web server without root may write here, too.
      if (process.geteuid?.() === 0 && (await exists(folder)) && (await lstat(folder)).uid !== 0)
        await remove(digest)
      if (!(await exists(folder)))
        await build(digest).catch(async (error: unknown) => {
          // Another process has unpacked the archive meanwhile, and deleted it.
          if (!(await exists(folder))) throw error
        })
      await rm(layout.archive(digest), { force: true })
      return readManifest(filesOf(digest).manifest)
    },

    /** Deletes an archive that was rejected. Idempotent. */
    discardArchive: (digest: string): Promise<void> => rm(layout.archive(digest), { force: true }),

    manifest: (digest: string): Promise<Manifest> => readManifest(filesOf(digest).manifest),

    remove,

    /** Deletes the output that engines built from the files. Idempotent. */
    async removeBuilds(digest: string): Promise<void> {
      const { folder } = filesOf(digest)
      const builds = (await readdir(folder).catch(() => [])).filter((name) => isBuild(name))
      await mkdir(layout.incoming, { recursive: true })
      for (const name of builds) {
        const removed = join(layout.incoming, `${randomUUID()}.removed`)
        await rename(join(folder, name), removed)
        await removeTree(removed)
      }
    },

    /** True between the upload of an artifact and its first row. */
    isReserved: async (digest: string): Promise<boolean> =>
      (await readdir(layout.incoming).catch(() => [])).some((name) =>
        isReservationOf(digest, name),
      ),

    list: async (): Promise<string[]> =>
      (await readdir(layout.root).catch(() => [])).filter((name) => isDigest(name)),

    /**
     * Removes the remains of killed uploads, killed unpacking and killed removals. `now` in
     * milliseconds. Throws at the end if some could not be removed.
     */
    async removeAbandoned(now: number): Promise<void> {
      const incoming = await readdir(layout.incoming).catch(() => [])
      const names = await readdir(layout.root).catch(() => [])
      const archives = names.filter((name) => name.endsWith('.archive'))
      const failures: unknown[] = []
      for (const path of [
        ...incoming.map((name) => join(layout.incoming, name)),
        ...archives.map((name) => join(layout.root, name)),
      ]) {
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
        if (now - mtimeMs > abandonedAfter)
          await removeTree(path).catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0)
        throw new AggregateError(failures, `${failures.length} files were not removed`)
    },
  }
}
