import { payInvoices } from '@slipway/contract/invoices'
import { day, minute, second } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../testing/until.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { invoices } from '../../invoices/invoices.schema.ts'
import { declined, timesOut } from '../../payment-methods/payment-methods.fixture.ts'
import {
  chargesOf,
  chargeWithoutResponse,
  emailKinds,
  invoiceState,
  livePaymentsOf,
  onlyInvoice,
  overrideGateway,
  type Payer,
  payer,
  paymentOf,
  unreachable,
} from '../payments.fixture.ts'
import { resolve, resolveJob, sweep } from './resolver.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Moves the clock to the payment's next status check, and runs it. */
async function checkStatus(user: Payer) {
  const { id, nextCheckAt } = await paymentOf(world, user)
  if (!nextCheckAt) throw new Error('no check is scheduled')
  world.clock.forward(Math.max(0, nextCheckAt.getTime() - world.clock.now().getTime()))
  await resolve(world.ctx, id)
  return paymentOf(world, user)
}

describe('a payment without a response', () => {
  it('is in progress for the payer, charged once, and settled by the job', async () => {
    const user = await payer(world, { cardNumber: timesOut })
    overrideGateway(world, chargeWithoutResponse(world))
    expect(await user.pay()).toMatchObject({ state: 'in_progress', chargedAmount: '12.50' })
    expect(await invoiceState(world, onlyInvoice(user))).toEqual({
      state: 'in_progress',
      failure: null,
      paid: false,
    })
    expect(await checkStatus(user)).toMatchObject({ state: 'succeeded', nextCheckAt: null })
    expect((await invoiceState(world, onlyInvoice(user))).paid).toBe(true)
    expect(await chargesOf(world, user)).toHaveLength(1)
    expect(await emailKinds(world, user)).toEqual(['payment-receipt'])
  })

  it("is first checked 5 seconds after the charge's timeout, then with backoff up to 10 minutes", async () => {
    const user = await payer(world)
    overrideGateway(world, () => ({
      ...unreachable(),
      find: () => Promise.reject(new Error('the gateway is unreachable')),
    }))
    await user.pay()
    const delays: number[] = []
    for (let count = 0; count < 10; count++) {
      const { nextCheckAt } = await paymentOf(world, user)
      delays.push(((nextCheckAt?.getTime() ?? 0) - world.clock.now().getTime()) / second)
      await checkStatus(user)
    }
    expect(delays).toEqual([17, 10, 20, 40, 80, 160, 320, 600, 600, 600])
    // The payment is never settled without a response.
    world.clock.forward(30 * day)
    expect(await checkStatus(user)).toMatchObject({ state: 'in_progress', checkCount: 11 })
    expect(await emailKinds(world, user)).toEqual([])
  })

  it('is not checked before the check is due', async () => {
    const user = await payer(world)
    overrideGateway(world, chargeWithoutResponse(world))
    await user.pay()
    world.clock.forward(17 * second - 1)
    const { id } = await paymentOf(world, user)
    await resolve(world.ctx, id)
    await sweep(world.ctx)
    expect(await paymentOf(world, user)).toMatchObject({ state: 'in_progress', checkCount: 0 })
  })

  it('fails after 15 minutes, not before, when the gateway has never received it', async () => {
    const user = await payer(world)
    const startedAt = world.clock.now().getTime()
    const { restore } = overrideGateway(world, unreachable)
    await user.pay()
    restore()
    while (world.clock.now().getTime() - startedAt < 15 * minute) {
      expect(await paymentOf(world, user)).toMatchObject({ state: 'in_progress' })
      await checkStatus(user)
    }
    expect(await paymentOf(world, user)).toMatchObject({
      state: 'failed',
      failure: 'not_charged',
      chargeId: null,
    })
    expect(await emailKinds(world, user)).toEqual(['payment-failed'])
    expect(await invoiceState(world, onlyInvoice(user))).toMatchObject({ failure: 'not_charged' })
    expect(await user.call(payInvoices, { body: user.body })).toMatchObject({
      state: 'succeeded',
    })
    expect(await chargesOf(world, user)).toHaveLength(1)
  })

  it('fails when the gateway reports a decline, and an email gives the reason', async () => {
    const user = await payer(world, { cardNumber: declined, locale: 'tr' })
    overrideGateway(world, (gateway) => ({
      async charge(charge, signal) {
        await gateway.charge(charge, signal)
        throw new Error('the response has not arrived')
      },
    }))
    await user.pay()
    expect(await checkStatus(user)).toMatchObject({ state: 'failed', failure: 'card_declined' })
    expect(await livePaymentsOf(world, onlyInvoice(user))).toEqual([])
    const [email] = await world.mailsTo(user.email)
    expect(email?.subject).toBe('$12,50 tutarındaki ödemeniz başarısız oldu')
    expect(email?.text).toMatch(
      /^\$12,50\nÖdeme başarısız · Visa •••• 0002\n\nKart banka tarafından reddedildi\. Yeniden/,
    )
    expect(email?.text).toContain('Ödenecek tutar: $12,50\n')
    expect(email?.text).toContain(
      `$12,50 öde:\n${world.env.PUBLIC_URL}/account/billing/invoices/pay?invoice=${onlyInvoice(user)}\n`,
    )
  })

  it('stays in progress after a change of the gateway, and a log line tells the operators', async () => {
    const user = await payer(world)
    overrideGateway(world, unreachable)
    await user.pay()
    overrideGateway(world, () => ({
      name: 'another',
      find: () => Promise.reject(new Error('the gateway was called')),
    }))
    expect(await checkStatus(user)).toMatchObject({ state: 'in_progress', checkCount: 1 })
    expect(world.logged.join('')).toContain('a gateway that is not the one in use')
  })
})

