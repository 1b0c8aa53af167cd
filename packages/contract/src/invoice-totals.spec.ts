import { describe, expect, test } from 'vitest'
import { type InvoiceTotal, invoiceTotals, settledAmount } from './invoice-totals.ts'
import { sumAmounts } from './money.ts'

const invoice: Parameters<typeof invoiceTotals>[0] = {
  items: [
    { amount: '10.00000', discountAmount: '0.54000' },
    { amount: '7.43750', discountAmount: '0.00000' },
  ],
  amount: '20.27700',
  tax: { rate: '20', amount: '3.37950' },
  paidAt: null,
  charge: null,
}

const paid = { ...invoice, paidAt: '2026-08-03T00:00:00.000Z' }

const kinds = (lines: InvoiceTotal[]) => lines.map(({ kind }) => kind)

describe('invoiceTotals', () => {
  test('adds up to the cents that a card is charged', () => {
    const lines = invoiceTotals(invoice)
    expect(lines).toMatchObject([
      { kind: 'undiscounted', amount: '17.43750' },
      { kind: 'discount', amount: '-0.54000' },
      { kind: 'subtotal', amount: '16.89750' },
      { kind: 'tax', amount: '3.37950' },
      { kind: 'total', amount: '20.27700' },
      { kind: 'rounding', amount: '0.00300' },
      { kind: 'settled', amount: '20.28000' },
    ])
    const [undiscounted = '', discount = '', subtotal = '', tax = '', total = '', ...rest] =
      lines.map(({ amount }) => amount)
    const [rounding = '', settled] = rest
    expect(sumAmounts([undiscounted, discount])).toBe(subtotal)
    expect(sumAmounts([subtotal, tax])).toBe(total)
    expect(sumAmounts([total, rounding])).toBe(settled)
  })

  test('rounds less than half a cent down', () => {
    expect(invoiceTotals({ ...invoice, amount: '20.27400' }).slice(-2)).toMatchObject([
      { kind: 'rounding', amount: '-0.00400' },
      { kind: 'settled', amount: '20.27000' },
    ])
  })

  test('has no total where nothing lies between it and the amount due', () => {
    const whole = { ...invoice, amount: '20.28000' }
    expect(kinds(invoiceTotals(whole))).toEqual([
      'undiscounted',
      'discount',
      'subtotal',
      'tax',
      'settled',
    ])
  })

  test('omits a discount and a tax of zero', () => {
    const plain = {
      ...invoice,
      items: [{ amount: '8.40000', discountAmount: '0.00000' }],
      amount: '8.40000',
      tax: { rate: '0', amount: '0.00000' },
    }
    expect(kinds(invoiceTotals(plain))).toEqual(['subtotal', 'settled'])
  })

  test('takes the charge of a paid invoice, but no charge that it shares', () => {
    const alone = { chargedAmount: '20.28', invoiceCount: 1 }
    expect(settledAmount({ ...paid, charge: alone })).toBe('20.28000')
    expect(settledAmount({ ...paid, charge: { ...alone, invoiceCount: 2 } })).toBe('20.27700')
    expect(settledAmount(paid)).toBe('20.27700')
  })
})
