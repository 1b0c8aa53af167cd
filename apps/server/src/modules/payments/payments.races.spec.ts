import { type InvoiceId, payInvoices } from '@slipway/contract/invoices'
import { deletePaymentMethod } from '@slipway/contract/payment-methods'
import { asc, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import type { Tx } from '../../context.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { invoices } from '../invoices/invoices.schema.ts'
import { cardOf, tokenOf } from '../payment-methods/payment-methods.fixture.ts'
import {
  chargesOf,
  invoiceState,
  listenToEvents,
  livePaymentsOf,
  pauseCharge,
  payer,
  paymentsOf,
  updated,
} from './payments.fixture.ts'

let world: World
let otherApp: App
beforeAll(async () => {
  world = await createWorld()
  otherApp = await world.anotherApp()
})
afterAll(() => world.close())

const lockInvoices = (ids: InvoiceId[]) => (tx: Tx) =>
  tx
    .select()
    .from(invoices)
    .where(inArray(invoices.id, ids))
    .orderBy(asc(invoices.id))
    .for('update')

describe('50 concurrent payments of one invoice on two servers', () => {
  it.each(['without a lock', 'with all of them waiting for the invoice'])(
    'charge the card once, and one succeeds, %s',
    async (how) => {
      const user = await payer(world)
      const [invoiceId] = user.invoiceIds
      const events = await listenToEvents(world)
      const call = (app: App) => () =>
        outcome(world.client(user.token, 'en', app)(payInvoices, { body: user.body }))
      const firstCalls = Array.from({ length: 8 }, () => call(world.app))
      const secondCalls: Promise<string>[] = []
      const startThere = () => {
        for (let count = 0; count < 42; count++) secondCalls.push(call(otherApp)())
      }
      // Eight calls of this server wait for the invoice; the last one also starts the other
      // server's.
      const last = () => {
        startThere()
        return call(world.app)()
      }
      const results =
        how === 'without a lock'
          ? await Promise.allSettled([...firstCalls.slice(1), last].map((each) => each()))
          : await runBehindLock(world, lockInvoices(user.invoiceIds), [
              ...firstCalls.slice(1),
              last,
            ])
      const settled = [...results, ...(await Promise.allSettled(secondCalls))]
      const outcomes = settled
        .flat()
        .map((each) => (each.status === 'fulfilled' ? each.value : each))
      const [succeeded, rejected] = [
        outcomes.filter((code) => code === 'ok'),
        outcomes.filter(
          (code) => code === 'payment_in_progress' || code === 'invoice_already_paid',
        ),
      ]
      expect([succeeded.length, rejected.length]).toEqual([1, 49])
      expect(await paymentsOf(world, user)).toMatchObject([{ state: 'succeeded' }])
      expect(await chargesOf(world, user)).toMatchObject([{ amount: '12.50' }])
      expect(await world.mailsTo(user.email)).toHaveLength(1)
      expect(await events.take()).toEqual([updated(String(invoiceId)), updated(String(invoiceId))])
    },
  )
})

describe('concurrent payments with common invoices on two servers', () => {
  it('charge each invoice once, in each of 30 rounds', async () => {
    for (let round = 0; round < 30; round++) {
      const user = await payer(world, { count: 3 })
      const [a, b, c] = user.invoiceIds
      if (!a || !b || !c) throw new Error('three invoices are needed')
      const sets =
        round % 4 < 2
          ? [
              [a, b],
              [b, c],
            ]
          : [
              [b, a],
              [c, b],
              [c, a],
            ]
      const calls = sets.map((invoiceIds, index) => () => {
        const client = world.client(user.token, 'en', index % 2 === 0 ? world.app : otherApp)
        return outcome(client(payInvoices, { body: { ...user.body, invoiceIds } }))
      })
      const settled =
        round % 2 === 0
          ? await runBehindLock(world, lockInvoices([b]), calls)
          : await Promise.allSettled(calls.map((call) => call()))
      const outcomes = settled.map((each) =>
        each.status === 'fulfilled' ? each.value : each.reason,
      )
      // Any two sets share an invoice, so exactly one is paid.
      expect(outcomes.filter((code) => code === 'ok')).toHaveLength(1)
      const paid = sets[outcomes.indexOf('ok')] ?? []
      for (const id of [a, b, c]) {
        expect((await invoiceState(world, id)).paid).toBe(paid.includes(id))
        expect(await livePaymentsOf(world, id)).toHaveLength(paid.includes(id) ? 1 : 0)
      }
      expect(await chargesOf(world, user)).toHaveLength(1)
    }
  })
})

describe('a card that is deleted during its charge', () => {
  it('still pays the invoice', async () => {
    const user = await payer(world)
    const spare = await cardOf(user)
    const body = { ...user.body, paymentMethodId: spare.id }
    const { reached, resume } = pauseCharge(world)
    const paying = user.call(payInvoices, { body })
    await reached
    await user.call(deletePaymentMethod, { params: { id: spare.id } })
    // Deleted for users, but not yet removed from the gateway.
    expect(await errorCodeOf(user.call(payInvoices, { body }))).toBe('payment_method_not_found')
    resume()
    expect(await paying).toMatchObject({ state: 'succeeded' })
    expect(await chargesOf(world, user)).toHaveLength(1)
  })

  it('is declined when the gateway has removed it already, and the invoice is payable again', async () => {
    const user = await payer(world)
    const spare = await cardOf(user)
    const body = { ...user.body, paymentMethodId: spare.id }
    const { reached, resume, restore } = pauseCharge(world)
    const paying = user.call(payInvoices, { body })
    await reached
    const token = await tokenOf(world, spare.id)
    await world.ctx.paymentGateway.remove(token, AbortSignal.timeout(10_000))
    resume()
    expect(await errorCodeOf(paying)).toBe('payment_failed')
    restore()
    expect(await chargesOf(world, user)).toEqual([])
    expect(await user.pay()).toMatchObject({ state: 'succeeded' })
  })
})
