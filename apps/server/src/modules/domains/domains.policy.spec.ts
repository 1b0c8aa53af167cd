import { hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { nextCheckAt } from './domains.policy.ts'

const now = new Date('2026-11-20T12:00:00Z')
const later = new Date(now.getTime() + minute)
const delay = (domain: Parameters<typeof nextCheckAt>[0]) =>
  nextCheckAt(domain, now).getTime() - now.getTime()

describe('the next check of a domain', () => {
  it('is due every six hours while the name leads here', () => {
    expect(delay({ state: 'active', misses: 0, watchedUntil: null })).toBe(6 * hour)
  })

  it.each(['pending', 'failed', 'active'] as const)(
    'is due after minutes, then hourly, for a %s name that does not lead here',
    (state) => {
      const delays = [1, 2, 3, 4, 5, 50].map((misses) =>
        delay({ state, misses, watchedUntil: null }),
      )
      expect(delays).toEqual([minute, 2 * minute, 5 * minute, 10 * minute, hour, hour])
    },
  )

  it('is due after a minute for a name that leads here, but is not proven yet', () => {
    expect(delay({ state: 'pending', misses: 0, watchedUntil: null })).toBe(minute)
  })

  it('is due within seconds while a user waits for the result, less often later', () => {
    const watched = (misses: number) => delay({ state: 'pending', misses, watchedUntil: later })
    const delays = Array.from({ length: 60 }, (_, misses) => watched(misses))
    expect(delays[0]).toBe(5 * second)
    expect(delays).toEqual([...delays].sort((first, second) => first - second))
    expect(delays.at(-1)).toBe(30 * second)
    expect(delay({ state: 'active', misses: 0, watchedUntil: later })).toBe(30 * second)
  })

  it('is no longer due within seconds once the user stopped waiting', () => {
    expect(delay({ state: 'pending', misses: 1, watchedUntil: now })).toBe(minute)
  })
})
