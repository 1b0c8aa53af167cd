import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { reasonOf, SettingError } from '../env/setting-error.ts'
import { type FileLock, tryLock } from '../file-lock.ts'

/**
 * Creates the folder when missing and returns its real path. Throws a `SettingError` when it is not
 * usable.
 */
export function prepareDataDir(path: string): string {
  const dataDir = makeFolder(resolve(path))
  // pg_ctl and initdb put paths in double quotes on a shell command line.
  if (process.platform !== 'win32' && /["$`\\\n]/.test(dataDir)) {
    throw new SettingError(
      `DATA_DIR must not contain double quotes, backticks, $, backslashes or line breaks, but is ${JSON.stringify(dataDir)}`,
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

/**
 * Locks a folder for this caller. Throws a `SettingError` at once when another process or caller
 * has the lock.
 */
export function lockFolder(folder: string): FileLock {
  const path = join(folder, 'server.lock')
  const lockError = (problem: string, cause?: unknown) =>
    new SettingError(`DATA_DIR must be a folder for this server alone, but ${problem}`, { cause })
  let lock: FileLock | undefined
  try {
    lock = tryLock(path)
  } catch (cause) {
    throw lockError(`${path} cannot be locked: ${reasonOf(cause)}`, cause)
  }
  if (lock) return lock
  throw lockError(`another server is using ${folder}: stop it, or choose another folder`)
}
