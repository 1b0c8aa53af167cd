import { payInvoices } from '@slipway/contract/invoices'
import { day, minute, second } from '@slipway/contract/limits'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../../context.ts'
import { errorCodeOf, outcome } from '../../../testing/matchers.ts'
import { runBehindLock } from '../../../testing/run-behind-lock.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import {
  chargesOf,
  chargeWithoutResponse,
  emailKinds,
  invoiceState,
  livePaymentsOf,
  onlyInvoice,
  overrideGateway,
  pauseCharge,
  payer,
  paymentOf,
  paymentsOf,
  unreachable,
} from '../payments.fixture.ts'
import { payments } from '../payments.schema.ts'
import { resolve } from './resolver.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** A user whose charge is paused, and whose payment the resolver has settled as not charged. */
async function abandonedPayment(overrides: Parameters<typeof payer>[1] = {}) {
  const user = await payer(world, overrides)
  const paused = pauseCharge(world)
  const paying = outcome(user.pay())
  await paused.reached
  const { id } = await paymentOf(world, user)
  world.clock.forward(15 * minute)
  await resolve(world.ctx, id)
  expect(await paymentOf(world, user)).toMatchObject({ state: 'failed', failure: 'not_charged' })
  // Later charges are not paused.
  paused.restore()
  return { user, id, paying, resume: paused.resume }
}

const paymentById = async (id: string) => {
  const [payment] = await world.ctx.db.select().from(payments).where(sql`${payments.id} = ${id}`)
  return payment
}

describe('a caller and the resolver', () => {
  it('agree on the outcome in either order, and send one receipt', async () => {
    for (const first of ['caller', 'resolver'] as const) {
      const user = await payer(world)
      const charged = Promise.withResolvers<void>()
      const resuming = Promise.withResolvers<void>()
      const { restore } = overrideGateway(world, (gateway) => ({
        async charge(charge, signal) {
          const outcome = await gateway.charge(charge, signal)
          charged.resolve()
          await resuming.promise
          return outcome
        },
      }))
      const paying = outcome(user.pay())
      await charged.promise
      const { id } = await paymentOf(world, user)
      world.clock.forward(17 * second)
      const lock = (tx: Tx) => tx.select().from(payments).where(eq(payments.id, id)).for('update')
      const calls = [
        () => {
          resuming.resolve()
          return paying
        },
        () => resolve(world.ctx, id),
      ]
      await runBehindLock<unknown>(world, lock, first === 'caller' ? calls : calls.reverse())
      expect(await paying).toBe('ok')
      restore()
      expect(await paymentOf(world, user)).toMatchObject({
        state: 'succeeded',
        nextCheckAt: null,
      })
      expect(await chargesOf(world, user)).toHaveLength(1)
      expect(await emailKinds(world, user)).toEqual(['payment-receipt'])
    }
  })

  it('settle a payment whose client disconnected', async () => {
    const user = await payer(world)
    const { reached, resume } = pauseCharge(world)
    const controller = new AbortController()
    const calling = fetch(`http://127.0.0.1:${await world.listen()}/api/account/invoice/pay`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(user.body),
      signal: controller.signal,
    })
    await reached
    controller.abort()
    await expect(calling).rejects.toThrow('abort')
    resume()
    await until(async () => (await paymentOf(world, user)).state === 'succeeded')
    expect(await chargesOf(world, user)).toHaveLength(1)
  })

  it("never charge a card when the process stalled beyond the charge's timeout", async () => {
    const user = await payer(world)
    const { ctx } = world
    const { write } = ctx
    // The process stalls between storing the payment and calling the gateway.
    world.app.ctx.write = async (work) => {
      const result = await write(work)
      world.clock.forward(12 * second)
      return result
    }
    const paid = await user.pay().finally(() => {
      world.app.ctx.write = write
    })
    expect(paid).toMatchObject({ state: 'in_progress' })
    expect(await chargesOf(world, user)).toEqual([])
  })
})

