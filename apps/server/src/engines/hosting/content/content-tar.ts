import { pipeline as connect, Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gzip } from 'node:zlib'
import tar from 'tar-stream'

/** An entry of an archive that `content.mjs` packs. Paths have a character for each byte. */
type Entry = { path: string; time?: number; mode?: number } & (
  | { type: 'folder' }
  | { type: 'file'; size: number }
  | { type: 'link' | 'same'; target: string }
)

const maxLineBytes = 64 * 1024

/** Reads lines of JSON, and the bytes after them. */
function createReader(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]()
  let unread: Buffer = Buffer.alloc(0)

  async function readMore(): Promise<Buffer> {
    const { value, done } = await source.next()
    if (done) throw new Error('the archive is not complete')
    return value
  }

  return {
    async line(): Promise<Entry | { type: 'end' }> {
      while (!unread.includes(10)) {
        if (unread.length > maxLineBytes) throw new Error('the archive has a line that is too long')
        unread = Buffer.concat([unread, await readMore()])
      }
      const end = unread.indexOf(10)
      const text = unread.subarray(0, end).toString()
      unread = unread.subarray(end + 1)
      return JSON.parse(text)
    },
    async *bytes(size: number) {
      for (let bytesLeft = size; bytesLeft > 0; ) {
        if (unread.length === 0) unread = await readMore()
        const part = unread.subarray(0, bytesLeft)
        unread = unread.subarray(part.length)
        bytesLeft -= part.length
        yield part
      }
    },
  }
}

/** Names that are not UTF-8 get replacement characters: tar has only names in UTF-8. */
const nameOf = (path: string) => Buffer.from(path, 'latin1').toString()

function headerOf(entry: Entry): Parameters<tar.Pack['entry']>[0] {
  const { path, time = 0, mode } = entry
  const common = { mtime: new Date(time / 1000), ...(mode === undefined ? {} : { mode }) }
  const name = nameOf(path)
  switch (entry.type) {
    case 'folder':
      return { ...common, name, type: 'directory' }
    case 'file':
      return { ...common, name, type: 'file', size: entry.size }
    case 'link':
      return { ...common, name, type: 'symlink', linkname: nameOf(entry.target) }
    case 'same':
      return { ...common, name, type: 'link', linkname: nameOf(entry.target) }
  }
}

async function writeEntry(pack: tar.Pack, entry: Entry, content: AsyncIterable<Buffer>) {
  const written = new Promise<void>((resolve, reject) => {
    // streamx's types know no `end` without a chunk.
    const sink = pack.entry(headerOf(entry), (error) =>
      error ? reject(error) : resolve(),
    ) as unknown as Writable
    const write = async () => {
      if (entry.type !== 'file') return void sink.end()
      await pipeline(Readable.from(content), sink)
    }
    write().catch(reject)
  })
  await written
}

/**
 * A tar.gz (POSIX.1-2001, RFC 1952) of the files in a site's archive, which `content.mjs` has
 * packed. The stream fails when the archive is not complete.
 */
export function tarOf(archive: Readable): Gzip {
  const pack = tar.pack()
  const compressed = createGzip({ level: 1 })
  const unpacked = createGunzip()
  // The reader of the last stream sees the errors.
  connect(archive, unpacked, (error) => error && pack.destroy(error))
  connect(pack, compressed, (error) => {
    if (!error) return
    archive.destroy()
    unpacked.destroy()
  })

  async function writeAll() {
    const reader = createReader(unpacked)
    for (;;) {
      const entry = await reader.line()
      if (entry.type === 'end') break
      await writeEntry(pack, entry, reader.bytes(entry.type === 'file' ? entry.size : 0))
    }
    pack.finalize()
  }
  writeAll().catch((error: Error) => pack.destroy(error))
  return compressed
}
