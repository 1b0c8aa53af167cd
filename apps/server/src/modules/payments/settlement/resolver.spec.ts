import { payInvoices } from '@slipway/contract/invoices'
import { day, minute, second } from '@slipway/contract/limits'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../testing/until.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { declined, timesOut } from '../../payment-methods/payment-methods.fixture.ts'
import {
  chargesOf,
  chargesSilently,
  gatewayThat,
  invoiceState,
  isNotReached,
  letters,
  livePaymentsOf,
  onlyInvoice,
  type Payer,
  payer,
  paymentOf,
} from '../payments.fixture.ts'
import { resolve, resolveJob, sweep } from './resolver.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Asks after the person's payment, once it is due. */
async function ask(person: Payer) {
  const { id, nextCheckAt } = await paymentOf(world, person)
  if (!nextCheckAt) throw new Error('nobody asks after it')
  world.clock.forward(Math.max(0, nextCheckAt.getTime() - world.clock.now().getTime()))
  await resolve(world.ctx, id)
  return paymentOf(world, person)
}

describe('a payment without an answer', () => {
  it('is in progress for whoever pays, charged once, and found by the job', async () => {
    const person = await payer(world, { cardNumber: timesOut })
    gatewayThat(world, chargesSilently(world))
    expect(await person.pay()).toMatchObject({ state: 'in_progress', chargedAmount: '12.50' })
    expect(await invoiceState(world, onlyInvoice(person))).toEqual({
      state: 'in_progress',
      failure: null,
      paid: false,
    })
    expect(await ask(person)).toMatchObject({ state: 'succeeded', nextCheckAt: null })
    expect((await invoiceState(world, onlyInvoice(person))).paid).toBe(true)
    expect(await chargesOf(world, person)).toHaveLength(1)
    expect(await letters(world, person)).toEqual(['payment-receipt'])
  })

  it('is asked after 5 seconds after the caller’s deadline, then ever more rarely, at most every 10 minutes', async () => {
    const person = await payer(world)
    gatewayThat(world, () => ({
      ...isNotReached(),
      find: () => Promise.reject(new Error('the gateway is not reached')),
    }))
    await person.pay()
    const pauses: number[] = []
    for (let asked = 0; asked < 10; asked++) {
      const { nextCheckAt } = await paymentOf(world, person)
      pauses.push(((nextCheckAt?.getTime() ?? 0) - world.clock.now().getTime()) / second)
      await ask(person)
    }
    expect(pauses).toEqual([17, 10, 20, 40, 80, 160, 320, 600, 600, 600])
    // However long the gateway gives no answer, nobody decides without it.
    world.clock.forward(30 * day)
    expect(await ask(person)).toMatchObject({ state: 'in_progress', checks: 11 })
    expect(await letters(world, person)).toEqual([])
  })

  it('is not asked after before it is due', async () => {
    const person = await payer(world)
    gatewayThat(world, chargesSilently(world))
    await person.pay()
    world.clock.forward(17 * second - 1)
    const { id } = await paymentOf(world, person)
    await resolve(world.ctx, id)
    await sweep(world.ctx)
    expect(await paymentOf(world, person)).toMatchObject({ state: 'in_progress', checks: 0 })
  })

  it('that the gateway has never heard of has failed after 15 minutes, and not before', async () => {
    const person = await payer(world)
    const begun = world.clock.now().getTime()
    const { restore } = gatewayThat(world, isNotReached)
    await person.pay()
    restore()
    while (world.clock.now().getTime() - begun < 15 * minute) {
      expect(await paymentOf(world, person)).toMatchObject({ state: 'in_progress' })
      await ask(person)
    }
    expect(await paymentOf(world, person)).toMatchObject({
      state: 'failed',
      failure: 'not_charged',
      chargeId: null,
    })
    expect(await letters(world, person)).toEqual(['payment-failed'])
    expect(await invoiceState(world, onlyInvoice(person))).toMatchObject({ failure: 'not_charged' })
    expect(await person.call(payInvoices, { body: person.body })).toMatchObject({
      state: 'succeeded',
    })
    expect(await chargesOf(world, person)).toHaveLength(1)
  })

  it('that turns out to be declined is free to be paid again, and a letter says why', async () => {
    const person = await payer(world, { cardNumber: declined, locale: 'tr' })
    gatewayThat(world, (gateway) => ({
      async charge(charge, signal) {
        await gateway.charge(charge, signal)
        throw new Error('the answer has not arrived')
      },
    }))
    await person.pay()
    expect(await ask(person)).toMatchObject({ state: 'failed', failure: 'card_declined' })
    expect(await livePaymentsOf(world, onlyInvoice(person))).toEqual([])
    const [letter] = await world.mailsTo(person.email)
    expect(letter?.subject).toBe('$12,50 tutarındaki ödemeniz başarısız oldu')
    expect(letter?.text).toContain('Banka kartı reddetti')
    expect(letter?.text).toContain('Visa •••• 0002')
    expect(letter?.text).toContain('/account/billing/invoices/pay')
  })

  it('at a gateway that is not in use any more stays in progress, and operators hear of it', async () => {
    const person = await payer(world)
    gatewayThat(world, isNotReached)
    await person.pay()
    gatewayThat(world, () => ({ name: 'another', find: () => Promise.reject(new Error('asked')) }))
    expect(await ask(person)).toMatchObject({ state: 'in_progress', checks: 1 })
    expect(world.logged.join('')).toContain('a gateway that is not the one in use')
  })
})

