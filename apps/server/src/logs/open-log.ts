import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogSource } from '@slipway/contract/logs'
import { nullIfMissing } from '../file-errors.ts'
import { removeLogs } from './log-files.ts'
import type { Hour, LogLayout } from './log-layout.ts'

const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants
const appendFlags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW
const sharedMode = 0o2770

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

/** A file that is open, and whether its project's folder was created for it. */
type OpenFile = { file: FileHandle; isFirst: boolean }

/** False for a project that is deleted, or is being deleted. */
export type ProjectExists = (key: string) => Promise<boolean>

/**
 * Opens the file of an hour to append to it, and creates it with its folders. Only the members of
 * the group of all logs may read it, or append to it where the logs are shared. Null for a deleted
 * project, whose logs stay removed.
 */
export async function openLog(
  layout: LogLayout,
  key: string,
  source: LogSource,
  hour: Hour,
  exists: ProjectExists,
): Promise<FileHandle | null> {
  const paths = [layout.project(key), layout.folder(key, source), layout.file(key, source, hour)]
  const opened = await openOnceShared(paths, () => openFile(layout, key, source, hour))
  const { file, isFirst } = opened
  if (!isFirst) return file
  // After the folder was created: a deletion that `exists` does not see yet will remove the folder.
  let mayStay = false
  try {
    mayStay = await exists(key)
  } finally {
    if (!mayStay) {
      await file.close()
      await removeLogs(layout, key)
    }
  }
  return mayStay ? file : null
}

async function openFile(
  layout: LogLayout,
  key: string,
  source: LogSource,
  hour: Hour,
): Promise<OpenFile> {
  const shared = process.platform === 'linux' && (await nullIfMissing(isShared(layout.root)))
  if (!shared) {
    const path = layout.folder(key, source)
    const firstCreated = await mkdir(path, { recursive: true, mode: 0o750 })
    const file = await open(layout.file(key, source, hour), appendFlags, 0o640)
    return { file, isFirst: firstCreated !== undefined && firstCreated !== path }
  }
  const { folder, isFirst } = await openSharedFolder(layout, key, source)
  try {
    const file = await open(inside(folder, `${hour}.log`), appendFlags, 0o640)
    const { size } = await file.stat()
    if (size === 0 && (await isOwn(file))) await file.chmod(0o660)
    return { file, isFirst }
  } finally {
    await folder.close()
  }
}

/**
 * Opens the folder of a source, and creates it and the project's. A compromised gateway could put
 * links into the shared folders, through which a worker, as root, would write elsewhere: so each
 * folder is created, opened and shared by the descriptor of the one above.
 */
async function openSharedFolder(
  layout: LogLayout,
  key: string,
  source: LogSource,
): Promise<{ folder: FileHandle; isFirst: boolean }> {
  const root = await open(layout.root, O_RDONLY | O_DIRECTORY)
  const project = await openOrCreate(inside(root, key)).finally(() => root.close())
  const { folder } = await openOrCreate(inside(project.folder, source)).finally(() =>
    project.folder.close(),
  )
  return { folder, isFirst: project.wasCreated }
}

async function openOrCreate(path: string): Promise<{ folder: FileHandle; wasCreated: boolean }> {
  const wasCreated = await mkdir(path, { mode: 0o750 }).then(
    () => true,
    (error) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )
  const folder = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    // Not by the mode of mkdir, which is subject to the umask. An existing folder may be unshared:
    // its process was killed.
    const { mode } = await folder.stat()
    if ((mode & 0o7777) !== sharedMode && (await isOwn(folder))) await folder.chmod(sharedMode)
    return { folder, wasCreated }
  } catch (error) {
    await folder.close()
    throw error
  }
}

/** True if this process created the file or folder. */
const isOwn = async (handle: FileHandle) => (await handle.stat()).uid === process.geteuid?.()

/** The path of a name in an open folder (proc(5)). */
const inside = ({ fd }: FileHandle, name: string) => `/proc/self/fd/${fd}/${name}`
