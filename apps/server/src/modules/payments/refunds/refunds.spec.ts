import { payInvoices } from '@slipway/contract/invoices'
import { minute } from '@slipway/contract/limits'
import { listRefunds, markRefunded } from '@slipway/contract/refunds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../db/ids.ts'
import { title } from '../../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { type Payer, pauseCharge, payer, paymentsOf, refundOf } from '../payments.fixture.ts'
import { resolve } from '../settlement/resolver.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  operator = await world.user({ email: 'operator@example.com' })
})
afterAll(() => world.close())

/**
 * A payment that fails without a charge, a second one that pays, and then the first one's late
 * charge.
 */
async function chargedLate(user: Payer) {
  const paused = pauseCharge(world)
  const paying = user.pay().catch((error: { context?: string }) => error.context)
  await paused.reached
  const [first] = await paymentsOf(world, user)
  if (!first) throw new Error('no payment was stored')
  world.clock.forward(15 * minute)
  await resolve(world.ctx, first.id)
  paused.restore()
  await user.call(payInvoices, { body: user.body })
  paused.resume()
  return { paymentId: first.id, failure: await paying }
}

const listed = async (id: string) =>
  (await operator.call(listRefunds)).filter((refund) => refund.id === id)

describe('a late charge', () => {
  it('is reported to the waiting client, and an email announces the refund', async () => {
    for (const [locale, subject, text] of [
      ['en', '$12.50 will be refunded to your card', 'Refund to Visa •••• 4242: $12.50'],
      ['tr', '$12,50 kartınıza iade edilecek', 'İade (Visa •••• 4242): $12,50'],
    ] as const) {
      const user = await payer(world, { locale })
      const { paymentId, failure } = await chargedLate(user)
      expect(failure).toBe('charged_late')
      const late = (await world.mailsTo(user.email)).filter(({ key }) =>
        key.startsWith('payment-late:'),
      )
      expect(late.map((email) => email.subject)).toEqual([subject])
      expect(late[0]?.text).toContain(text)
      // A later status check changes nothing.
      await resolve(world.ctx, paymentId)
      expect(await listed(paymentId)).toHaveLength(1)
    }
  })
})

describe(title(listRefunds), () => {
  it('lists user, amount, card, gateway and the time since when the refund is due', async () => {
    const user = await payer(world)
    const { paymentId } = await chargedLate(user)
    const [payment] = await paymentsOf(world, user)
    expect(await listed(paymentId)).toEqual([
      {
        id: paymentId,
        user: { id: user.id, name: user.name, email: user.email },
        amount: '12.50',
        card: { cardAssoc: 'visa', lastDigits: '4242' },
        gateway: 'sandbox',
        chargeId: payment?.chargeId,
        dueAt: world.clock.now().toISOString(),
        refundedAt: null,
      },
    ])
  })

  it('lists the refund that is due the longest first', async () => {
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      ids.push((await refundOf(world, await world.user())).id)
      world.clock.forward(minute)
    }
    const all = (await operator.call(listRefunds)).map(({ id }) => id)
    expect(all.filter((id) => ids.includes(id))).toEqual(ids)
  })
})

describe(title(markRefunded), () => {
  it('removes the refund from the list, and keeps the first time when repeated', async () => {
    const { id } = await refundOf(world, await world.user())
    const refundedAt = world.clock.now().toISOString()
    const mark = () => operator.call(markRefunded, { params: { id } })
    expect(await mark()).toMatchObject({ id, refundedAt })
    expect(await listed(id)).toEqual([])
    world.clock.forward(minute)
    expect(await mark()).toMatchObject({ id, refundedAt })
  })

  it('does not find a payment without a refund', async () => {
    const user = await payer(world)
    await user.pay()
    const [paid] = await paymentsOf(world, user)
    for (const id of [paid?.id ?? '', newId(), 'none'])
      expect(await errorCodeOf(operator.call(markRefunded, { params: { id } }))).toBe(
        'item_not_found',
      )
  })
})
