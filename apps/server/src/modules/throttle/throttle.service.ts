import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context, Tx } from '../../context.ts'
import { type TooOften, tooOften } from '../../problem.ts'
import * as store from './throttle.store.ts'

const windowStart = (now: Date) => new Date(now.getTime() - serviceLimits.attemptWindow)

/** Seconds until the oldest use leaves the window. */
const secondsToWait = (oldest: Date, now: Date) =>
  Math.max(1, Math.ceil((oldest.getTime() + serviceLimits.attemptWindow - now.getTime()) / 1000))

/**
 * Counts one use of the subject in the caller's transaction; returns an id for `undo`. Throws
 * the problem `code`, without counting, after `limit` uses in 15 minutes. Concurrent calls wait in
 * line.
 */
export async function consume(tx: Tx, now: Date, subject: string, limit: number, code: TooOften) {
  await store.lock(tx, subject)
  const uses = await store.listSince(tx, subject, windowStart(now), limit)
  const oldest = uses[0]
  if (oldest && uses.length >= limit) throw tooOften(code, secondsToWait(oldest, now))
  return store.insert(tx, subject, now)
}

/**
 * The uses of a subject in the window, at most `limit`, in the caller's transaction. Other
 * transactions that consume or count it wait for this one.
 */
export async function count(tx: Tx, now: Date, subject: string, limit: number): Promise<number> {
  await store.lock(tx, subject)
  return (await store.listSince(tx, subject, windowStart(now), limit)).length
}

/** Adds a use of a counted subject; returns an id for `undo`. */
export const add = (tx: Tx, now: Date, subject: string) => store.insert(tx, subject, now)

/** Undoes one use, by its id. */
export const undo = (tx: Tx, subject: string, id: bigint) => store.remove(tx, subject, id)

/** Resets the subject's count. */
export const reset = (tx: Tx, subject: string) => store.removeAll(tx, subject)

/** Removes the uses that have left the window. */
export const removeExpired = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeBefore(ctx.db, windowStart(ctx.clock.now()))
