import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ArchiveError } from './archive-error.ts'
import { createArtifactLayout, isBuild, isDigest, isReservationOf } from './artifact-layout.ts'
import { compressFile, isCompressible } from './compress.ts'
import { type ArchiveLimits, createEntryWriter } from './entry-writer.ts'
import {
  listFiles,
  type Manifest,
  type ManifestFile,
  readManifest,
  writeManifest,
} from './manifest.ts'
import { type ReceivedArchive, receiveArchive } from './receive.ts'
import { unpackTar } from './unpack-tar.ts'
import { unpackZip } from './unpack-zip.ts'

export type ArtifactLimits = ArchiveLimits & {
  archiveBytes: number
}

export type ArtifactStore = ReturnType<typeof createArtifactStore>

/** Files are hashed and compressed this many at once. */
const concurrency = 8

/** The first bytes of a zip (APPNOTE.TXT §4.3.7, §4.3.16) and of gzip (RFC 1952 §2.3.1). */
const formats = [
  { signature: [0x50, 0x4b], unpack: unpackZip },
  { signature: [0x1f, 0x8b], unpack: unpackTar },
]

/** An incoming file older than this belongs to a killed process, in milliseconds. */
const abandonedAfter = 24 * 3_600_000

/**
 * The artifacts of a data folder: uploaded archives and their unpacked files. An artifact is named
 * by its archive's SHA-256, complete as soon as its folder exists, and never changed.
 */
export function createArtifactStore(dataDir: string, limits: ArtifactLimits) {
  const layout = createArtifactLayout(dataDir)
  const filesOf = (digest: string) => layout.artifact(digest)
  const exists = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    )

  /** Unpacks, compresses and hashes into a temporary folder, which is renamed when complete. */
  async function build(digest: string) {
    const work = join(layout.incoming, `${randomUUID()}.unpacked`)
    const unpacked = join(work, 'unpacked')
    await mkdir(unpacked, { recursive: true })
    try {
      await unpackArchive(layout.archive(digest), unpacked, limits)
      await rename(await innerFolder(unpacked), join(work, 'files'))
      await rm(unpacked, { recursive: true, force: true })
      const manifest = await buildManifest(join(work, 'files'), join(work, 'compressed'))
      if (manifest.size === 0) throw new ArchiveError('empty')
      await writeFile(join(work, 'manifest.json'), writeManifest(manifest))
      await rename(work, filesOf(digest).folder).catch((error: NodeJS.ErrnoException) => {
        // Another process has built the same artifact.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      })
    } finally {
      await rm(work, { recursive: true, force: true })
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
    await rm(removed, { recursive: true, force: true })
  }

  return {
    filesOf,

    maxArchiveBytes: limits.archiveBytes,

    /** Stores an upload. Throws an `ArchiveError`; a broken upload leaves nothing behind. */
    receive: (upload: Readable): Promise<ReceivedArchive> =>
      receiveArchive(upload, layout, limits.archiveBytes),

    /** Unpacks a received archive once. Throws an `ArchiveError` if the archive is rejected. */
    async unpack(digest: string): Promise<Manifest> {
      const { folder } = filesOf(digest)
      // Root trusts only files that it unpacked: a web server without root may write here, too.
      if (process.geteuid?.() === 0 && (await exists(folder)) && (await lstat(folder)).uid !== 0)
        await remove(digest)
      if (!(await exists(folder))) await build(digest)
      await rm(layout.archive(digest), { force: true })
      return readManifest(filesOf(digest).manifest)
    },

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
        await rm(removed, { recursive: true, force: true })
      }
    },

    /** True between the upload of an artifact and its first row. */
    isReserved: async (digest: string): Promise<boolean> =>
      (await readdir(layout.incoming).catch(() => [])).some((name) =>
        isReservationOf(digest, name),
      ),

    list: async (): Promise<string[]> =>
      (await readdir(layout.root).catch(() => [])).filter((name) => isDigest(name)),

    /** Removes the remains of killed uploads and killed unpacking. `now` in milliseconds. */
    async removeAbandoned(now: number): Promise<void> {
      const incoming = await readdir(layout.incoming).catch(() => [])
      const names = await readdir(layout.root).catch(() => [])
      const archives = names.filter((name) => name.endsWith('.archive'))
      for (const path of [
        ...incoming.map((name) => join(layout.incoming, name)),
        ...archives.map((name) => join(layout.root, name)),
      ]) {
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
        if (now - mtimeMs > abandonedAfter) await rm(path, { recursive: true, force: true })
      }
    },
  }
}

/** Unpacks by the archive's first bytes: names and content types of uploads are often wrong. */
async function unpackArchive(archive: string, folder: string, limits: ArchiveLimits) {
  const file = await open(archive)
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close())
  const format = formats.find(({ signature }) =>
    signature.every((byte, index) => buffer[index] === byte),
  )
  if (!format) throw new ArchiveError('unknown_format')
  const writer = createEntryWriter(folder, limits)
  try {
    await format.unpack(archive, writer, limits)
    await writer.finish()
  } catch (error) {
    // Errors of the disk name a system call. All others mean that the archive is damaged.
    if (error instanceof ArchiveError || (error as NodeJS.ErrnoException).syscall) throw error
    throw new ArchiveError('damaged')
  }
}

/** The top-level folder of an archive if everything is in it, otherwise the folder itself. */
async function innerFolder(folder: string): Promise<string> {
  const [only, ...others] = await readdir(folder, { withFileTypes: true })
  return only?.isDirectory() && others.length === 0 ? join(folder, only.name) : folder
}

async function buildManifest(folder: string, compressed: string): Promise<Manifest> {
  const paths = await listFiles(folder)
  const files = new Map<string, ManifestFile>()
  const remaining = paths.values()
  const work = async () => {
    for (const path of remaining)
      files.set(path, await describeFile(join(folder, path), path, join(compressed, path)))
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return new Map(paths.map((path) => [path, files.get(path) as ManifestFile]))
}

async function describeFile(absolute: string, path: string, target: string): Promise<ManifestFile> {
  const { size, mode } = await stat(absolute)
  // Read-only: a program that serves or runs it cannot change it.
  await chmod(absolute, (mode & 0o100) !== 0 ? 0o555 : 0o444)
  if (!isCompressible(path, size))
    return { size, digest: await digestOfFile(absolute), encodings: {} }
  const content = await readFile(absolute)
  const digest = createHash('sha256').update(content).digest('hex')
  return { size, digest, encodings: await compressFile(content, target) }
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done()
    },
  })
  await pipeline(createReadStream(path), sink)
  return hash.digest('hex')
}
