import { sql } from 'drizzle-orm'
import type { Tx } from '../context.ts'
import { until } from './until.ts'
import type { World } from './world.ts'

/**
 * Holds what `lock` locks while the calls begin one after the other, so that each of them has looked at
 * what it changes and waits in line for the others; gives how they ended once they may go on.
 */
export async function heldUp<Result>(
  { ctx }: Pick<World, 'ctx'>,
  lock: (tx: Tx) => Promise<unknown>,
  calls: (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const waiting = async () => {
    const { rowCount } = await ctx.db.execute(sql`
      select distinct pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`)
    return rowCount ?? 0
  }
  const begun: Promise<Result>[] = []
  let ended = 0
  await ctx.write(async (tx) => {
    await lock(tx)
    for (const call of calls) {
      const promise = call()
      begun.push(promise)
      const count = () => void ended++
      promise.then(count, count)
      // A call that is refused without waiting has ended.
      await until(async () => (await waiting()) + ended >= begun.length)
    }
  })
  return Promise.allSettled(begun)
}
