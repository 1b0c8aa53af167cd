import type { Invoice } from '@slipway/contract/invoices'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { describe, expect, it } from 'vitest'
import { firstChoice, firstMethod, payableIds } from './pay-selection.ts'

const invoice = (id: string, more: Partial<Invoice> = {}) =>
  ({ id, paidAt: null, payment: null, overdue: false, ...more }) as Invoice
const inProgress = { payment: { state: 'in_progress', failure: null } } as const
const failed = { payment: { state: 'failed', failure: 'card_declined' } } as const

const [plain, old, declined, waiting] = [
  invoice('plain'),
  invoice('old', { overdue: true }),
  invoice('declined', failed),
  invoice('waiting', { overdue: true, ...inProgress }),
]

describe('the invoices chosen at first', () => {
  it('are the one that somebody came from', () => {
    expect(firstChoice([plain, old], 'plain')).toEqual(['plain'])
  })

  it('are else those that are overdue, without one that is being paid', () => {
    expect(firstChoice([plain, old, waiting], undefined)).toEqual(['old'])
    expect(firstChoice([plain, old, waiting], 'waiting')).toEqual(['old'])
  })

  it('are else all that can be paid', () => {
    expect(firstChoice([plain, declined, waiting], 'unknown')).toEqual(['plain', 'declined'])
    expect(firstChoice([waiting], undefined)).toEqual([])
  })
})

describe('the invoices that can be paid', () => {
  it('are as many as one payment takes', () => {
    const many = Array.from({ length: 101 }, (_, index) => invoice(`${index}`))
    expect(payableIds(many)).toHaveLength(100)
    expect(payableIds([...many.slice(0, 2), waiting])).toEqual(['0', '1'])
  })
})

describe('the card chosen at first', () => {
  const method = (id: string, expired = false) => ({ id, expired }) as PaymentMethod

  it('is the first that has not expired', () => {
    expect(firstMethod([method('a', true), method('b'), method('c')])).toBe('b')
    expect(firstMethod([method('a', true)])).toBeNull()
    expect(firstMethod([])).toBeNull()
  })
})
