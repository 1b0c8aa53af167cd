import { day, hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { refreshDelay, relativeTime } from './relative-time.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

describe('relativeTime', () => {
  it.each([
    [59 * second, 'now'],
    [minute, '1 minute ago'],
    [59 * minute, '59 minutes ago'],
    [3.9 * hour, '3 hours ago'],
    [day, 'yesterday'],
    [8 * day, 'last week'],
    [400 * day, 'last year'],
    [-20 * second, 'now'],
    [-2 * day, 'in 2 days'],
  ])('%d ms ago is "%s"', (ago, text) => {
    expect(relativeTime(now - ago, now, 'en')).toBe(text)
  })

  it('speaks Turkish', () => {
    expect(relativeTime(now - 3 * hour, now, 'tr')).toBe('3 saat önce')
  })

  it('is looked at again within a minute while minutes count', () => {
    expect(refreshDelay(now - 5 * minute, now)).toBeLessThan(minute)
    expect(refreshDelay(now - 5 * hour, now)).toBeLessThan(hour)
  })
})
