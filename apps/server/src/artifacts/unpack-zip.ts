import { type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ArchiveError } from './archive-error.ts'
import { decodeName, entryPath } from './entry-path.ts'
import type { EntryWriter } from './entry-writer.ts'

const unixMode = (entry: Entry) => entry.externalFileAttributes >>> 16
const fileType = 0o170000
const isLink = (mode: number) => (mode & fileType) === 0o120000
/** A zip made outside Unix has no file type. */
const isFileOrFolder = (mode: number) => [0, 0o100000, 0o040000].includes(mode & fileType)

/** Longest target of a symbolic link, in bytes (PATH_MAX of Linux). */
const maxTargetLength = 4096

/** The content of an entry, which ends with `damaged` if its checksum is wrong. */
async function readEntry(zip: ZipFile, entry: Entry, name: string): Promise<Readable> {
  let checksum = 0
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      checksum = crc32(chunk, checksum)
      done(null, chunk)
    },
    flush: (done) => done(checksum === entry.crc32 ? null : new ArchiveError('damaged', name)),
  })
  // The reader of `checked` gets the errors.
  pipeline(await zip.openReadStreamPromise(entry), checked).catch(() => undefined)
  return checked
}

async function writeEntry(zip: ZipFile, entry: Entry, writer: EntryWriter) {
  const name = decodeName(entry.fileNameRaw)
  const mode = unixMode(entry)
  const path = entryPath(name)
  if (entry.isEncrypted()) throw new ArchiveError('encrypted', name)
  if (!entry.canDecodeFileData()) throw new ArchiveError('damaged', name)
  if (!isFileOrFolder(mode) && !isLink(mode)) throw new ArchiveError('special_file', name)
  if (path === null) return
  if (name.endsWith('/')) return writer.folder(path)
  if (isLink(mode)) {
    if (entry.uncompressedSize > maxTargetLength) throw new ArchiveError('link_outside', name)
    const target = await buffer(await readEntry(zip, entry, name))
    return writer.link(path, decodeName(target))
  }
  await writer.file(path, await readEntry(zip, entry, name), (mode & 0o100) !== 0)
}

async function eachEntry(path: string, use: (zip: ZipFile, entry: Entry) => Promise<void> | void) {
  // Names are checked here, because yauzl's check rejects backslashes.
  const zip = await openPromise(path, { decodeStrings: false, lazyEntries: true })
  try {
    for await (const entry of zip.eachEntry()) await use(zip, entry)
  } finally {
    zip.close()
  }
}

/** Writes the entries of a zip. Throws an `ArchiveError`; `damaged` when it cannot be read. */
export async function unpackZip(path: string, writer: EntryWriter): Promise<void> {
  let files = 0
  await eachEntry(path, (_zip, { fileNameRaw }) => {
    const name = decodeName(fileNameRaw)
    if (!name.endsWith('/') && entryPath(name) !== null) files++
  })
  writer.expectFiles(files)
  await eachEntry(path, (zip, entry) => writeEntry(zip, entry, writer))
}
