import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

const options = { initialMs: 100, maxMs: 1_000 }

describe('the backoff of calls to a cluster', () => {
  it.each([
    { failures: 0, shortest: 50, middle: 75, longest: 100 },
    { failures: 1, shortest: 100, middle: 150, longest: 200 },
    { failures: 2, shortest: 200, middle: 300, longest: 400 },
    { failures: 3, shortest: 400, middle: 600, longest: 800 },
    { failures: 4, shortest: 500, middle: 750, longest: 1_000 },
    { failures: 5_000, shortest: 500, middle: 750, longest: 1_000 },
  ])(
    'after $failures failures waits from $shortest to $longest ms, by chance',
    ({ failures, shortest, middle, longest }) => {
      const waits = [0, 0.5, 1].map((random) => backoffMs(failures, options, random))
      expect(waits).toEqual([shortest, middle, longest])
    },
  )

  it('differs between callers', () => {
    const waits = new Set(Array.from({ length: 10 }, () => backoffMs(0, options)))
    expect(waits.size).toBeGreaterThan(1)
  })
})
