import { hour, minute } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { refreshDelay } from './relative-time.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

describe('refreshDelay', () => {
  it('is less than a minute while a time is minutes ago', () => {
    expect(refreshDelay(now - 5 * minute, now)).toBeLessThan(minute)
    expect(refreshDelay(now - 5 * hour, now)).toBeLessThan(hour)
  })
})
