import { sql } from 'drizzle-orm'
import type { Tx } from '../context.ts'
import { until } from './until.ts'
import type { World } from './world.ts'

/**
 * Starts the calls one after the other while a lock is held, so that they wait for it in this
 * order. Then releases the lock and returns the results of the calls.
 */
export async function runBehindLock<Result>(
  { ctx }: Pick<World, 'ctx'>,
  lock: (tx: Tx) => Promise<unknown>,
  calls: (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const countWaiting = async () => {
    const { rowCount } = await ctx.db.execute(sql`
      select distinct pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`)
    return rowCount ?? 0
  }
  const started: Promise<Result>[] = []
  let settled = 0
  await ctx.write(async (tx) => {
    await lock(tx)
    for (const call of calls) {
      const promise = call()
      started.push(promise)
      const count = () => void settled++
      promise.then(count, count)
      // A call that is rejected without waiting has settled.
      await until(async () => (await countWaiting()) + settled >= started.length)
    }
  })
  return Promise.allSettled(started)
}
