import { payInvoices, viewInvoice } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import { deletePaymentMethod, type PaymentMethodId } from '@slipway/contract/payment-methods'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../db/ids.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { refusal, refused } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { invoiceOf } from '../invoices/invoices.fixture.ts'
import { cardOf, declined } from '../payment-methods/payment-methods.fixture.ts'
import { paymentMethods } from '../payment-methods/payment-methods.schema.ts'
import {
  announcements,
  chargesOf,
  gatewayThat,
  invoiceState,
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
  it('charges the card once, with the sum, and the invoices are paid', async () => {
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
  ])('charges an amount of %s rounded half up to the cent: %s', async (amount, chargedAmount) => {
    const person = await payer(world, { count: 0 })
    const { id } = await invoiceOf(world, person, { amount })
    const paid = await person.call(payInvoices, { body: { ...person.body, invoiceIds: [id] } })
    expect(paid).toMatchObject({ amount, chargedAmount })
    expect((await person.call(viewInvoice, { params: { id } })).charge).toEqual({
      amount,
      chargedAmount,
      invoiceCount: 1,
    })
    expect(await chargesOf(world, person)).toMatchObject([{ amount: chargedAmount }])
  })

  it('rounds the sum, and not each invoice', async () => {
    const person = await payer(world, { count: 0 })
    const ids = [
      (await invoiceOf(world, person, { amount: '0.00400' })).id,
      (await invoiceOf(world, person, { amount: '0.00400' })).id,
    ]
    const paid = await person.call(payInvoices, { body: { ...person.body, invoiceIds: ids } })
    expect(paid).toMatchObject({ amount: '0.00800', chargedAmount: '0.01' })
  })

  it('settles a sum below half a cent without a charge', async () => {
    const person = await payer(world, { count: 0 })
    const { id } = await invoiceOf(world, person, { amount: '0.00499' })
    gatewayThat(world, () => ({ charge: () => Promise.reject(new Error('the gateway is asked')) }))
    const paid = await person.call(payInvoices, { body: { ...person.body, invoiceIds: [id] } })
    expect(paid).toMatchObject({ state: 'succeeded', chargedAmount: '0.00' })
    expect(await invoiceState(world, id)).toEqual({ state: 'succeeded', failure: null, paid: true })
    const [receipt] = await world.mailsTo(person.email)
    expect(receipt?.text).toContain('nothing was charged')
  })

  it.each([
    ['nothing', { invoiceIds: [] }, { invoiceIds: 'Please select at least one invoice' }],
    ['no list', { invoiceIds: undefined }, { invoiceIds: 'Please select at least one invoice' }],
    [
      'no card',
      { paymentMethodId: undefined },
      { paymentMethodId: 'Please select a payment method' },
    ],
  ])('refuses %s, with the field named', async (_, more, fields) => {
    const { call, body } = await payer(world)
    const error = await refused(call(payInvoices, { body: { ...body, ...more } as never }))
    expect(error).toMatchObject({ code: 'validation_error', fields })
  })

  it('refuses the same invoice twice in one list, with the field named', async () => {
    const { call, body, invoiceIds } = await payer(world)
    const twice = { ...body, invoiceIds: [...invoiceIds, ...invoiceIds] }
    const error = await refused(call(payInvoices, { body: twice }))
    expect(error).toMatchObject({
      code: 'validation_error',
      fields: { invoiceIds: expect.any(String) },
    })
  })

  it('refuses more invoices than one payment can be for', async () => {
    const { call, body } = await payer(world)
    const invoiceIds = Array.from({ length: limits.invoicesPerPayment + 1 }, () =>
      newId<'Invoice'>(),
    )
    expect(await refusal(call(payInvoices, { body: { ...body, invoiceIds } }))).toBe(
      'validation_error',
    )
  })

  it('does not find somebody else’s invoice, nor one that there is not, and charges nothing', async () => {
    const [person, other] = [await payer(world), await payer(world)]
    const member = await payer(world)
    await world.join(member, person.teamId)
    for (const foreign of [...other.invoiceIds, newId<'Invoice'>()]) {
      const body = { ...person.body, invoiceIds: [...person.invoiceIds, foreign] }
      expect(await refusal(person.call(payInvoices, { body }))).toBe('invoice_not_found')
    }
    // A member of the team is not who pays for it.
    const theirs = { ...member.body, invoiceIds: person.invoiceIds }
    expect(await refusal(member.call(payInvoices, { body: theirs }))).toBe('invoice_not_found')
    expect(await paymentsOf(world, person)).toEqual([])
    expect(await paymentsOf(world, member)).toEqual([])
  })

  it('does not find somebody else’s card, nor a deleted one, nor one that there is not', async () => {
    const [person, other] = [await payer(world), await payer(world)]
    const deleted = await cardOf(person)
    await person.call(deletePaymentMethod, { params: { id: deleted.id } })
    const missing = newId<'PaymentMethod'>() as PaymentMethodId
    for (const paymentMethodId of [other.card.id, deleted.id, missing]) {
      const body = { ...person.body, paymentMethodId }
      expect(await refusal(person.call(payInvoices, { body }))).toBe('payment_method_not_found')
    }
    expect(await paymentsOf(world, person)).toEqual([])
  })

  it('refuses an invoice that is paid, also beside one that is not', async () => {
    const person = await payer(world)
    await person.pay()
    const { id } = await invoiceOf(world, person)
    expect(await refusal(person.pay())).toBe('invoice_already_paid')
    const body = { ...person.body, invoiceIds: [id, ...person.invoiceIds] }
    expect(await refusal(person.call(payInvoices, { body }))).toBe('invoice_already_paid')
    expect(await invoiceState(world, id)).toMatchObject({ state: null })
    expect(await chargesOf(world, person)).toHaveLength(1)
  })

  it('refuses a card that has expired since it was added, and asks no gateway', async () => {
    const person = await payer(world)
    const expiringAt = (expiresAt: Date) =>
      world.ctx.db
        .update(paymentMethods)
        .set({ expiresAt })
        .where(eq(paymentMethods.id, person.card.id))
    await expiringAt(world.clock.now())
    const error = await refused(person.pay())
    expect(error).toMatchObject({ code: 'payment_failed', context: 'card_expired' })
    expect(await paymentsOf(world, person)).toEqual([])
    await expiringAt(new Date(world.clock.now().getTime() + 1))
    expect(await person.pay()).toMatchObject({ state: 'succeeded' })
  })

  it('says why a card was declined; the invoices are unpaid and can be paid with another', async () => {
    const person = await payer(world, { cardNumber: declined })
    const error = await refused(person.pay())
    expect(error).toMatchObject({ code: 'payment_failed', context: 'card_declined' })
    const [invoiceId] = person.invoiceIds
    if (!invoiceId) throw new Error('an invoice is needed')
    expect(await invoiceState(world, invoiceId)).toEqual({
      state: 'failed',
      failure: 'card_declined',
      paid: false,
    })
    const { id: paymentMethodId } = await cardOf(person)
    const body = { ...person.body, paymentMethodId }
    expect(await person.call(payInvoices, { body })).toMatchObject({ state: 'succeeded' })
    expect(await invoiceState(world, invoiceId)).toMatchObject({ state: 'succeeded', paid: true })
    // The answer has said it: no letter says it once more.
    expect((await world.mailsTo(person.email)).map(({ key }) => key.split(':')[0])).toEqual([
      'payment-receipt',
    ])
  })

  it('refuses a card of a gateway that is not the one in use', async () => {
    const person = await payer(world)
    gatewayThat(world, () => ({ name: 'another' }))
    const error = await refused(person.pay())
    expect(error).toMatchObject({ code: 'payment_failed', context: 'card_not_usable' })
    expect(await paymentsOf(world, person)).toEqual([])
  })

  it('counts new attempts, and refuses more than somebody makes who pays', async () => {
    const person = await payer(world, { cardNumber: declined })
    for (let attempt = 0; attempt < limits.paymentsPerUser; attempt++) {
      // What does not begin is not counted.
      await refusal(person.call(payInvoices, { body: { ...person.body, invoiceIds: [] } }))
      expect(await refusal(person.pay())).toBe('payment_failed')
    }
    expect(await refusal(person.pay())).toBe('too_many_requests')
    world.clock.forward(limits.attemptWindow)
    expect(await refusal(person.pay())).toBe('payment_failed')
  })

  it('tells the payer of every change of an invoice', async () => {
    const person = await payer(world, { count: 2 })
    const refusing = await payer(world, { cardNumber: declined })
    const events = await announcements(world)
    await person.pay()
    const [first, second] = [...person.invoiceIds].sort().map(updated)
    const each = (list: unknown[]) => list.map((one) => JSON.stringify(one)).sort()
    expect(each(await events.take())).toEqual(each([first, second, first, second]))
    await refusal(refusing.pay())
    const [third] = refusing.invoiceIds.map(updated)
    expect(await events.take()).toEqual([third, third])
  })
})
