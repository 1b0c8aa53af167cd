import type { Invoice } from '@slipway/contract/invoices'
import { day, hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { overdueRefetchInterval } from './overdue-refetch.ts'

const now = Date.parse('2026-11-20T10:00:00.000Z')
const issuedAgo = (age: number, overdue = false) =>
  ({ issuedAt: new Date(now - age).toISOString(), overdue }) as Invoice

describe('overdueRefetchInterval', () => {
  it('ends a second after the first invoice becomes overdue', () => {
    const unpaid = [issuedAgo(day - minute), issuedAgo(day - 2 * minute)]
    expect(overdueRefetchInterval(unpaid, now)).toBe(minute + second)
  })

  it('is at most five minutes', () => {
    expect(overdueRefetchInterval([issuedAgo(hour)], now)).toBe(5 * minute)
  })

  it('is 30 seconds while the server does not consider the invoice overdue yet', () => {
    expect(overdueRefetchInterval([issuedAgo(day + minute)], now)).toBe(30 * second)
  })

  it('is off without unpaid invoices and when all of them are overdue', () => {
    expect(overdueRefetchInterval([], now)).toBe(false)
    expect(overdueRefetchInterval([issuedAgo(2 * day, true)], now)).toBe(false)
  })
})
