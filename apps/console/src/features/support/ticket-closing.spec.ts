import { hour } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { closingTime } from './ticket-closing.ts'

describe('closingTime', () => {
  it('is a day after the ticket was resolved', () => {
    const resolvedAt = '2026-11-20T10:00:00.000Z'
    expect(closingTime({ resolvedAt })).toBe(Date.parse(resolvedAt) + 24 * hour)
  })

  it('is null for an open ticket', () => {
    expect(closingTime({ resolvedAt: null })).toBeNull()
  })
})
