import { limits } from '@slipway/contract/limits'
import type { Context, Tx } from '../../context.ts'
import { type TooOften, tooOften } from '../../problem.ts'
import * as store from './throttle.store.ts'

const windowStart = (now: Date) => new Date(now.getTime() - limits.attemptWindow)

/** Seconds until the oldest of the counted attempts leaves the window. */
const wait = (oldest: Date, now: Date) =>
  Math.max(1, Math.ceil((oldest.getTime() + limits.attemptWindow - now.getTime()) / 1000))

/**
 * Counts one use of the subject, in the caller's transaction, and gives its number. Throws the problem, and counts nothing,
 * when the last 15 minutes have seen `most` already; uses at the same time are counted one by one.
 */
export async function take(tx: Tx, now: Date, subject: string, most: number, code: TooOften) {
  await store.lock(tx, subject)
  const used = await store.since(tx, subject, windowStart(now), most)
  const oldest = used[0]
  if (oldest && used.length >= most) throw tooOften(code, wait(oldest, now))
  return store.insert(tx, subject, now)
}

/** Takes one use back. */
export const giveBack = (tx: Tx, subject: string, use: bigint) => store.remove(tx, subject, use)

/** Forgets every use of the subject. */
export const forget = (tx: Tx, subject: string) => store.removeAll(tx, subject)

/** Removes what no window can see any more. */
export const tidy = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeBefore(ctx.db, windowStart(ctx.clock.now()))
