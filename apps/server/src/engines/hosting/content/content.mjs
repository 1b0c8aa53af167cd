// Packs and unpacks the files of a site that moves to another cluster. Runs as the site's user: on
// this machine by the local engine, elsewhere in a separate pod.
//
// The archive is a gzip of entries: a line of JSON for each, then the bytes of a file. Unlike tar,
// it stores names that are not UTF-8 and times below a second without extensions. The last line has
// the number of entries.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import {
  chmod,
  link,
  lstat,
  lutimes,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  rmdir,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip, createGzip } from 'node:zlib'

const chunkSize = 256 * 1024
const maxLineLength = 64 * 1024
/** All files together, in bytes: twice a site's disk, on which a sparse file takes no space. */
const maxContentBytes = 2 * 2 ** 30
const slash = Buffer.from('/')
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** The server responds after it has stored the archive. */
const uploadMs = 900_000
const permissions = 0o7777
const ownerAll = 0o700

const pathIn = (folder, name) => Buffer.concat([folder, slash, name])
// Names are bytes on Linux: latin1 has a character for each.
const toText = (path) => path.toString('latin1')
const toBytes = (text) => Buffer.from(text, 'latin1')
/** The modification time in microseconds: Node sets no finer one. */
const timeOf = ({ mtimeNs }) => Number(mtimeNs / 1000n)
/** Adds half a microsecond, because Node truncates: a rounding error would lose a whole one. */
const secondsOf = (time) => (time + 0.5) / 1e6

/** True for the folder that a file system has at the top of its volume. */
const isLostAndFound = (name, parent) => parent.length === 0 && toText(name) === 'lost+found'

/**
 * Opens a file even if its mode denies that to the site itself; the mode is restored afterwards.
 */
async function openFile(path, mode) {
  try {
    return await open(path, readFlags)
  } catch (error) {
    if (error.code !== 'EACCES') throw error
    await chmod(path, mode | 0o400)
    try {
      return await open(path, readFlags)
    } finally {
      await chmod(path, mode)
    }
  }
}

