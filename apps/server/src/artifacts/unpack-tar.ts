import { createReadStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { ArchiveError, tooLarge } from './archive-error.ts'
import { decodeName, entryPath } from './entry-path.ts'
import type { ArchiveLimits, EntryWriter } from './entry-writer.ts'

type Entry = AsyncIterable<Buffer> & { header: Header; resume(): void }

/** Names that are not in a pax header are read as one character per byte: see `nameOf`. */
const options = { filenameEncoding: 'latin1' } as Parameters<typeof extract>[0]

/** The name; its bytes must be UTF-8. Names in a pax header are UTF-8 by POSIX.1-2001. */
const nameOf = (text: string, inPax: string | undefined) =>
  decodeName(inPax === undefined ? Buffer.from(text, 'latin1') : Buffer.from(inPax))

function namesOf({ name, linkname, pax }: Header) {
  const { path, linkpath } = (pax ?? {}) as { path?: string; linkpath?: string }
  return { name: nameOf(name, path), target: nameOf(linkname ?? '', linkpath) }
}

/** The most keyword records of an entry's pax headers; programs write fewer than ten. */
const maxPaxRecords = 100

async function writeEntry(entry: Entry, writer: EntryWriter) {
  const { type, mode, pax } = entry.header
  // Each entry repeats the records of the global header.
  if (pax && Object.keys(pax).length > maxPaxRecords) throw new ArchiveError('damaged')
  const { name, target } = namesOf(entry.header)
  const path = entryPath(name)
  if (path === null) return
  if (type === 'directory') return writer.folder(path)
  if (type === 'symlink') return writer.link(path, target)
  if (type !== 'file' && type !== 'contiguous-file') throw new ArchiveError('special_file', name)
  await writer.file(path, Readable.from(entry), (mode & 0o100) !== 0)
}

/** The headers of a file with a long name, in bytes (POSIX.1-2001, pax). */
const headerBytes = 4096

/** Rejects archives that unpack to more than the limits. Ignored entries count, too. */
function limited({ unpackedBytes, files }: ArchiveLimits) {
  let bytesLeft = unpackedBytes + files * headerBytes
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) done(tooLarge('too_large_unpacked', unpackedBytes))
      else done(null, chunk)
    },
  })
}

/**
 * Writes the entries of a tar compressed with gzip. Throws an `ArchiveError`. Hard links are
 * special files: a release stores each file once anyway.
 */
export async function unpackTar(
  path: string,
  writer: EntryWriter,
  limits: ArchiveLimits,
): Promise<void> {
  const tar = extract(options)
  const reading = pipeline(createReadStream(path), createGunzip(), limited(limits), tar)
  // Reading may fail while an entry is written, before a listener is attached.
  const ended = reading.catch(() => undefined)
  try {
    for await (const entry of tar as AsyncIterable<Entry>) {
      await writeEntry(entry, writer)
      entry.resume()
    }
  } finally {
    tar.destroy()
    // The error that ended the loop is the cause; this one only follows it.
    await ended
  }
}
