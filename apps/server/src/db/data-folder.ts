import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf, SettingError } from '../env/setting-error.ts'

/**
 * Makes the folder when it is missing, and gives its real path. Throws a `SettingError` when it cannot
 * be used.
 */
export function prepareDataDir(path: string): string {
  const dataDir = makeFolder(resolve(path))
  // pg_ctl and initdb put paths between double quotes on a shell's command line.
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

/** As `mkdirSync` with `recursive` is meant: that never returns where no folder can be, as below /proc. */
function makeWithParents(path: string) {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeWithParents(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Somebody else has just made it.
    if (!existsSync(path)) throw error
  }
}

export interface FolderLock {
  release(): void
}

const SQLITE_BUSY = 5

// A lock that nothing refers to would be collected as garbage, and opened with that.
const held = new Set<DatabaseSync>()

/**
 * Takes a folder for this process alone, or throws a `SettingError` at once when another process, or
 * another caller in this one, has it.
 *
 * It is an exclusive transaction on an empty SQLite file: a lock of the operating system's on
 * every platform, so it ends with the process however that dies, needs no process id that could
 * be somebody else's by now, and is not inherited by children.
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
  held.add(lock)
  return {
    release() {
      if (held.delete(lock)) lock.close()
    },
  }
}

const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