async function* bytesOf(path, { size, mode }) {
  const file = await openFile(path, Number(mode) & permissions)
  try {
    for (let bytesLeft = Number(size); bytesLeft > 0; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(chunkSize, bytesLeft)))
      if (bytesRead === 0) throw new Error(`${path} has changed while it was read`)
      bytesLeft -= bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** A function that adds the size of a file, and throws when their sum is too large. */
function createSizeLimit() {
  let bytes = 0
  return (size) => {
    bytes += size
    if (bytes > maxContentBytes) throw new Error('The files of the site are too large to move')
  }
}

/** The entries below a folder, as chunks. Skips sockets, pipes and devices. */
async function* pack(root) {
  const linked = new Map()
  const addSize = createSizeLimit()
  let count = 0
  const line = (entry) => {
    count += 1
    return Buffer.from(`${JSON.stringify(entry)}\n`)
  }

  async function* packFolder(folder, parent) {
    const names = await readdir(folder, { encoding: 'buffer' })
    for (const name of names.sort(Buffer.compare)) {
      if (isLostAndFound(name, parent)) continue
      const archivePath = parent.length === 0 ? name : pathIn(parent, name)
      yield* packEntry(pathIn(folder, name), archivePath)
    }
  }

  async function* packEntry(path, archivePath) {
    const stats = await lstat(path, { bigint: true })
    const mode = Number(stats.mode) & permissions
    const common = { path: toText(archivePath), time: timeOf(stats) }
    if (stats.isSymbolicLink()) {
      const target = toText(await readlink(path, { encoding: 'buffer' }))
      yield line({ ...common, type: 'link', target })
    } else if (stats.isDirectory()) {
      yield line({ ...common, type: 'folder', mode })
      const isClosed = (mode & ownerAll) !== ownerAll
      if (isClosed) await chmod(path, mode | ownerAll)
      try {
        yield* packFolder(path, archivePath)
      } finally {
        if (isClosed) await chmod(path, mode)
      }
    } else if (stats.isFile()) {
      const id = `${stats.dev}:${stats.ino}`
      const linkedPath = stats.nlink > 1n ? linked.get(id) : undefined
      if (linkedPath !== undefined) {
        yield line({ path: common.path, type: 'same', target: linkedPath })
        return
      }
      if (stats.nlink > 1n) linked.set(id, common.path)
      addSize(Number(stats.size))
      yield line({ ...common, type: 'file', mode, size: Number(stats.size) })
      yield* bytesOf(path, stats)
    }
  }

  yield* packFolder(root, Buffer.alloc(0))
  yield Buffer.from(`${JSON.stringify({ type: 'end', count })}\n`)
}

async function clear(folder, parent = Buffer.alloc(0)) {
  for (const name of await readdir(folder, { encoding: 'buffer' })) {
    if (isLostAndFound(name, parent)) continue
    const path = pathIn(folder, name)
    const stats = await lstat(path)
    if (!stats.isDirectory()) await rm(path)
    else {
      if ((stats.mode & ownerAll) !== ownerAll) await chmod(path, ownerAll)
      await clear(path, path)
      await rmdir(path)
    }
  }
}

/** Reads lines, and the bytes after them, from chunks. */
function createReader(chunks) {
  const source = chunks[Symbol.asyncIterator]()
  let unread = Buffer.alloc(0)

  async function readMore() {
    const { value, done } = await source.next()
    if (done) throw new Error('The archive is not complete')
    return value
  }

  return {
    async line() {
      let end = unread.indexOf(10)
      while (end === -1) {
        if (unread.length > maxLineLength)
          throw new Error('The archive has a line that is too long')
        unread = Buffer.concat([unread, await readMore()])
        end = unread.indexOf(10)
      }
      const text = unread.subarray(0, end).toString()
      unread = unread.subarray(end + 1)
      return JSON.parse(text)
    },
    async *bytes(size) {
      for (let bytesLeft = size; bytesLeft > 0; ) {
        if (unread.length === 0) unread = await readMore()
        const part = unread.subarray(0, bytesLeft)
        unread = unread.subarray(part.length)
        bytesLeft -= part.length
        yield part
      }
    },
    /** Rejects when more bytes follow. */
    async end() {
      if (unread.length > 0 || !(await source.next()).done)
        throw new Error('The archive continues after its end')
    },
  }
}

/** Creates the entries of an archive in an empty folder. */
async function unpack(root, chunks) {
  const reader = createReader(chunks)
  const addSize = createSizeLimit()
  const folders = new Map([['', null]])

  /** The folder of an entry must be in the archive, so no link leads out of the root. */
  function placeOf(text) {
    const parts = text.split('/')
    const parent = parts.slice(0, -1).join('/')
    const isWrong = parts.some((part) => ['', '.', '..'].includes(part) || part.includes('\0'))
    if (isWrong || !folders.has(parent)) throw new Error('The archive has a wrong path')
    return pathIn(root, toBytes(text))
  }

  for (let count = 0; ; count++) {
    const entry = await reader.line()
    if (entry.type === 'end') {
      if (entry.count !== count) throw new Error('The archive is not complete')
      await reader.end()
      break
    }
    const path = placeOf(entry.path)
    if (entry.type === 'folder') {
      await mkdir(path, { mode: ownerAll })
      folders.set(entry.path, { ...entry, path })
    } else if (entry.type === 'link') {
      await symlink(toBytes(entry.target), path)
      await lutimes(path, secondsOf(entry.time), secondsOf(entry.time))
    } else if (entry.type === 'same') {
      await link(placeOf(entry.target), path)
    } else if (entry.type === 'file') {
      addSize(entry.size)
      const file = await open(path, 'wx', 0o600)
      try {
        for await (const chunk of reader.bytes(entry.size)) await file.writeFile(chunk)
        await file.chmod(entry.mode)
        await file.utimes(secondsOf(entry.time), secondsOf(entry.time))
        await file.sync()
      } finally {
        await file.close()
      }
    } else throw new Error('The archive has an unknown entry')
  }
  // Last: creating files changes the time of a folder, and its mode may not permit that.
  for (const folder of [...folders.values()].reverse()) {
    if (folder === null) continue
    const { path, mode, time } = folder
    await utimes(path, secondsOf(time), secondsOf(time))
    await chmod(path, mode)
  }
}

function createHasher() {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, digest: () => hash.digest('hex') }
}

const gzip = () => createGzip({ level: 1 })
const unpackInto = (root) => async (chunks) => {
  await clear(root)
  await unpack(root, chunks)
}

/** Sends the files of a folder to an address, which responds with their digest. */
async function send(root, { url }) {
  const { stream, digest } = createHasher()
  const packing = pipeline(Readable.from(pack(root)), gzip(), stream)
  const [response] = await Promise.all([
    fetch(url, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: Readable.toWeb(stream),
      duplex: 'half',
      signal: AbortSignal.timeout(uploadMs),
    }),
    packing,
  ])
  if (!response.ok) throw new Error(`The files were not accepted: status ${response.status}`)
  if ((await response.json()).digest !== digest())
    throw new Error('The files that arrived are not those that were sent')
}

async function receive(root, { url, digest: expected }) {
  const response = await fetch(url)
  if (!response.ok || response.body === null)
    throw new Error(`The files were not sent: status ${response.status}`)
  const { stream, digest } = createHasher()
  await pipeline(Readable.fromWeb(response.body), stream, createGunzip(), unpackInto(root))
  if (digest() !== expected) throw new Error('The files that arrived are not those that were sent')
}

/**
 * Runs the work in a pod, whose program must not exit: it waits until the pod is deleted. A file
 * marks the end of the work.
 */
async function inPod(work, root, file) {
  await work(root, JSON.parse(await readFile(file, 'utf8')))
  await writeFile('/tmp/done', '')
  for (;;) await sleep(2 ** 30)
}

const commands = {
  pack: (root) => pipeline(Readable.from(pack(root)), gzip(), process.stdout),
  unpack: (root) => pipeline(process.stdin, createGunzip(), unpackInto(root)),
  send: (root, file) => inPod(send, root, file),
  receive: (root, file) => inPod(receive, root, file),
}

// The last three arguments: before them, the program is a file or an argument itself.
const [command, folder, file] = process.argv.slice(-3)
await commands[command](Buffer.from(folder), file)
