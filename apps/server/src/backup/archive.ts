import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { pipeline, Readable, type Writable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import tar from 'tar-stream'
import { reasonOf } from '../env/setting-error.ts'
import { BackupError } from './backup-error.ts'
import { createDecrypter, createEncrypter } from './backup-key.ts'
import { archiveFormat, type Manifest, manifest, manifestPath } from './manifest.ts'

/** An entry of the archive, a tar file (POSIX.1-2001) in zstd (RFC 8878) in age. */
export type ArchiveEntry = {
  path: string
  type: 'file' | 'directory' | 'symlink'
  mode: number
  uid: number
  gid: number
  modifiedAt: Date
  /** The exact length of `content`, in bytes. */
  size: number
  /** The target of a symlink. */
  target?: string
  content: AsyncIterable<Buffer> | Iterable<Buffer>
}

/** A regular file that the backup creates, such as a part of a table. */
export const fileEntry = (path: string, content: Buffer, now: Date): ArchiveEntry => ({
  path,
  type: 'file',
  mode: 0o600,
  uid: 0,
  gid: 0,
  modifiedAt: now,
  size: content.length,
  content: [content],
})

function hashHeader(hash: Hash, { path, type, mode, uid, gid, size, target = '' }: ArchiveEntry) {
  hash.update(JSON.stringify([path, type, mode, uid, gid, size, target]))
}

/**
 * The encrypted archive of the entries, as a stream of bytes. `describe` returns the manifest once
 * all entries are written. Buffers one chunk of one entry.
 */
export async function packArchive(
  entries: AsyncIterable<ArchiveEntry>,
  describe: () => Omit<Manifest, 'format' | 'sha256'>,
  key: string,
): Promise<Readable> {
  const encrypter = await createEncrypter(key)
  const pack = tar.pack()
  const compressed = createZstdCompress()
  // The reader of the last stream sees the error.
  pipeline(pack, compressed, () => undefined)
  const hash = createHash('sha256')

  async function writeAll() {
    for await (const entry of entries) {
      hashHeader(hash, entry)
      await write(pack, entry, (chunk) => hash.update(chunk))
    }
    const text = JSON.stringify({
      format: archiveFormat,
      ...describe(),
      sha256: hash.digest('hex'),
    })
    await write(pack, fileEntry(manifestPath, Buffer.from(text), new Date()))
    pack.finalize()
  }
  writeAll().catch((error) => pack.destroy(error))

  const plain = Readable.toWeb(compressed) as globalThis.ReadableStream<Uint8Array>
  return Readable.fromWeb((await encrypter.encrypt(plain)) as ReadableStream)
}

async function write(pack: tar.Pack, entry: ArchiveEntry, onChunk?: (chunk: Buffer) => void) {
  const { path: name, type, mode, uid, gid, modifiedAt: mtime, size, target: linkname } = entry
  const header = { name, type, mode, uid, gid, mtime, size, ...(linkname ? { linkname } : {}) }
  let written: (error?: Error | null) => void = () => undefined
  const done = new Promise<void>((resolve, reject) => {
    written = (error) => (error ? reject(error) : resolve())
  })
  // streamx's types know no `end` without a chunk.
  const sink = pack.entry(header, (error) => written(error)) as unknown as Writable
  if (size === 0 || type !== 'file') {
    sink.end()
    return done
  }
  // A destroyed archive closes the entry, which then emits no `drain`.
  const closed = once(sink, 'close')
  done.catch(() => undefined)
  for await (const chunk of entry.content) {
    onChunk?.(chunk)
    if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), closed])
    if (sink.destroyed) break
  }
  sink.end()
  return done
}

const maxManifestBytes = 16 * 2 ** 20

/**
 * Reads the archive, passes each entry except the manifest to `onEntry`, and returns the manifest.
 * Rejects with a `BackupError` if the key is wrong, or the archive is incomplete, changed or of a
 * newer format; `onEntry` may have received entries by then.
 */
export async function readArchive(
  source: Readable,
  key: string,
  onEntry: (entry: ArchiveEntry) => Promise<void>,
): Promise<Manifest> {
  const decrypter = createDecrypter(key)
  let failure: unknown
  try {
    const encrypted = Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>
    const plain = Readable.fromWeb((await decrypter.decrypt(encrypted)) as ReadableStream)
    const extract = tar.extract()
    pipeline(plain, createZstdDecompress(), extract, (error) => {
      failure ??= error
    })
    return await readEntries(extract, onEntry)
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw damaged(failure ?? error)
  } finally {
    source.destroy()
  }
}

class EntryError extends Error {}

function damaged(error: unknown) {
  // Errors of `onEntry`, such as a full disk, say nothing about the archive.
  if (error instanceof EntryError) return error.cause
  const reason = reasonOf(error)
  if (/no identity matched/i.test(reason))
    return new BackupError('BACKUP_KEY is not the key of this backup', { cause: error })
  return new BackupError(`the backup is damaged or incomplete (${reason})`, { cause: error })
}

async function readEntries(
  extract: tar.Extract,
  onEntry: (entry: ArchiveEntry) => Promise<void>,
): Promise<Manifest> {
  const hash = createHash('sha256')
  let manifestJson: unknown
  for await (const stream of extract) {
    if (manifestJson !== undefined)
      throw new BackupError('the backup has entries after its manifest')
    const { name: path, type, mode, uid, gid, mtime, size, linkname } = stream.header
    if (path === manifestPath) {
      if (size > maxManifestBytes) throw new BackupError('the manifest of the backup is too long')
      const chunks: Buffer[] = []
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
      manifestJson = JSON.parse(Buffer.concat(chunks).toString())
      continue
    }
    if (type !== 'file' && type !== 'directory' && type !== 'symlink')
      throw new BackupError(`the backup has an entry of an unknown type, ${path}`)
    const entry: Omit<ArchiveEntry, 'content'> = {
      path: type === 'directory' ? path.replace(/\/$/, '') : path,
      type,
      mode,
      uid,
      gid,
      modifiedAt: mtime,
      size,
      ...(type === 'symlink' ? { target: linkname } : {}),
    }
    hashHeader(hash, { ...entry, content: [] })
    const content = hashed(stream as AsyncIterable<Buffer>, hash)
    await onEntry({ ...entry, content }).catch((cause) => {
      throw cause instanceof BackupError ? cause : new EntryError('', { cause })
    })
    // Skips what `onEntry` did not read.
    for await (const _ of content);
  }
  return checkManifest(manifestJson, hash.digest('hex'))
}

async function* hashed(stream: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    hash.update(chunk)
    yield chunk
  }
}

function checkManifest(manifestJson: unknown, sha256: string): Manifest {
  if (manifestJson === undefined)
    throw new BackupError('the backup has no manifest, so it is incomplete')
  const format = (manifestJson as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > archiveFormat)
    throw new BackupError(
      `the backup has format ${format}, and this version reads up to ${archiveFormat}: update Slipway first`,
    )
  const parsed = manifest.safeParse(manifestJson)
  if (!parsed.success) throw new BackupError('the manifest of the backup cannot be read')
  if (parsed.data.sha256 !== sha256)
    throw new BackupError('the backup is damaged: its digest is not that of its manifest')
  return parsed.data
}
