import { constants, type Stats } from 'node:fs'
import {
  chmod,
  chown,
  type FileHandle,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  symlink,
} from 'node:fs/promises'
import { join, posix } from 'node:path'
import { type Account, createAccounts } from '../engines/hosting/local/machine/accounts.ts'
import type { ArchiveEntry } from './archive.ts'
import { BackupError } from './backup-error.ts'

// The parts of a data folder that a backup omits. It contains everything else, also files of later
// versions.
const omittedPaths = [
  // The embedded PostgreSQL: its rows are in the backup, its programs in the package.
  /^database(-socket)?$/,
  /^keys\/database-password-/,
  /^postgresql-\d+$/,
  // Unfinished files and uploads.
  /^[^/]+\.unfinished(-|$)/,
  /^artifacts\/incoming\//,
  /^sites\/[^/]+\/copies(\/|$)/,
  // Created again at the start.
  /^(runtime|runtimes\.json|sandbox|site-releases|sockets)$/,
  /^artifacts\/[^/]+\/build-/,
  /^[^/]+\.lock(-|$)/,
  // Backups of sites: their keys are in the database.
  /^site-backups$/,
  // A site's process and its output belong to this machine.
  /^sites\/[^/]+\/((process|candidate|draining)\.json|(site|candidate)\.log)(\.|$)/,
]

const isOmitted = (path: string): boolean => omittedPaths.some((pattern) => pattern.test(path))

/** Deeper folders are skipped: each level keeps a descriptor open. */
const deepest = 200

const chunkSize = 256 * 1024

const onLinux = process.platform === 'linux'

/**
 * The path of an entry of an open folder. On Linux it leads through the descriptor, as openat(2)
 * does: a site that replaces its folder by a symlink meanwhile cannot lead the backup elsewhere.
 */
const within = (folder: FileHandle, path: string, name: string) =>
  onLinux ? `/proc/self/fd/${folder.fd}/${name}` : join(path, name)

const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The entry; undefined when it is a symlink or a socket, or gone meanwhile. */
async function openEntry(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, openFlags)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ELOOP', 'EMLINK', 'ENXIO'].includes(code)) return undefined
    throw error
  }
}

/**
 * Every file, folder and symlink of the data folder except the exclusions, folders before their
 * content. Files that sites write meanwhile may be missing; a file that shrinks is filled with
 * zeros.
 */
export async function* fileEntries(
  dataDir: string,
  warn: (sentence: string) => void,
): AsyncGenerator<ArchiveEntry> {
  const folder = await open(dataDir, constants.O_RDONLY)
  try {
    yield* folderEntries(folder, dataDir, '', 1, warn)
  } finally {
    await folder.close()
  }
}

async function* folderEntries(
  folder: FileHandle,
  realPath: string,
  path: string,
  depth: number,
  warn: (sentence: string) => void,
): AsyncGenerator<ArchiveEntry> {
  const names = await readdir(onLinux ? `/proc/self/fd/${folder.fd}` : realPath)
  for (const name of names.sort()) {
    const entryPath = posix.join(path, name)
    if (isOmitted(entryPath)) continue
    if (name.includes('\ufffd') || depth > deepest) {
      warn(`${entryPath} is not in the backup: its name is not UTF-8, or it is too deep`)
      continue
    }
    yield* entriesAt(folder, realPath, name, entryPath, depth, warn)
  }
}

async function* entriesAt(
  folder: FileHandle,
  realPath: string,
  name: string,
  path: string,
  depth: number,
  warn: (sentence: string) => void,
): AsyncGenerator<ArchiveEntry> {
  const absolutePath = within(folder, realPath, name)
  const file = await openEntry(absolutePath).catch((error: NodeJS.ErrnoException) => {
    // A site may make files unreadable to a server without root, but not stop its backups.
    if (error.code !== 'EACCES' || !path.startsWith('sites/')) throw error
    warn(`${path} is not in the backup: the server may not read it`)
    return null
  })
  if (file === null) return
  if (!file) {
    const target = await readlink(absolutePath).catch(() => undefined)
    if (target !== undefined) yield linkEntry(path, target)
    return
  }
  try {
    const stats = await file.stat()
    const common = {
      path: `files/${path}`,
      mode: stats.mode & 0o7777,
      uid: stats.uid,
      gid: stats.gid,
      modifiedAt: stats.mtime,
    }
    if (stats.isDirectory()) {
      yield { ...common, type: 'directory', size: 0, content: [] }
      yield* folderEntries(file, join(realPath, name), path, depth + 1, warn)
    } else if (stats.isFile()) {
      const content = contentOf(file, stats, () => warn(`${path} shrank while it was read`))
      yield { ...common, type: 'file', size: stats.size, content }
    }
  } finally {
    await file.close()
  }
}

