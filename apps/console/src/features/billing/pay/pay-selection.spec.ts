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

describe('initialInvoiceIds', () => {
  it('selects the invoice that the user came from', () => {
    expect(initialInvoiceIds([plain, old], 'plain')).toEqual(['plain'])
  })

  it('selects the invoices that were selected before a card was added', () => {
    expect(initialInvoiceIds([plain, old, declined], 'plain,declined,gone')).toEqual([
      'plain',
      'declined',
    ])
  })

  it('selects the overdue invoices without a payment in progress if no payable one is requested', () => {
    expect(initialInvoiceIds([plain, old, waiting], undefined)).toEqual(['old'])
    expect(initialInvoiceIds([plain, old, waiting], 'waiting')).toEqual(['old'])
  })

  it('selects all payable invoices if none is overdue and no payable one is requested', () => {
    expect(initialInvoiceIds([plain, declined, waiting], 'unknown')).toEqual(['plain', 'declined'])
    expect(initialInvoiceIds([waiting], undefined)).toEqual([])
  })
})

describe('more invoices than one payment accepts', () => {
  const many = Array.from({ length: 101 }, (_, index) => invoice(`${index}`))
  const ids = many.map(({ id }) => id)

  it('are all payable, except those whose payment is in progress', () => {
    expect(payableIds(many)).toEqual(ids)
    expect(payableIds([...many.slice(0, 2), waiting])).toEqual(['0', '1'])
  })

  it('are not all selected initially', () => {
    expect(initialInvoiceIds(many, undefined)).toEqual(ids.slice(0, limits.invoicesPerPayment))
  })

  it.each(locales)('are rejected with the maximum number: %s', (locale) => {
    const { errors } = checkForm(payForm, { invoiceIds: ids, paymentMethodId: 'm1' })
    expect(errors).toMatchObject({ invoiceIds: { message: 'form_too_many_invoices' } })
    const text = m.form_too_many_invoices({}, { locale })
    expect(text).toContain(` ${limits.invoicesPerPayment} `)
  })
})

describe('initialMethodId', () => {
  const method = (id: string, expired = false) => ({ id, expired }) as PaymentMethod

  it('is the first card that has not expired', () => {
    expect(initialMethodId([method('a', true), method('b'), method('c')])).toBe('b')
    expect(initialMethodId([method('a', true)])).toBeNull()
    expect(initialMethodId([])).toBeNull()
  })

  it('is the newly added card if it is usable', () => {
    expect(initialMethodId([method('a'), method('b'), method('c', true)], 'b')).toBe('b')
    expect(initialMethodId([method('a'), method('c', true)], 'c')).toBe('a')
    expect(initialMethodId([method('a')], 'gone')).toBe('a')
  })
})
