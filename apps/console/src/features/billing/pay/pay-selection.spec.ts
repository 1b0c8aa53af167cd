import { type Invoice, payForm } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { locales, m } from '@slipway/phrases'
import { describe, expect, it } from 'vitest'
import { checkForm } from '../../../forms/check-form.ts'
import { initialInvoiceIds, initialMethodId, payableIds } from './pay-selection.ts'

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
    expect(initialInvoiceIds([plain, old], 'plain')).toEqual(['plain'])
  })

  it('are those that somebody had chosen before they added a card', () => {
    expect(initialInvoiceIds([plain, old, declined], 'plain,declined,gone')).toEqual([
      'plain',
      'declined',
    ])
  })

  it('are else those that are overdue, without one that is being paid', () => {
    expect(initialInvoiceIds([plain, old, waiting], undefined)).toEqual(['old'])
    expect(initialInvoiceIds([plain, old, waiting], 'waiting')).toEqual(['old'])
  })

  it('are else all that can be paid', () => {
    expect(initialInvoiceIds([plain, declined, waiting], 'unknown')).toEqual(['plain', 'declined'])
    expect(initialInvoiceIds([waiting], undefined)).toEqual([])
  })
})

describe('more invoices than one payment takes', () => {
  const many = Array.from({ length: 101 }, (_, index) => invoice(`${index}`))
  const ids = many.map(({ id }) => id)

  it('can all be chosen, but for those that are being paid', () => {
    expect(payableIds(many)).toEqual(ids)
    expect(payableIds([...many.slice(0, 2), waiting])).toEqual(['0', '1'])
  })

  it('are not chosen all at first', () => {
    expect(initialInvoiceIds(many, undefined)).toEqual(ids.slice(0, limits.invoicesPerPayment))
  })

  it.each(locales)('are refused with how many it takes: %s', (locale) => {
    const { errors } = checkForm(payForm, { invoiceIds: ids, paymentMethodId: 'm1' })
    expect(errors).toMatchObject({ invoiceIds: { message: 'form_too_many_invoices' } })
    const text = m.form_too_many_invoices({}, { locale })
    expect(text).toContain(` ${limits.invoicesPerPayment} `)
  })
})

describe('the card chosen at first', () => {
  const method = (id: string, expired = false) => ({ id, expired }) as PaymentMethod

  it('is the first that has not expired', () => {
    expect(initialMethodId([method('a', true), method('b'), method('c')])).toBe('b')
    expect(initialMethodId([method('a', true)])).toBeNull()
    expect(initialMethodId([])).toBeNull()
  })

  it('is the one that was added for it, if it is good', () => {
    expect(initialMethodId([method('a'), method('b'), method('c', true)], 'b')).toBe('b')
    expect(initialMethodId([method('a'), method('c', true)], 'c')).toBe('a')
    expect(initialMethodId([method('a')], 'gone')).toBe('a')
  })
})
