import type { Invoice } from '@slipway/contract/invoices'
import { day, hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { overdueRefetchInterval } from './overdue-refetch.ts'

const now = Date.parse('2026-11-20T10:00:00.000Z')
const issuedAgo = (age: number, { overdue = false, paidAt = null as string | null } = {}) =>
  ({ issuedAt: new Date(now - age).toISOString(), overdue, paidAt }) as Invoice

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
    const paid = issuedAgo(hour, { paidAt: new Date(now).toISOString() })
    expect(overdueRefetchInterval([], now)).toBe(false)
    expect(overdueRefetchInterval([paid], now)).toBe(false)
    expect(overdueRefetchInterval([issuedAgo(2 * day, { overdue: true })], now)).toBe(false)
  })
})