describe('a charge that appears after its payment failed', () => {
  it('pays its invoices if they are still payable, with a receipt', async () => {
    const { user, paying, resume } = await abandonedPayment({ count: 2 })
    resume()
    expect(await paying).toBe('ok')
    expect(await paymentOf(world, user)).toMatchObject({
      state: 'succeeded',
      failure: null,
      nextCheckAt: null,
      refundDueAt: null,
    })
    for (const id of user.invoiceIds) {
      expect(await invoiceState(world, id)).toEqual({
        state: 'succeeded',
        failure: null,
        paid: true,
      })
      expect(await livePaymentsOf(world, id)).toHaveLength(1)
    }
    expect(await chargesOf(world, user)).toHaveLength(1)
    expect(await emailKinds(world, user)).toEqual(['payment-failed', 'payment-receipt'])
    expect(await errorCodeOf(user.pay())).toBe('invoice_already_paid')
  })

  it('is found by the resolver when its process was killed after it', async () => {
    const user = await payer(world)
    const { restore } = overrideGateway(world, (gateway) => ({
      ...chargeWithoutResponse(world)(gateway),
      find: async () => undefined,
    }))
    await user.pay()
    const { id } = await paymentOf(world, user)
    world.clock.forward(15 * minute)
    await resolve(world.ctx, id)
    expect(await paymentOf(world, user)).toMatchObject({ state: 'failed' })
    restore()
    world.clock.forward(10 * minute)
    await resolve(world.ctx, id)
    expect(await paymentOf(world, user)).toMatchObject({ state: 'succeeded', nextCheckAt: null })
    expect((await invoiceState(world, onlyInvoice(user))).paid).toBe(true)
  })

  it('is looked for during one day', async () => {
    const user = await payer(world)
    const { restore } = overrideGateway(world, unreachable)
    await user.pay()
    restore()
    const { id } = await paymentOf(world, user)
    for (const elapsed of [15 * minute, day - 15 * minute - 1]) {
      world.clock.forward(elapsed)
      await resolve(world.ctx, id)
      expect((await paymentOf(world, user)).nextCheckAt).not.toBeNull()
    }
    world.clock.forward(10 * minute)
    await resolve(world.ctx, id)
    expect(await paymentOf(world, user)).toMatchObject({ state: 'failed', nextCheckAt: null })
  })

  it.each(['paid', 'in another payment'])(
    'must be refunded when an invoice is %s by then, and corrects the failure',
    async (how) => {
      const { user, id, paying, resume } = await abandonedPayment({ count: 2 })
      const [first, unpaid] = user.invoiceIds
      if (!first) throw new Error('an invoice is needed')
      const body = { ...user.body, invoiceIds: [first] }
      if (how !== 'paid') overrideGateway(world, unreachable)
      await user.call(payInvoices, { body })
      const state = await invoiceState(world, first)
      resume()
      expect(await paying).toBe('payment_failed')
      expect(await paymentById(id)).toMatchObject({
        state: 'failed',
        failure: 'charged_late',
        chargeId: expect.any(String),
        refundDueAt: world.clock.now(),
        nextCheckAt: null,
      })
      // The other payment is unchanged, and the unpaid invoice shows the late charge.
      expect(await invoiceState(world, first)).toEqual(state)
      if (!unpaid) throw new Error('two invoices are needed')
      expect(await invoiceState(world, unpaid)).toEqual({
        state: 'failed',
        failure: 'charged_late',
        paid: false,
      })
      expect(await livePaymentsOf(world, first)).toHaveLength(1)
      const email = (await world.mailsTo(user.email)).at(-1)
      expect(email?.subject).toBe('$37.50 will be refunded to your card')
      expect(email?.text).toContain(': $12.50\n')
      expect(email?.text).toContain('Refund to Visa •••• 4242: $37.50\n')
      expect(email?.text).toMatch(/\nStill unpaid: .+ \(\$25\.00\)\.\n/)
      expect(email?.text).toContain(`/account/billing/invoices/pay?invoice=${unpaid}\n`)
      const errors = world.logged.filter((line) => line.includes('has to be refunded'))
      expect(errors.filter((line) => line.includes(id))).toHaveLength(1)
      const { length } = await paymentsOf(world, user)
      expect(length).toBe(2)
    },
  )

  it('pays the invoice once together with a second payment, in either order', async () => {
    for (const first of ['late', 'second'] as const) {
      const { user, id, paying, resume } = await abandonedPayment()
      const second = { current: Promise.resolve<unknown>(undefined) }
      const calls = [
        () => {
          resume()
          return paying
        },
        () => {
          const call = outcome(user.pay())
          second.current = call
          return call
        },
      ]
      const [invoiceId] = user.invoiceIds
      const lock = (tx: Tx) =>
        tx.execute(sql`select 1 from invoices where id = ${invoiceId} for update`)
      await runBehindLock<unknown>(world, lock, first === 'late' ? calls : calls.reverse())
      const outcomes = [await paying, await second.current]
      if (first === 'late') expect(outcomes).toEqual(['ok', 'invoice_already_paid'])
      else expect(outcomes).toEqual(['payment_failed', 'ok'])
      expect((await invoiceState(world, onlyInvoice(user))).paid).toBe(true)
      expect(await livePaymentsOf(world, onlyInvoice(user))).toHaveLength(1)
      // Every charge pays the invoice or must be refunded.
      const isDue = (await paymentById(id))?.refundDueAt != null
      expect(await chargesOf(world, user)).toHaveLength(first === 'late' ? 1 : 2)
      expect(isDue).toBe(first === 'second')
    }
  })
})