describe('a receipt', () => {
  it('says what was paid and charged, for which months, with which card, in the payer’s language', async () => {
    const person = await payer(world, { count: 2, name: 'Ayşe Çağlar' })
    await person.pay()
    const [letter, ...others] = await world.mailsTo(person.email)
    expect(others).toEqual([])
    expect(letter?.subject).toBe('Receipt for your payment of $37.50')
    expect(letter?.text).toContain('$12.50000')
    expect(letter?.text).toContain('$25.00000')
    expect(letter?.text).toContain('The total is $37.50000. $37.50 was charged to Visa •••• 4242')
    expect(letter?.text).toContain(`${world.env.PUBLIC_URL}/account/billing/invoices`)
  })

  it('of one invoice leads to it', async () => {
    const person = await payer(world, { locale: 'tr' })
    await person.pay()
    const [letter] = await world.mailsTo(person.email)
    expect(letter?.subject).toBe('$12,50 tutarındaki ödemenizin makbuzu')
    expect(letter?.text).toContain(`/account/billing/invoices/view/${onlyInvoice(person)}`)
  })
})

describe('the sweep', () => {
  const jobsOf = async (paymentId: string) => {
    const { rows } = await world.ctx.db.execute(
      sql`select 1 from pgboss.job where name = ${resolveJob} and data->>'paymentId' = ${paymentId}`,
    )
    return rows.length
  }

  it('makes one job of each payment that is due, however often it comes by', async () => {
    const person = await payer(world)
    gatewayThat(world, isNotReached)
    await person.pay()
    const { id } = await paymentOf(world, person)
    world.clock.forward(17 * second)
    await Promise.all([sweep(world.ctx), sweep(world.ctx), sweep(world.ctx)])
    await sweep(world.ctx)
    expect(await jobsOf(id)).toBe(1)
  })

  it('has the jobs settle what was charged, by themselves', async () => {
    const other = await createWorld()
    try {
      const person = await payer(other)
      const { restore } = gatewayThat(other, chargesSilently(other))
      await person.pay()
      restore()
      other.clock.forward(17 * second)
      await other.work()
      await sweep(other.ctx)
      await until(async () => (await paymentOf(other, person)).state === 'succeeded')
      expect(await chargesOf(other, person)).toHaveLength(1)
    } finally {
      await other.close()
    }
  })
})
