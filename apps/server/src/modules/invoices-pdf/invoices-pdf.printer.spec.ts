import type { Amount } from '@slipway/contract/amount'
import { expect, it } from 'vitest'
import { newId } from '../../db/ids.ts'
import type { Problem } from '../../problem.ts'
import { textsOf } from './invoices-pdf.fixture.ts'
import type { PrintedInvoice } from './invoices-pdf.printed.ts'
import { print } from './invoices-pdf.printer.ts'

const outcome = (printing: Promise<unknown>) =>
  printing.then(
    () => 'ok',
    (problem: Problem) => problem.code,
  )

const printed = (): PrintedInvoice => ({
  locale: 'en',
  invoice: {
    id: newId<'Invoice'>(),
    number: 'SW-2026-000001',
    amount: '1.00000' as Amount,
    createdAt: '2026-10-01T00:00:00.000Z',
    endsAt: '2026-11-01T00:00:00.000Z',
    issuedAt: '2026-11-01T00:05:00.000Z',
    paidAt: null,
    payment: null,
    overdue: false,
    items: [],
    seller: { name: 'Slipway', address: [], taxNumber: null },
    tax: { rate: '0', amount: '0.00000' as Amount },
    billedTo: { name: 'Ada Example', email: 'ada@example.com', taxNumber: null, address: null },
    dueAt: '2026-11-02T00:05:00.000Z',
    paidWith: null,
    charge: null,
  },
})

it("print rejects requests beyond the queue's limit, and accepts them again once the queue is empty", async () => {
  const all = Array.from({ length: 51 }, () => outcome(print(printed())))
  expect(await all[50]).toBe('unavailable')
  expect(new Set(await Promise.all(all.slice(0, 50)))).toEqual(new Set(['ok']))
  expect(await outcome(print(printed()))).toBe('ok')
})

it('print skips a client that disconnected while queued', async () => {
  let isGone = false
  const first = print(printed())
  const second = outcome(print(printed(), () => isGone))
  isGone = true
  const { invoice } = printed()
  const third = print({ ...printed(), invoice })
  expect((await textsOf(await first)).flat()).toContain('Ada Example')
  expect(await second).toBe('unavailable')
  expect((await textsOf(await third)).flat().join()).toContain(invoice.id)
})
