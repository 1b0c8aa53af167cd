import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readlink, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogSource } from '@slipway/contract/logs'
import type { Hour, LogLayout } from './log-layout.ts'

const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants
const appendFlags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW

/** True if the group may write, too: a gateway runs without root (`shareLogs`). */
const isShared = async (path: string) => ((await stat(path)).mode & 0o020) !== 0

/** How long another process may take between creating a folder and opening it to the group. */
const shareMs = 1_000
const sharePollMs = 5

/**
 * Calls `open`. If it is denied, another process may have just created a path and not shared it
 * with the group yet: then waits until all existing paths are shared, and retries once.
 */
export async function openOnceShared<Result>(
  paths: readonly string[],
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    const end = performance.now() + shareMs
    for (const path of paths)
      while (!(await isShared(path).catch(() => true)) && performance.now() < end)
        await sleep(sharePollMs)
    return open()
  }
}

/**
 * Opens the file of an hour to append to it, and creates it with its folders. Only the members of
 * the group of all logs may read it, or append to it where the logs are shared.
 */
export function openLog(
  layout: LogLayout,
  key: string,
  source: LogSource,
  hour: Hour,
): Promise<FileHandle> {
  const paths = [layout.project(key), layout.folder(key, source), layout.file(key, source, hour)]
  return openOnceShared(paths, () => openFile(layout, key, source, hour))
}

async function openFile(
  layout: LogLayout,
  key: string,
  source: LogSource,
  hour: Hour,
): Promise<FileHandle> {
  const folder = layout.folder(key, source)
  const first = await mkdir(folder, { recursive: true, mode: 0o750 })
  if (process.platform !== 'linux' || !(await isShared(layout.root)))
    return open(layout.file(key, source, hour), appendFlags, 0o640)

  // Not by the mode of mkdir, which is subject to the umask. Folders that exist are shared by the
  // process that created them.
  if (first !== undefined && folder !== first) await chmod(layout.project(key), 0o2770)
  const opened = await openFolder(layout, key, source)
  try {
    if (first !== undefined) await opened.chmod(0o2770)
    const file = await open(inside(opened, `${hour}.log`), appendFlags, 0o640)
    const { size, uid } = await file.stat()
    if (size === 0 && uid === process.geteuid?.()) await file.chmod(0o660)
    return file
  } finally {
    await opened.close()
  }
}

/**
 * A compromised gateway could put links into the shared folders, through which a worker, as root,
 * would write elsewhere: an opened folder must have its own path.
 */
async function openFolder(layout: LogLayout, key: string, source: LogSource): Promise<FileHandle> {
  const folder = await open(layout.folder(key, source), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  const path = await readlink(inside(folder))
  if (path === join(await realpath(layout.root), key, source)) return folder
  await folder.close()
  throw new Error(`${layout.folder(key, source)} leads to ${path}`)
}

/** The path of an open folder, or of a name in it (proc(5)). */
const inside = ({ fd }: FileHandle, name?: string) =>
  ['/proc/self/fd', fd, name].filter((part) => part !== undefined).join('/')
