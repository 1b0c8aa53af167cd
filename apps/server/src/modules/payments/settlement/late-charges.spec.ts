import { payInvoices } from '@slipway/contract/invoices'
import { day, minute, second } from '@slipway/contract/limits'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../../context.ts'
import { outcome, refusal } from '../../../testing/matchers.ts'
import { until } from '../../../testing/until.ts'
import { heldUp } from '../../../testing/waiting.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import {
  chargesOf,
  chargesSilently,
  gatewayThat,
  invoiceState,
  isNotReached,
  letters,
  livePaymentsOf,
  onlyInvoice,
  payer,
  paymentOf,
  paymentsOf,
  standStill,
} from '../payments.fixture.ts'
import { payments } from '../payments.schema.ts'
import { resolve } from './resolver.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Somebody whose caller stands still before the gateway, and whose payment the resolver has given up. */
async function givenUp(more: Parameters<typeof payer>[1] = {}) {
  const person = await payer(world, more)
  const still = standStill(world)
  const paying = outcome(person.pay())
  await still.reached
  const { id } = await paymentOf(world, person)
  world.clock.forward(15 * minute)
  await resolve(world.ctx, id)
  expect(await paymentOf(world, person)).toMatchObject({ state: 'failed', failure: 'not_charged' })
  // From here on the others reach the gateway.
  still.restore()
  return { person, id, paying, go: still.go }
}

const paymentById = async (id: string) => {
  const [payment] = await world.ctx.db.select().from(payments).where(sql`${payments.id} = ${id}`)
  return payment
}

describe('a caller and the resolver', () => {
  it('agree, whoever of them is first behind the same lock, and the receipt is sent once', async () => {
    for (const first of ['caller', 'resolver'] as const) {
      const person = await payer(world)
      const charged = Promise.withResolvers<void>()
      const going = Promise.withResolvers<void>()
      const { restore } = gatewayThat(world, (gateway) => ({
        async charge(charge, signal) {
          const made = await gateway.charge(charge, signal)
          charged.resolve()
          await going.promise
          return made
        },
      }))
      const paying = outcome(person.pay())
      await charged.promise
      const { id } = await paymentOf(world, person)
      world.clock.forward(17 * second)
      const lock = (tx: Tx) => tx.select().from(payments).where(eq(payments.id, id)).for('update')
      const calls = [
        () => {
          going.resolve()
          return paying
        },
        () => resolve(world.ctx, id),
      ]
      await heldUp<unknown>(world, lock, first === 'caller' ? calls : calls.reverse())
      expect(await paying).toBe('ok')
      restore()
      expect(await paymentOf(world, person)).toMatchObject({
        state: 'succeeded',
        nextCheckAt: null,
      })
      expect(await chargesOf(world, person)).toHaveLength(1)
      expect(await letters(world, person)).toEqual(['payment-receipt'])
    }
  })

  it('settle a payment whose payer has hung up', async () => {
    const person = await payer(world)
    const { reached, go } = standStill(world)
    const hangingUp = new AbortController()
    const calling = fetch(`http://127.0.0.1:${await world.listen()}/api/account/invoice/pay`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(person.body),
      signal: hangingUp.signal,
    })
    await reached
    hangingUp.abort()
    await expect(calling).rejects.toThrow('abort')
    go()
    await until(async () => (await paymentOf(world, person)).state === 'succeeded')
    expect(await chargesOf(world, person)).toHaveLength(1)
  })

  it('never charge a card whose payment has been stored for longer than a charge may take', async () => {
    const person = await payer(world)
    const { ctx } = world
    const before = ctx.write
    // The process stands still between storing the payment and calling the gateway.
    world.app.ctx.write = async (work) => {
      const done = await before(work)
      world.clock.forward(12 * second)
      return done
    }
    const paid = await person.pay().finally(() => {
      world.app.ctx.write = before
    })
    expect(paid).toMatchObject({ state: 'in_progress' })
    expect(await chargesOf(world, person)).toEqual([])
  })
})

