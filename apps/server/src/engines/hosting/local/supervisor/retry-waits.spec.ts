import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRetryWaits } from './retry-waits.ts'

afterEach(() => void vi.useRealTimers())

describe('createRetryWaits', () => {
  it('doubles the wait of an attempt up to its maximum, and not that of another one', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const waits = createRetryWaits({ initialMs: 10, maxMs: 30 })
    const error = new Error('unhealthy')
    for (const wait of [10, 20, 30, 30]) {
      waits.record('site', 'change', error)
      vi.advanceTimersByTime(wait - 1)
      expect(() => waits.throwIfWaiting('site', 'change')).toThrow(error)
      expect(() => waits.throwIfWaiting('site', 'another change')).not.toThrow()
      vi.advanceTimersByTime(1)
      expect(() => waits.throwIfWaiting('site', 'change')).not.toThrow()
    }
    waits.record('site', 'another change', error)
    vi.advanceTimersByTime(10)
    expect(() => waits.throwIfWaiting('site', 'another change')).not.toThrow()
  })
})
