import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Makes the folder when it is missing, and gives its real path. Throws one sentence for the
 * operator when it cannot be used.
 */
export function prepareDataDir(path: string): string {
  mkdirSync(path, { recursive: true })
  const dataDir = realpathSync(resolve(path))
  // pg_ctl and initdb put paths between double quotes on a shell's command line.
  if (process.platform !== 'win32' && /["$`\\\n]/.test(dataDir)) {
    throw new Error(`DATA_DIR must not contain quotes, $ or backslashes: ${dataDir}`)
  }
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} belongs to another user. Set DATA_DIR.`, { cause })
  }
  return dataDir
}

export interface FolderLock {
  release(): void
}

const SQLITE_BUSY = 5

// A lock that nothing refers to would be collected as garbage, and opened with that.
const held = new Set<DatabaseSync>()

/**
 * Takes a folder for this process alone, or throws at once when another process, or another
 * caller in this one, has it.
 *
 * It is an exclusive transaction on an empty SQLite file: a lock of the operating system's on
 * every platform, so it ends with the process however that dies, needs no process id that could
 * be somebody else's by now, and is not inherited by children.
 */
export function lockFolder(folder: string): FolderLock {
  const file = new DatabaseSync(join(folder, 'server.lock'))
  try {
    file.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (isBusy(error)) {
      throw new Error(
        `Another server is using the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
      )
    }
    throw error
  }
  held.add(file)
  return {
    release() {
      if (held.delete(file)) file.close()
    },
  }
}

const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
