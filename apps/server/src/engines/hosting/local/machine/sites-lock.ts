import { setTimeout as delay } from 'node:timers/promises'
import { type FileLock, tryLock } from '../../../../file-lock.ts'

const pollMs = 100

/**
 * Locks the sites of a data folder for this server, so that no site runs twice. Waits while another
 * server has the lock, which is released however that server ends. Rejects when the signal aborts.
 */
export const lockSites = async (
  file: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<FileLock> => {
  let lock = tryLock(file)
  if (!lock) onWait()
  while (!lock) {
    await delay(pollMs, undefined, { signal })
    lock = tryLock(file)
  }
  return lock
}
