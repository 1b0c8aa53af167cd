import { payInvoices, viewInvoice } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import { deletePaymentMethod, type PaymentMethodId } from '@slipway/contract/payment-methods'
import { serviceLimits } from '@slipway/contract/service-limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../db/ids.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { invoiceOf } from '../invoices/invoices.fixture.ts'
import { cardOf, declined } from '../payment-methods/payment-methods.fixture.ts'
import { paymentMethods } from '../payment-methods/payment-methods.schema.ts'
import {
  chargesOf,
  invoiceState,
  listenToEvents,
  overrideGateway,
  payer,
  paymentOf,
  paymentsOf,
  updated,
} from './payments.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe(title(payInvoices), () => {
  it('charges the card once with the sum, and marks the invoices as paid', async () => {
    const { id, call, card, invoiceIds, body } = await payer(world, { count: 3 })
    const paid = await call(payInvoices, { body })
    expect(paid).toEqual({
      id: expect.any(String),
      state: 'succeeded',
      invoiceIds,
      amount: '75.00000',
      chargedAmount: '75.00',
      createdAt: world.clock.now().toISOString(),
    })
    const { chargeId } = await paymentOf(world, { id })
    expect(await chargesOf(world, { id })).toMatchObject([
      { idempotencyKey: paid.id, amount: '75.00', chargeId },
    ])
    for (const invoiceId of invoiceIds)
      expect(await call(viewInvoice, { params: { id: invoiceId } })).toMatchObject({
        paidAt: world.clock.now().toISOString(),
        payment: { state: 'succeeded', failure: null },
        paidWith: { cardAssoc: card.cardAssoc, lastDigits: card.lastDigits },
        charge: { amount: '75.00000', chargedAmount: '75.00', invoiceCount: 3 },
      })
  })

  it.each([
    ['0.00500', '0.01'],
    ['12.34499', '12.34'],
    ['12.34500', '12.35'],
    ['99999999.99999', '100000000.00'],
  ])(
    'charges an amount of %s, rounded half up to the cent, as %s',
    async (amount, chargedAmount) => {
      const user = await payer(world, { count: 0 })
      const { id } = await invoiceOf(world, user, { amount })
      const paid = await user.call(payInvoices, { body: { ...user.body, invoiceIds: [id] } })
      expect(paid).toMatchObject({ amount, chargedAmount })
      expect((await user.call(viewInvoice, { params: { id } })).charge).toEqual({
        amount,
        chargedAmount,
        invoiceCount: 1,
      })
      expect(await chargesOf(world, user)).toMatchObject([{ amount: chargedAmount }])
    },
  )

  it('rounds the sum, not each invoice', async () => {
    const user = await payer(world, { count: 0 })
    const ids = [
      (await invoiceOf(world, user, { amount: '0.00400' })).id,
      (await invoiceOf(world, user, { amount: '0.00400' })).id,
    ]
    const paid = await user.call(payInvoices, { body: { ...user.body, invoiceIds: ids } })
    expect(paid).toMatchObject({ amount: '0.00800', chargedAmount: '0.01' })
  })

  it('settles a sum below half a cent without a charge', async () => {
    const user = await payer(world, { count: 0 })
    const { id } = await invoiceOf(world, user, { amount: '0.00499' })
    overrideGateway(world, () => ({
      charge: () => Promise.reject(new Error('the gateway was called')),
    }))
    const paid = await user.call(payInvoices, { body: { ...user.body, invoiceIds: [id] } })
    expect(paid).toMatchObject({ state: 'succeeded', chargedAmount: '0.00' })
    expect(await invoiceState(world, id)).toEqual({ state: 'succeeded', failure: null, paid: true })
    const [receipt] = await world.mailsTo(user.email)
    expect(receipt?.text).toContain("your card wasn't charged")
  })

  it.each([
    ['nothing', { invoiceIds: [] }, { invoiceIds: 'Please select at least one invoice' }],
    ['no list', { invoiceIds: undefined }, { invoiceIds: 'Please select at least one invoice' }],
    [
      'no card',
      { paymentMethodId: undefined },
      { paymentMethodId: 'Please select a payment method' },
    ],
  ])('rejects %s and reports the field', async (_, overrides, fields) => {
    const { call, body } = await payer(world)
    const error = await errorOf(call(payInvoices, { body: { ...body, ...overrides } as never }))
    expect(error).toMatchObject({ code: 'validation_error', fields })
  })

  it('rejects the same invoice twice and reports the field', async () => {
    const { call, body, invoiceIds } = await payer(world)
    const twice = { ...body, invoiceIds: [...invoiceIds, ...invoiceIds] }
    const error = await errorOf(call(payInvoices, { body: twice }))
    expect(error).toMatchObject({
      code: 'validation_error',
      fields: { invoiceIds: expect.any(String) },
    })
  })

  it('rejects more invoices than the limit per payment', async () => {
    const { call, body } = await payer(world)
    const invoiceIds = Array.from({ length: limits.invoicesPerPayment + 1 }, () =>
      newId<'Invoice'>(),
    )
    expect(await errorCodeOf(call(payInvoices, { body: { ...body, invoiceIds } }))).toBe(
      'validation_error',
    )
  })

  it('does not find another user’s or an unknown invoice, and charges nothing', async () => {
    const [user, otherUser] = [await payer(world), await payer(world)]
    const member = await payer(world)
    await world.join(member, user.teamId)
    for (const foreign of [...otherUser.invoiceIds, newId<'Invoice'>()]) {
      const body = { ...user.body, invoiceIds: [...user.invoiceIds, foreign] }
      expect(await errorCodeOf(user.call(payInvoices, { body }))).toBe('invoice_not_found')
    }
    // Members of a team do not pay for it.
    const theirs = { ...member.body, invoiceIds: user.invoiceIds }
    expect(await errorCodeOf(member.call(payInvoices, { body: theirs }))).toBe('invoice_not_found')
    expect(await paymentsOf(world, user)).toEqual([])
    expect(await paymentsOf(world, member)).toEqual([])
  })

  it('does not find another user’s, a deleted or an unknown card', async () => {
    const [user, otherUser] = [await payer(world), await payer(world)]
    const deleted = await cardOf(user)
    await user.call(deletePaymentMethod, { params: { id: deleted.id } })
    const missing = newId<'PaymentMethod'>() as PaymentMethodId
    for (const paymentMethodId of [otherUser.card.id, deleted.id, missing]) {
      const body = { ...user.body, paymentMethodId }
      expect(await errorCodeOf(user.call(payInvoices, { body }))).toBe('payment_method_not_found')
    }
    expect(await paymentsOf(world, user)).toEqual([])
  })

  it('rejects a paid invoice, even together with an unpaid one', async () => {
    const user = await payer(world)
    await user.pay()
    const { id } = await invoiceOf(world, user)
    expect(await errorCodeOf(user.pay())).toBe('invoice_already_paid')
    const body = { ...user.body, invoiceIds: [id, ...user.invoiceIds] }
    expect(await errorCodeOf(user.call(payInvoices, { body }))).toBe('invoice_already_paid')
    expect(await invoiceState(world, id)).toMatchObject({ state: null })
    expect(await chargesOf(world, user)).toHaveLength(1)
  })

  it('rejects a card that has expired since it was added, without calling the gateway', async () => {
    const user = await payer(world)
    const expiringAt = (expiresAt: Date) =>
      world.ctx.db
        .update(paymentMethods)
        .set({ expiresAt })
        .where(eq(paymentMethods.id, user.card.id))
    await expiringAt(world.clock.now())
    const error = await errorOf(user.pay())
    expect(error).toMatchObject({ code: 'payment_failed', context: 'card_expired' })
    expect(await paymentsOf(world, user)).toEqual([])
    await expiringAt(new Date(world.clock.now().getTime() + 1))
    expect(await user.pay()).toMatchObject({ state: 'succeeded' })
  })

  it('returns the reason of a declined card, and lets another card pay the invoices', async () => {
    const user = await payer(world, { cardNumber: declined })
    const error = await errorOf(user.pay())
    expect(error).toMatchObject({ code: 'payment_failed', context: 'card_declined' })
    const [invoiceId] = user.invoiceIds
    if (!invoiceId) throw new Error('an invoice is needed')
    expect(await invoiceState(world, invoiceId)).toEqual({
      state: 'failed',
      failure: 'card_declined',
      paid: false,
    })
    const { id: paymentMethodId } = await cardOf(user)
    const body = { ...user.body, paymentMethodId }
    expect(await user.call(payInvoices, { body })).toMatchObject({ state: 'succeeded' })
    expect(await invoiceState(world, invoiceId)).toMatchObject({ state: 'succeeded', paid: true })
    // The response has reported it, so no email is sent.
    expect((await world.mailsTo(user.email)).map(({ key }) => key.split(':')[0])).toEqual([
      'payment-receipt',
    ])
  })

  it('rejects a card of another gateway', async () => {
    const user = await payer(world)
    overrideGateway(world, () => ({ name: 'another' }))
    const error = await errorOf(user.pay())
    expect(error).toMatchObject({ code: 'payment_failed', context: 'card_not_usable' })
    expect(await paymentsOf(world, user)).toEqual([])
  })

  it('limits the attempts per user, without counting invalid requests', async () => {
    const user = await payer(world, { cardNumber: declined })
    for (let attempt = 0; attempt < serviceLimits.paymentsPerUser; attempt++) {
      // Invalid requests are not counted.
      await errorCodeOf(user.call(payInvoices, { body: { ...user.body, invoiceIds: [] } }))
      expect(await errorCodeOf(user.pay())).toBe('payment_failed')
    }
    expect(await errorCodeOf(user.pay())).toBe('too_many_requests')
    world.clock.forward(serviceLimits.attemptWindow)
    expect(await errorCodeOf(user.pay())).toBe('payment_failed')
  })

  it('publishes every change of an invoice to the payer', async () => {
    const user = await payer(world, { count: 2 })
    const refusing = await payer(world, { cardNumber: declined })
    const events = await listenToEvents(world)
    await user.pay()
    const [first, second] = [...user.invoiceIds].sort().map(updated)
    const sorted = (list: unknown[]) => list.map((event) => JSON.stringify(event)).sort()
    expect(sorted(await events.take())).toEqual(sorted([first, second, first, second]))
    await errorCodeOf(refusing.pay())
    const [third] = refusing.invoiceIds.map(updated)
    expect(await events.take()).toEqual([third, third])
  })
})