describe('a charge that shows up after its payment was given up', () => {
  it('pays its invoices after all when they are free, and says so', async () => {
    const { person, paying, go } = await givenUp({ count: 2 })
    go()
    expect(await paying).toBe('ok')
    expect(await paymentOf(world, person)).toMatchObject({
      state: 'succeeded',
      failure: null,
      nextCheckAt: null,
      refundDueAt: null,
    })
    for (const id of person.invoiceIds) {
      expect(await invoiceState(world, id)).toEqual({
        state: 'succeeded',
        failure: null,
        paid: true,
      })
      expect(await livePaymentsOf(world, id)).toHaveLength(1)
    }
    expect(await chargesOf(world, person)).toHaveLength(1)
    expect(await letters(world, person)).toEqual(['payment-failed', 'payment-receipt'])
    expect(await refusal(person.pay())).toBe('invoice_already_paid')
  })

  it('is found by the resolver when its caller was killed after it', async () => {
    const person = await payer(world)
    const { restore } = gatewayThat(world, (gateway) => ({
      ...chargesSilently(world)(gateway),
      find: async () => undefined,
    }))
    await person.pay()
    const { id } = await paymentOf(world, person)
    world.clock.forward(15 * minute)
    await resolve(world.ctx, id)
    expect(await paymentOf(world, person)).toMatchObject({ state: 'failed' })
    restore()
    world.clock.forward(10 * minute)
    await resolve(world.ctx, id)
    expect(await paymentOf(world, person)).toMatchObject({ state: 'succeeded', nextCheckAt: null })
    expect((await invoiceState(world, onlyInvoice(person))).paid).toBe(true)
  })

  it('is looked for during a day, and then no more', async () => {
    const person = await payer(world)
    const { restore } = gatewayThat(world, isNotReached)
    await person.pay()
    restore()
    const { id } = await paymentOf(world, person)
    for (const elapsed of [15 * minute, day - 15 * minute - 1]) {
      world.clock.forward(elapsed)
      await resolve(world.ctx, id)
      expect((await paymentOf(world, person)).nextCheckAt).not.toBeNull()
    }
    world.clock.forward(10 * minute)
    await resolve(world.ctx, id)
    expect(await paymentOf(world, person)).toMatchObject({ state: 'failed', nextCheckAt: null })
  })

  it.each(['paid', 'in a payment of its own'])(
    'is kept to be given back when an invoice is %s by then, and is not denied any more',
    async (how) => {
      const { person, id, paying, go } = await givenUp({ count: 2 })
      const [first, unpaid] = person.invoiceIds
      if (!first) throw new Error('an invoice is needed')
      const body = { ...person.body, invoiceIds: [first] }
      if (how !== 'paid') gatewayThat(world, isNotReached)
      await person.call(payInvoices, { body })
      const state = await invoiceState(world, first)
      go()
      expect(await paying).toBe('payment_failed')
      expect(await paymentById(id)).toMatchObject({
        state: 'failed',
        failure: 'charged_late',
        chargeId: expect.any(String),
        refundDueAt: world.clock.now(),
        nextCheckAt: null,
      })
      // The other payment is not touched, and the invoice that nobody pays does not say what is not so.
      expect(await invoiceState(world, first)).toEqual(state)
      if (!unpaid) throw new Error('two invoices are needed')
      expect(await invoiceState(world, unpaid)).toEqual({
        state: 'failed',
        failure: 'charged_late',
        paid: false,
      })
      expect(await livePaymentsOf(world, first)).toHaveLength(1)
      const errors = world.logged.filter((line) => line.includes('has to be refunded'))
      expect(errors.filter((line) => line.includes(id))).toHaveLength(1)
      const { length } = await paymentsOf(world, person)
      expect(length).toBe(2)
    },
  )

  it('and a second payer, behind the same lock: one of them pays, whoever is first', async () => {
    for (const first of ['late', 'second'] as const) {
      const { person, id, paying, go } = await givenUp()
      const second = { current: Promise.resolve<unknown>(undefined) }
      const calls = [
        () => {
          go()
          return paying
        },
        () => {
          const call = outcome(person.pay())
          second.current = call
          return call
        },
      ]
      const [invoiceId] = person.invoiceIds
      const lock = (tx: Tx) =>
        tx.execute(sql`select 1 from invoices where id = ${invoiceId} for update`)
      await heldUp<unknown>(world, lock, first === 'late' ? calls : calls.reverse())
      const answers = [await paying, await second.current]
      if (first === 'late') expect(answers).toEqual(['ok', 'invoice_already_paid'])
      else expect(answers).toEqual(['payment_failed', 'ok'])
      expect((await invoiceState(world, onlyInvoice(person))).paid).toBe(true)
      expect(await livePaymentsOf(world, onlyInvoice(person))).toHaveLength(1)
      // Every charge is on the invoice, or is to be given back.
      const due = (await paymentById(id))?.refundDueAt != null
      expect(await chargesOf(world, person)).toHaveLength(first === 'late' ? 1 : 2)
      expect(due).toBe(first === 'second')
    }
  })
})
