import { describe, expect, test } from 'vitest'
import { invoiceLines } from './invoice-lines.ts'
import type { InvoiceItem } from './invoices.ts'

const item = (id: string, given: Partial<Record<keyof InvoiceItem, string | null>> = {}) =>
  ({
    id,
    projectId: 'p',
    product: 'Website',
    price: '0.01250',
    discount: null,
    createdAt: '2026-11-01T00:00:00.000Z',
    ...given,
  }) as unknown as InvoiceItem

const on = (day: number, more: Partial<Record<keyof InvoiceItem, string | null>> = {}) => ({
  createdAt: `2026-11-${String(day).padStart(2, '0')}T00:30:00.000Z`,
  ...more,
})

const linesOf = (...items: InvoiceItem[]) => Object.fromEntries(invoiceLines(items))

describe('invoiceLines', () => {
  test('has no line where a project has one item of a product', () => {
    expect(
      linesOf(item('a'), item('b', { projectId: 'q' }), item('c', { product: 'Backup' })),
    ).toEqual({})
  })

  test('explains items in any order: their hours and what changed', () => {
    const first = on(10).createdAt
    expect(
      linesOf(
        item('d', on(25, { discount: null, price: '0.02000' })),
        item('a', on(1)),
        item('c', on(20, { discount: '0.00300' })),
        item('b', on(10, { discount: '0.00250' })),
      ),
    ).toEqual({
      a: { changedAt: first, change: null },
      b: { changedAt: first, change: 'discount_begins' },
      c: { changedAt: on(20).createdAt, change: 'discount' },
      d: { changedAt: on(25).createdAt, change: 'price' },
    })
  })

  test('explains the end of a discount', () => {
    expect(linesOf(item('a', on(1, { discount: '0.00250' })), item('b', on(9)))).toEqual({
      a: { changedAt: on(9).createdAt, change: null },
      b: { changedAt: on(9).createdAt, change: 'discount_ends' },
    })
  })
})
