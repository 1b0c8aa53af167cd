import { serviceLimits } from '@slipway/contract/service-limits'
import pLimit from 'p-limit'
import { Problem } from '../../problem.ts'

/** The number of libuv's threads: further hashes would only wait there, and block files and DNS. */
const queue = pLimit(4)

/** In seconds: the time in which a full queue empties. */
const retryAfter = 2

/**
 * Runs work that hashes a password, a few at once. Throws `unavailable` when many wait: in a storm
 * of logins some are rejected at once, instead of all after their clients time out.
 */
export async function inPasswordQueue<Result>(work: () => Promise<Result>): Promise<Result> {
  if (queue.pendingCount >= serviceLimits.waitingPasswords)
    throw new Problem('unavailable', { retryAfter })
  return queue(work)
}
