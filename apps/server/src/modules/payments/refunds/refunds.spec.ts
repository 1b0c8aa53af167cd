import { payInvoices } from '@slipway/contract/invoices'
import { minute } from '@slipway/contract/limits'
import { listRefunds, markRefunded } from '@slipway/contract/refunds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../db/ids.ts'
import { title } from '../../../testing/declared-endpoints.ts'
import { refusal } from '../../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { type Payer, payer, paymentsOf, refundOf, standStill } from '../payments.fixture.ts'
import { resolve } from '../settlement/resolver.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  operator = await world.user({ email: 'operator@example.com' })
})
afterAll(() => world.close())

/** A first payment that is given up, a second one that pays, and the charge of the first, too late. */
async function chargedLate(person: Payer) {
  const still = standStill(world)
  const paying = person.pay().catch((error: { context?: string }) => error.context)
  await still.reached
  const [first] = await paymentsOf(world, person)
  if (!first) throw new Error('nothing is paid')
  world.clock.forward(15 * minute)
  await resolve(world.ctx, first.id)
  still.restore()
  await person.call(payInvoices, { body: person.body })
  still.go()
  return { paymentId: first.id, answer: await paying }
}

const listed = async (id: string) =>
  (await operator.call(listRefunds)).filter((refund) => refund.id === id)

describe('a charge that comes too late', () => {
  it('is not denied to whoever waits for the answer, and a letter says that it is given back', async () => {
    for (const [locale, subject, text] of [
      ['en', '$12.50 will be refunded to your card', "We'll refund $12.50 to the same card"],
      ['tr', '$12,50 kartınıza iade edilecek', '$12,50 aynı karta iade edilecek'],
    ] as const) {
      const person = await payer(world, { locale })
      const { paymentId, answer } = await chargedLate(person)
      expect(answer).toBe('charged_late')
      const late = (await world.mailsTo(person.email)).filter(({ key }) =>
        key.startsWith('payment-late:'),
      )
      expect(late.map((letter) => letter.subject)).toEqual([subject])
      expect(late[0]?.text).toContain(text)
      expect(late[0]?.text).toContain('Visa •••• 4242')
      // Whoever else finds the charge changes nothing.
      await resolve(world.ctx, paymentId)
      expect(await listed(paymentId)).toHaveLength(1)
    }
  })
})

describe(title(listRefunds), () => {
  it('says whose card was charged what, where and since when it is known', async () => {
    const person = await payer(world)
    const { paymentId } = await chargedLate(person)
    const [payment] = await paymentsOf(world, person)
    expect(await listed(paymentId)).toEqual([
      {
        id: paymentId,
        user: { id: person.id, name: person.name, email: person.email },
        amount: '12.50',
        card: { cardAssoc: 'visa', lastDigits: '4242' },
        gateway: 'sandbox',
        chargeId: payment?.chargeId,
        dueAt: world.clock.now().toISOString(),
        refundedAt: null,
      },
    ])
  })

  it('has the longest known first', async () => {
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
  it('takes it off the list, and keeps the moment when it is noted again', async () => {
    const { id } = await refundOf(world, await world.user())
    const refundedAt = world.clock.now().toISOString()
    const note = () => operator.call(markRefunded, { params: { id } })
    expect(await note()).toMatchObject({ id, refundedAt })
    expect(await listed(id)).toEqual([])
    world.clock.forward(minute)
    expect(await note()).toMatchObject({ id, refundedAt })
  })

  it('finds no payment that charged nothing, or paid', async () => {
    const person = await payer(world)
    await person.pay()
    const [paid] = await paymentsOf(world, person)
    for (const id of [paid?.id ?? '', newId(), 'none'])
      expect(await refusal(operator.call(markRefunded, { params: { id } }))).toBe('item_not_found')
  })
})
