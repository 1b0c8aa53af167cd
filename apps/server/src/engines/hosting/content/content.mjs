// Packs and unpacks the files of a site, for moves to another cluster and for backups. Runs as the
// site's user: on this machine by the local engine, elsewhere in a separate pod.
//
// The archive is a gzip of entries: a line of JSON for each, then the bytes of a file. Unlike tar,
// it stores names that are not UTF-8 and times below a second without extensions. The last line has
// the number of entries. Equal files have equal archives.
//
// A site that runs may change its files while they are packed, and is not trusted: no link may lead
// to files outside its folder, also when it replaces a folder by a link meanwhile.
import { createHash } from 'node:crypto'
import { constants, existsSync, fstatSync, lstatSync, readdirSync } from 'node:fs'
import {
  chmod,
  link,
  lstat,
  lutimes,
  mkdir,
  mkdtemp,
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
const folderFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY
/** The exit code for files that are too large. */
const tooLargeCode = 65
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

class TooLargeError extends Error {
  constructor() {
    super('The files of the site are too large to copy')
  }
}

/** Where the open files of this process are, which no other process can replace. */
const openFilesFolder = '/proc/self/fd'
const hasOpenFilesFolder = existsSync(openFilesFolder)

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

/** The codes of errors for a file that was deleted, or replaced by one of another kind. */
const replacedCodes = ['EINVAL', 'ELOOP', 'ENOENT', 'ENOTDIR', 'ENXIO', 'ESTALE']

/** Null for a file that a running site has deleted or replaced. */
async function nullIfReplaced(result) {
  try {
    return await result
  } catch (error) {
    if (replacedCodes.includes(error.code)) return null
    throw error
  }
}

/** The bytes of a file from its start. A file that has become smaller ends in zeros. */
async function* bytesOf(file, size) {
  for (let position = 0; position < size; ) {
    const buffer = Buffer.alloc(Math.min(chunkSize, size - position))
    for (let length = 0; length < buffer.length; ) {
      const { bytesRead } = await file.read(
        buffer,
        length,
        buffer.length - length,
        position + length,
      )
      if (bytesRead === 0) break
      length += bytesRead
    }
    position += buffer.length
    yield buffer
  }
}

/** The bytes of a file that must not change meanwhile. */
async function* unchangedBytesOf(file, size, path) {
  for (let bytesLeft = size; bytesLeft > 0; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(chunkSize, bytesLeft)))
    if (bytesRead === 0) throw new Error(`${path} has changed while it was read`)
    bytesLeft -= bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Counts the bytes of files, and throws when their sum is too large. */
function createSizeLimit() {
  let bytesLeft = maxContentBytes
  const check = (size) => {
    if (size > bytesLeft) throw new TooLargeError()
  }
  return {
    check,
    add(size) {
      check(size)
      bytesLeft -= size
    },
  }
}

const sqliteHeader = Buffer.from('SQLite format 3\0')
const sqliteHeaderLength = 100
/** The offset in that header of the version that readers need: 2 for a write-ahead log. */
const readVersionOffset = 19
const logSuffixes = ['-wal', '-journal']
/** The files beside a database that belong to it. */
const companionSuffixes = [...logSuffixes, '-shm']
/** How long a copy waits for one locked database, and for all of them. */
const lockWaitMs = 5_000
const allLockWaitsMs = 15_000
/** In each batch of SQLite's backup. */
const pagesAtOnce = 10_000

const withSuffix = (path, suffix) => Buffer.concat([path, Buffer.from(suffix)])
const companionsOf = (path, suffixes) =>
  Promise.all(suffixes.map((suffix) => nullIfReplaced(lstat(withSuffix(path, suffix)))))

const identityOf = ({ dev, ino }) => `${dev}:${ino}`

/** The regular files that this process has open. */
function openRegularFiles() {
  const identities = new Set()
  for (const name of readdirSync(openFilesFolder)) {
    try {
      const stats = fstatSync(Number(name), { bigint: true })
      if (stats.isFile()) identities.add(identityOf(stats))
    } catch (error) {
      // `readdirSync` had the list itself open, and has closed it.
      if (error.code !== 'EBADF') throw error
    }
  }
  return identities
}

/**
 * True if SQLite has opened only the database and its companion files. It gets a path, so a site
 * that replaces a folder by a symbolic link can make it open others. `earlier` was open before.
 */
function hasOwnFilesOnly(path, earlier) {
  const own = new Set(earlier)
  for (const suffix of ['', ...companionSuffixes]) {
    const options = { bigint: true, throwIfNoEntry: false }
    const stats = lstatSync(withSuffix(path, suffix), options)
    if (stats?.isFile()) own.add(identityOf(stats))
  }
  return [...openRegularFiles()].every((identity) => own.has(identity))
}

/**
 * Copies SQLite databases of a running site as of one moment, into a folder that is only for this
 * user. `sqlite` is Node's module.
 */
function createDatabaseCopies(sqlite, folder) {
  const target = `${folder}/database`
  let allWaitsMs = allLockWaitsMs

  async function removeTarget() {
    for (const suffix of ['', '-journal']) await rm(`${target}${suffix}`, { force: true })
  }

  /** True if the database has no log with changes: its file alone is complete. */
  const hasNoLog = async (path) =>
    (await companionsOf(path, logSuffixes)).every((stats) => stats === null || stats.size === 0)

  /**
   * Copies a database with a write-ahead log that has no changes. SQLite would create the files of
   * the log in the folder of the site. Resolves with false if the site has written meanwhile.
   */
  async function copyWithoutLog(path, file, limit) {
    if (!(await hasNoLog(path))) return false
    const before = await file.stat({ bigint: true })
    limit.check(Number(before.size))
    await writeFile(target, bytesOf(file, Number(before.size)))
    const after = await file.stat({ bigint: true })
    const isUnchanged = before.size === after.size && before.mtimeNs === after.mtimeNs
    return isUnchanged && (await hasNoLog(path))
  }

  /** A connection in a read transaction, with the size; null for a database it cannot read. */
  function beginRead(path) {
    const earlier = hasOpenFilesFolder ? openRegularFiles() : null
    const startedAt = performance.now()
    const timeout = Math.trunc(Math.max(0, Math.min(lockWaitMs, allWaitsMs)))
    let database = null
    try {
      database = new sqlite.DatabaseSync(path, { readOnly: true, timeout })
      database.exec('PRAGMA trusted_schema = OFF')
      // Without a transaction, the backup starts again whenever another process writes.
      database.exec('BEGIN')
      const { page_count: pages } = database.prepare('PRAGMA page_count').get()
      const { page_size: pageSize } = database.prepare('PRAGMA page_size').get()
      if (earlier === null || hasOwnFilesOnly(path, earlier))
        return { database, size: pages * pageSize }
    } catch (error) {
      if (error.code !== 'ERR_SQLITE_ERROR') {
        database?.close()
        throw error
      }
    } finally {
      allWaitsMs -= performance.now() - startedAt
    }
    database?.close()
    return null
  }

  /**
   * Copies a database by SQLite's online backup. The site may write meanwhile to a database with a
   * write-ahead log; writers of another one wait. Resolves with false if it cannot be read.
   */
  async function backUp(path, limit) {
    const companions = await companionsOf(path, companionSuffixes)
    // Opening a pipe would wait for its writer.
    if (companions.some((stats) => stats !== null && !stats.isFile())) return false
    const read = beginRead(path)
    if (read === null) return false
    try {
      limit.check(read.size)
      await sqlite.backup(read.database, target, { rate: pagesAtOnce })
      return true
    } finally {
      read.database.close()
    }
  }

  return {
    /**
     * An open copy of a database; null for another file, and for a database that cannot be read.
     * `file` is the open database: it must not be closed before SQLite has closed it, because that
     * would release SQLite's locks (POSIX).
     */
    async copy(path, file, limit) {
      const header = Buffer.alloc(sqliteHeaderLength)
      await file.read(header, 0, header.length, 0)
      if (!header.subarray(0, sqliteHeader.length).equals(sqliteHeader)) return null
      try {
        const hasLog = header[readVersionOffset] === 2
        const isCopied = hasLog && (await copyWithoutLog(path, file, limit))
        if (!isCopied) {
          await removeTarget()
          if (!(await backUp(path, limit))) return null
        }
        return await open(target, readFlags)
      } finally {
        // The open copy needs no name: without one, nothing remains if this process is killed.
        await removeTarget()
      }
    },
  }
}

/**
 * The entries below a folder, as chunks. Skips sockets, pipes and devices. `databases` copies those
 * of a running site, whose files may change; null for a stopped one.
 */
async function* pack(root, databases = null) {
  const linked = new Map()
  const limit = createSizeLimit()
  let count = 0
  const line = (entry) => {
    count += 1
    return Buffer.from(`${JSON.stringify(entry)}\n`)
  }
  /** Null for a file that a running site has deleted or replaced. */
  const ifPresent = (result) => (databases ? nullIfReplaced(result) : result)

  async function* packFolder(folder, parent) {
    /** Files that belong to databases that were copied. */
    const copied = new Set()
    const names = await readdir(folder, { encoding: 'buffer' })
    for (const name of names.sort(Buffer.compare)) {
      if (isLostAndFound(name, parent)) continue
      const archivePath = parent.length === 0 ? name : pathIn(parent, name)
      yield* packEntry(pathIn(folder, name), archivePath, copied)
    }
  }

  async function* packEntry(path, archivePath, copied) {
    const stats = await ifPresent(lstat(path, { bigint: true }))
    if (stats === null) return
    const mode = Number(stats.mode) & permissions
    const common = { path: toText(archivePath), time: timeOf(stats) }
    if (stats.isSymbolicLink()) {
      const target = await ifPresent(readlink(path, { encoding: 'buffer' }))
      if (target !== null) yield line({ ...common, type: 'link', target: toText(target) })
    } else if (stats.isDirectory()) {
      const isClosed = (mode & ownerAll) !== ownerAll
      if (isClosed) await ifPresent(chmod(path, mode | ownerAll))
      try {
        const folder = await ifPresent(open(path, folderFlags))
        if (folder === null) return
        try {
          yield line({ ...common, type: 'folder', mode })
          // The folder itself: its path may lead to another one by now.
          const place = hasOpenFilesFolder ? Buffer.from(`${openFilesFolder}/${folder.fd}`) : path
          yield* packFolder(place, archivePath)
        } finally {
          await folder.close()
        }
      } finally {
        if (isClosed) await ifPresent(chmod(path, mode))
      }
    } else if (stats.isFile() && !copied.has(common.path)) {
      const file = await ifPresent(openFile(path, mode))
      if (file === null) return
      try {
        yield* packFile(file, path, common.path, copied)
      } finally {
        await file.close()
      }
    }
  }

  async function* packFile(file, path, archivePath, copied) {
    const stats = await file.stat({ bigint: true })
    // The site has replaced it.
    if (!stats.isFile()) return
    const linkedPath = stats.nlink > 1n ? linked.get(identityOf(stats)) : undefined
    if (linkedPath !== undefined) {
      yield line({ path: archivePath, type: 'same', target: linkedPath })
      return
    }
    if (stats.nlink > 1n) linked.set(identityOf(stats), archivePath)
    const database = databases && (await databases.copy(path, file, limit))
    try {
      const { size: bytes } = database ? await database.stat() : stats
      const size = Number(bytes)
      limit.add(size)
      const mode = Number(stats.mode) & permissions
      yield line({ path: archivePath, time: timeOf(stats), type: 'file', mode, size })
      if (database) for (const suffix of companionSuffixes) copied.add(`${archivePath}${suffix}`)
      if (databases) yield* bytesOf(database ?? file, size)
      else yield* unchangedBytesOf(file, size, path)
    } finally {
      await database?.close()
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
  const limit = createSizeLimit()
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
      limit.add(entry.size)
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

/** The entries of a running site. `temporary` is a folder that is only for this user. */
async function* packRunning(root, temporary) {
  process.umask(0o077)
  const sqlite = await import('node:sqlite')
  yield* pack(root, createDatabaseCopies(sqlite, temporary))
}

/** Sends the files of a folder to an address, which responds with their digest. */
async function sendPacked(entries, { url }) {
  const { stream, digest } = createHasher()
  const packing = pipeline(Readable.from(entries), gzip(), stream)
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
  if (response.status === 413) throw new TooLargeError()
  if (!response.ok) throw new Error(`The files were not accepted: status ${response.status}`)
  if ((await response.json()).digest !== digest())
    throw new Error('The files that arrived are not those that were sent')
}

const send = (root, transfer) => sendPacked(pack(root), transfer)

async function sendRunning(root, transfer) {
  const temporary = await mkdtemp('/tmp/copy-')
  await sendPacked(packRunning(root, temporary), transfer)
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
  // A copy of a running site.
  snapshot: (root, temporary) =>
    pipeline(Readable.from(packRunning(root, temporary)), gzip(), process.stdout),
  unpack: (root) => pipeline(process.stdin, createGunzip(), unpackInto(root)),
  send: (root, file) => inPod(send, root, file),
  'send-snapshot': (root, file) => inPod(sendRunning, root, file),
  receive: (root, file) => inPod(receive, root, file),
}

// The last three arguments: how many precede them depends on whether the program is a file or text.
const [command, folder, argument] = process.argv.slice(-3)
try {
  await commands[command](Buffer.from(folder), argument)
} catch (error) {
  if (!(error instanceof TooLargeError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(tooLargeCode)
}
