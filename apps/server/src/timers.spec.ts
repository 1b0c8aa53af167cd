import { expect, it } from 'vitest'
import { createTimers } from './timers.ts'

it('a timer reports its run as the first of the process until a run has succeeded', async () => {
  const stopping = new AbortController()
  const runs: boolean[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const ctx = { forJobs: () => ctx, log: { error() {} }, stopping: stopping.signal } as never
  const timers = createTimers(ctx, [
    {
      name: 'example',
      every: 1,
      async run(_ctx, isFirst) {
        runs.push(isFirst)
        if (runs.length === 1) throw new Error('the database is unavailable')
        if (runs.length === 3) resolve()
      },
    },
  ])
  timers.start()
  await promise
  stopping.abort()
  await timers.stop()
  expect(runs.slice(0, 3)).toEqual([true, true, false])
})