const linkEntry = (path: string, target: string): ArchiveEntry => ({
  path: `files/${path}`,
  type: 'symlink',
  mode: 0o777,
  uid: 0,
  gid: 0,
  modifiedAt: new Date(0),
  size: 0,
  target,
  content: [],
})

/** Exactly the number of bytes in the header, also when the file changes meanwhile. */
async function* contentOf(file: FileHandle, { size }: Stats, onShrink: () => void) {
  let position = 0
  while (position < size) {
    const length = Math.min(chunkSize, size - position)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
    if (bytesRead === 0) {
      onShrink()
      // Zeros replace the missing part of the file, as in GNU tar.
      for (; position < size; position += chunkSize)
        yield Buffer.alloc(Math.min(chunkSize, size - position))
      return
    }
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

export type FilesRestore = {
  write(entry: ArchiveEntry): Promise<void>
  /** Creates the symlinks, after all files: no file can be written through one. */
  finish(): Promise<void>
}

/** Writes the files of a backup into an empty data folder. */
export async function createFilesRestore(dataDir: string): Promise<FilesRestore> {
  const accounts = await createAccounts(dataDir)
  const links: { path: string; target: string; account: Account | null }[] = []

  /** The account of a site on this machine: the one in the backup if it is free. */
  function accountOf(path: string, { gid }: ArchiveEntry) {
    const [, key] = /^sites\/([^/]+)/.exec(path) ?? []
    if (key === undefined) return null
    accounts.register(key, gid)
    return accounts.claim(key)
  }

  /** Sets owners as `prepareSiteFolders` of the local engine does: only `data` is the site's. */
  async function setOwner(absolutePath: string, path: string, entry: ArchiveEntry) {
    const account = accountOf(path, entry)
    const isSites = /^sites\/[^/]+/.test(path)
    const isData = /^sites\/[^/]+\/data(\/|$)/.test(path)
    const isFolder = entry.type === 'directory'
    let mode = entry.mode & 0o777
    if (isSites && !isData) mode = isFolder ? (account ? 0o750 : 0o700) : account ? 0o640 : 0o600
    if (account) await chown(absolutePath, isData ? account.uid : 0, account.gid)
    await chmod(absolutePath, isFolder ? mode | 0o700 : mode)
  }

  return {
    async write(entry) {
      const path = entry.path.slice('files/'.length)
      requirePathInside(path)
      const absolutePath = join(dataDir, path)
      if (entry.type === 'symlink') {
        links.push({ path, target: entry.target ?? '', account: accountOf(path, entry) })
        return
      }
      if (entry.type === 'directory') await makeFolder(absolutePath)
      else await writeNew(absolutePath, entry)
      await setOwner(absolutePath, path, entry)
    },
    async finish() {
      for (const { path, target, account } of links) {
        await symlink(target, join(dataDir, path))
        if (account) await lchown(join(dataDir, path), account.uid, account.gid)
      }
    },
  }
}

/** Our key is public, so an archive is untrusted: it must not write elsewhere. */
function requirePathInside(path: string) {
  const parts = path.split('/')
  if (path === '' || isOmitted(path) || parts.some((part) => ['', '.', '..'].includes(part)))
    throw new BackupError(`the backup has a file that does not belong in a data folder: ${path}`)
}

/** The folder of the database's passwords exists already: the started database created it. */
async function makeFolder(absolutePath: string) {
  await mkdir(absolutePath).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !(await lstat(absolutePath)).isDirectory()) throw error
  })
}

async function writeNew(absolutePath: string, { content }: ArchiveEntry) {
  const file = await open(absolutePath, 'wx', 0o600)
  try {
    for await (const chunk of content) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
}