describe('a receipt', () => {
  it('lists the invoices, the charge and the card in the payer’s language', async () => {
    const user = await payer(world, { count: 2, name: 'Ayşe Çağlar' })
    await user.pay()
    const [email, ...others] = await world.mailsTo(user.email)
    expect(others).toEqual([])
    expect(email?.subject).toBe('Receipt for your payment of $37.50')
    expect(email?.text).toContain('$12.50000')
    expect(email?.text).toContain('$25.00000')
    expect(email?.text).toMatch(/^\$37\.50\nPaid on \w+ \d+, \d{4} · Visa •••• 4242\n/)
    expect(email?.text).toContain('Amount charged: $37.50')
    expect(email?.text).toContain(`${world.env.PUBLIC_URL}/account/billing/invoices`)
  })

  it('has the seller and the totals of its invoice, down to the rounding', async () => {
    const user = await payer(world, { locale: 'tr' })
    const id = onlyInvoice(user)
    await world.ctx.db
      .update(invoices)
      .set({
        number: 'SW-2026-000042',
        amount: toAmount(money('15.00300')),
        taxRate: '20',
        taxAmount: toAmount(money('2.50300')),
        seller: { name: 'Slip Ltd', address: ['Quay 1'], taxNumber: '1234567890' },
      })
      .where(eq(invoices.id, id))
    await user.pay()
    const [email] = await world.mailsTo(user.email)
    const [, table] = /(Fatura no: [\s\S]*?)\n\n/.exec(email?.text ?? '') ?? []
    expect(email?.text).toContain('\nSlip Ltd, Quay 1\nVergi numarası: 1234567890\n')
    expect(table?.replace(/(Fatura dönemi): .*/g, '$1')).toBe(
      [
        'Fatura no: SW-2026-000042',
        'Fatura dönemi',
        'Ara toplam: $12,50000',
        'Vergi (%20): $2,50300',
        'Toplam: $15,00300',
        'Yuvarlama: −$0,00300',
        'Çekilen tutar: $15,00',
      ].join('\n'),
    )
  })

  it('links to the invoice if there is only one', async () => {
    const user = await payer(world, { locale: 'tr' })
    await user.pay()
    const [email] = await world.mailsTo(user.email)
    expect(email?.subject).toBe('$12,50 tutarındaki ödemenizin makbuzu')
    expect(email?.text).toContain(`/account/billing/invoices/view/${onlyInvoice(user)}`)
  })
})

describe('the sweep', () => {
  const jobsOf = async (paymentId: string) => {
    const { rows } = await world.ctx.db.execute(
      sql`select 1 from pgboss.job where name = ${resolveJob} and data->>'paymentId' = ${paymentId}`,
    )
    return rows.length
  }

  it('enqueues one job per due payment, however often it runs', async () => {
    const user = await payer(world)
    overrideGateway(world, unreachable)
    await user.pay()
    const { id } = await paymentOf(world, user)
    world.clock.forward(17 * second)
    await Promise.all([sweep(world.ctx), sweep(world.ctx), sweep(world.ctx)])
    await sweep(world.ctx)
    expect(await jobsOf(id)).toBe(1)
  })

  it('enqueues jobs that settle charged payments', async () => {
    const otherWorld = await createWorld()
    try {
      const user = await payer(otherWorld)
      const { restore } = overrideGateway(otherWorld, chargeWithoutResponse(otherWorld))
      await user.pay()
      restore()
      otherWorld.clock.forward(17 * second)
      await otherWorld.startWorkers()
      await sweep(otherWorld.ctx)
      await until(async () => (await paymentOf(otherWorld, user)).state === 'succeeded')
      expect(await chargesOf(otherWorld, user)).toHaveLength(1)
    } finally {
      await otherWorld.close()
    }
  })
})
