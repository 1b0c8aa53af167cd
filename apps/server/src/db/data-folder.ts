import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf, SettingError } from '../env/setting-error.ts'

/**
 * Creates the folder when missing and returns its real path. Throws a `SettingError` when it is not
 * usable.
 */
export function prepareDataDir(path: string): string {
  const dataDir = makeFolder(resolve(path))
  // pg_ctl and initdb put paths in double quotes on a shell command line.
  if (process.platform !== 'win32' && /["$`\\\n]/.test(dataDir)) {
    throw new SettingError(
      `DATA_DIR must not contain quotes, $, backslashes or line breaks, but is ${JSON.stringify(dataDir)}`,
    )
  }
  return dataDir
}

function makeFolder(path: string) {
  try {
    makeWithParents(path)
    const folder = realpathSync(path)
    if (statSync(folder).isDirectory()) {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      return folder
    }
  } catch (cause) {
    throw new SettingError(
      `DATA_DIR must be a folder that this user may write to, but ${path} is not: ${reasonOf(cause)}`,
      { cause },
    )
  }
  throw new SettingError(`DATA_DIR must be a folder, but ${path} is a file`)
}

/**
 * Replaces recursive `mkdirSync`, which never returns for impossible paths, such as below /proc.
 */
function makeWithParents(path: string) {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeWithParents(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process has just created it.
    if (!existsSync(path)) throw error
  }
}

export interface FolderLock {
  release(): void
}

const SQLITE_BUSY = 5

// References keep locks from being garbage-collected, which would release them.
const openLocks = new Set<DatabaseSync>()

/**
 * Locks a folder for this caller. Throws a `SettingError` at once when another process or caller
 * has the lock.
 *
 * An exclusive transaction on an empty SQLite file is a lock of the operating system on every
 * platform: it ends with the process, needs no process id that could be reused, and is not
 * inherited.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, 'server.lock')
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    file.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (cause) {
    file?.close()
    const problem = isBusy(cause)
      ? `another server is using ${folder}: stop it, or choose another folder`
      : `${path} cannot be locked: ${reasonOf(cause)}`
    throw new SettingError(`DATA_DIR must be a folder for this server alone, but ${problem}`, {
      cause,
    })
  }
  const lock = file
  openLocks.add(lock)
  return {
    release() {
      if (openLocks.delete(lock)) lock.close()
    },
  }
}

const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
