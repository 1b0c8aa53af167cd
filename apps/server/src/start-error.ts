import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/**
 * Why a child process has not started, which its missing `pid` tells. To be called before the event
 * loop runs again: the error event of a child without a listener ends the server. Without file
 * descriptors a child also lacks its streams and, of `fork`, `send`.
 */
export const startError = async (child: ChildProcess): Promise<Error> => {
  const [error] = await once(child, 'error')
  return error as Error
}
