import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  chmod,
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
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ArchiveError } from './archive-error.ts'
import { compressFile, isCompressible } from './compress.ts'
import { type ArchiveLimits, createEntryWriter } from './entry-writer.ts'
import { listFiles, type Manifest, type ManifestFile, writeManifest } from './manifest.ts'
import { unpackTar } from './unpack-tar.ts'
import { unpackZip } from './unpack-zip.ts'

/** Files are hashed and compressed this many at once. */
const concurrency = 8

/** The first bytes of a zip (APPNOTE.TXT §4.3.7, §4.3.16) and of gzip (RFC 1952 §2.3.1). */
const formats = [
  { signature: [0x50, 0x4b], unpack: unpackZip },
  { signature: [0x1f, 0x8b], unpack: unpackTar },
]

export type Unpacking = {
  /** The path of the archive. */
  archive: string
  /** An empty folder. */
  folder: string
  limits: ArchiveLimits
}

/**
 * Unpacks an archive into `files` below the folder, with compressed copies and a manifest beside
 * it. Throws an `ArchiveError` if the archive is rejected.
 */
export async function unpackArchive({ archive, folder, limits }: Unpacking): Promise<void> {
  const unpacked = join(folder, 'unpacked')
  await mkdir(unpacked)
  await unpackEntries(archive, unpacked, limits)
  await rename(await innerFolder(unpacked), join(folder, 'files'))
  await rm(unpacked, { recursive: true, force: true })
  // A link may lead through the top-level folder, which is gone: its target is checked again.
  const manifest = await buildManifest(join(folder, 'files'), join(folder, 'compressed'))
  if (manifest.size === 0) throw new ArchiveError('empty')
  await writeFile(join(folder, 'manifest.json'), writeManifest(manifest))
}

/** Unpacks by the archive's first bytes: names and content types of uploads are often wrong. */
async function unpackEntries(archive: string, folder: string, limits: ArchiveLimits) {
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
