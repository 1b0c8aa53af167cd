import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export type FileLock = { release(): void }

const SQLITE_BUSY = 5

// References keep locks from being garbage-collected, which would release them.
const openLocks = new Set<DatabaseSync>()

/**
 * Locks a file, which is created when missing; undefined when another process or caller has the
 * lock.
 *
 * An exclusive transaction on an empty SQLite file is a lock of the operating system on every
 * platform: it ends with the process, needs no process id that could be reused, and is not
 * inherited.
 */
export function tryLock(path: string): FileLock | undefined {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    // A user who can read the file could lock us out with a shared lock.
    chmodSync(path, 0o600)
    file.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    file?.close()
    if (isBusy(error)) return undefined
    throw error
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
