import { hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { refreshDelay } from './relative-time.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

describe('refreshDelay', () => {
  it('is shorter than the unit that is shown', () => {
    expect(refreshDelay(now - 5 * minute, now)).toBeLessThan(minute)
    expect(refreshDelay(now - 5 * hour, now)).toBeLessThan(hour)
  })

  it('is a second while seconds are counted', () => {
    expect(refreshDelay(now - 59 * second, now, true)).toBe(second)
    expect(refreshDelay(now - minute, now, true)).toBeGreaterThan(second)
  })
})
