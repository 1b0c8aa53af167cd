import { type InvoiceId, payInvoices } from '@slipway/contract/invoices'
import { deletePaymentMethod } from '@slipway/contract/payment-methods'
import { asc, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import type { Tx } from '../../context.ts'
import { outcome, refusal } from '../../testing/matchers.ts'
import { heldUp } from '../../testing/waiting.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { invoices } from '../invoices/invoices.schema.ts'
import { cardOf } from '../payment-methods/payment-methods.fixture.ts'
import { paymentMethods } from '../payment-methods/payment-methods.schema.ts'
import {
  announcements,
  chargesOf,
  invoiceState,
  livePaymentsOf,
  payer,
  paymentsOf,
  standStill,
  updated,
} from './payments.fixture.ts'

let world: World
let other: App
beforeAll(async () => {
  world = await createWorld()
  other = await world.anotherApp()
})
afterAll(() => world.close())

const lockInvoices = (ids: InvoiceId[]) => (tx: Tx) =>
  tx
    .select()
    .from(invoices)
    .where(inArray(invoices.id, ids))
    .orderBy(asc(invoices.id))
    .for('update')

describe('50 payments of one invoice at once, on two servers', () => {
  it.each(['as they come', 'each having found the invoice unpaid'])(
    '%s: one succeeds, the card is charged once',
    async (how) => {
      const person = await payer(world)
      const [invoiceId] = person.invoiceIds
      const events = await announcements(world)
      const call = (app: App) => () =>
        outcome(world.client(person.token, 'en', app)(payInvoices, { body: person.body }))
      const here = Array.from({ length: 8 }, () => call(world.app))
      const there: Promise<string>[] = []
      const allThere = () => {
        for (let place = 0; place < 42; place++) there.push(call(other)())
      }
      // A server has twelve connections: eight of its calls wait for the invoice, and the other server's join.
      const last = () => {
        allThere()
        return call(world.app)()
      }
      const held =
        how === 'as they come'
          ? await Promise.allSettled([...here.slice(1), last].map((each) => each()))
          : await heldUp(world, lockInvoices(person.invoiceIds), [...here.slice(1), last])
      const ended = [...held, ...(await Promise.allSettled(there))]
      const answers = ended.flat().map((each) => (each.status === 'fulfilled' ? each.value : each))
      const [ok, refused] = [
        answers.filter((answer) => answer === 'ok'),
        answers.filter(
          (answer) => answer === 'payment_in_progress' || answer === 'invoice_already_paid',
        ),
      ]
      expect([ok.length, refused.length]).toEqual([1, 49])
      expect(await paymentsOf(world, person)).toMatchObject([{ state: 'succeeded' }])
      expect(await chargesOf(world, person)).toMatchObject([{ amount: '12.50' }])
      expect(await world.mailsTo(person.email)).toHaveLength(1)
      expect(await events.take()).toEqual([updated(String(invoiceId)), updated(String(invoiceId))])
    },
  )
})

describe('overlapping payments at once, on two servers', () => {
  it('charge each invoice once, 30 times in 30', async () => {
    for (let round = 0; round < 30; round++) {
      const person = await payer(world, { count: 3 })
      const [a, b, c] = person.invoiceIds
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
      const calls = sets.map((invoiceIds, place) => () => {
        const client = world.client(person.token, 'en', place % 2 === 0 ? world.app : other)
        return outcome(client(payInvoices, { body: { ...person.body, invoiceIds } }))
      })
      const ended =
        round % 2 === 0
          ? await heldUp(world, lockInvoices([b]), calls)
          : await Promise.allSettled(calls.map((call) => call()))
      const answers = ended.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
      // Of any two sets that share an invoice one is paid.
      expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1)
      const paid = sets[answers.indexOf('ok')] ?? []
      for (const id of [a, b, c]) {
        expect((await invoiceState(world, id)).paid).toBe(paid.includes(id))
        expect(await livePaymentsOf(world, id)).toHaveLength(paid.includes(id) ? 1 : 0)
      }
      expect(await chargesOf(world, person)).toHaveLength(1)
    }
  })
})

describe('a card that is deleted while it is charged', () => {
  it('has paid, and is shown on the invoice', async () => {
    const person = await payer(world)
    const spare = await cardOf(person)
    const body = { ...person.body, paymentMethodId: spare.id }
    const { reached, go } = standStill(world)
    const paying = person.call(payInvoices, { body })
    await reached
    await person.call(deletePaymentMethod, { params: { id: spare.id } })
    // Deleted for whoever looks, and not yet forgotten by the gateway.
    expect(await refusal(person.call(payInvoices, { body }))).toBe('payment_method_not_found')
    go()
    expect(await paying).toMatchObject({ state: 'succeeded' })
    expect(await chargesOf(world, person)).toHaveLength(1)
  })

  it('is declined when the gateway has forgotten it by then, and the invoice is free again', async () => {
    const person = await payer(world)
    const spare = await cardOf(person)
    const body = { ...person.body, paymentMethodId: spare.id }
    const { reached, go, restore } = standStill(world)
    const paying = person.call(payInvoices, { body })
    await reached
    const [card] = await world.ctx.db
      .select({ token: paymentMethods.token })
      .from(paymentMethods)
      .where(eq(paymentMethods.id, spare.id))
    await world.ctx.paymentGateway.remove(card?.token ?? '', AbortSignal.timeout(10_000))
    go()
    expect(await refusal(paying)).toBe('payment_failed')
    restore()
    expect(await chargesOf(world, person)).toEqual([])
    expect(await person.pay()).toMatchObject({ state: 'succeeded' })
  })
})
