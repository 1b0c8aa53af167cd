import { day, hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { refreshDelay, relativeTime } from './relative-time.ts'

// Noon where the test runs: a date is the same there whatever its time zone.
const now = new Date(2026, 10, 20, 12).getTime()

describe('relativeTime', () => {
  it.each([
    [59 * second, 'now'],
    [minute, '1 minute ago'],
    [59 * minute, '59 minutes ago'],
    [3.9 * hour, '3 hours ago'],
    [day, 'yesterday'],
    [2 * day, '2 days ago'],
    [6.9 * day, '6 days ago'],
    [7 * day, 'Nov 13, 2026'],
    [400 * day, 'Oct 16, 2025'],
    [-20 * second, 'now'],
    [-59 * minute, 'now'],
    [-2 * day, 'Nov 22, 2026'],
  ])('%d ms ago is "%s"', (ago, text) => {
    expect(relativeTime(now - ago, now, 'en')).toBe(text)
  })

  it('speaks Turkish', () => {
    expect(relativeTime(now - 3 * hour, now, 'tr')).toBe('3 saat önce')
    expect(relativeTime(now - 8 * day, now, 'tr')).toBe('12 Kas 2026')
  })

  it('is looked at again within a minute while minutes count', () => {
    expect(refreshDelay(now - 5 * minute, now)).toBeLessThan(minute)
    expect(refreshDelay(now - 5 * hour, now)).toBeLessThan(hour)
  })
})
