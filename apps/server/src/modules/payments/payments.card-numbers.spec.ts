import { minute } from '@slipway/contract/limits'
import type { NewPaymentMethod } from '@slipway/contract/payment-method-forms'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { serviceLimits } from '@slipway/contract/service-limits'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardNumberMatcher, encodedForms, rowsWithCardNumber } from '../../testing/card-numbers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { invoiceOf } from '../invoices/invoices.fixture.ts'
import {
  cardForm,
  declined,
  replaceGateway,
  timesOut,
  visa,
} from '../payment-methods/payment-methods.fixture.ts'
import { chargeWithoutResponse, paymentsOf } from './payments.fixture.ts'
import { resolve } from './settlement/resolver.ts'

const numbers = [
  visa,
  declined,
  timesOut,
  '5555555555554444',
  '9792030394440796',
  '378282246310005',
]

let world: World
let user: TestUser
beforeAll(async () => {
  // Logs every request.
  world = await createWorld({ LOG_LEVEL: 'debug' })
  user = await world.user({ locale: 'tr' })
})
afterAll(() => world.close())

/** Sends a raw request, without the client's checks. */
async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: unknown) {
  const response = await world.app.server.app.inject({
    method,
    url: `/api/account/${path}`,
    headers: {
      authorization: `Bearer ${user.token}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined
      ? {}
      : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  })
  return { status: response.statusCode, text: response.body }
}

/** Adds a card, after the rate limit's window. */
async function add(overrides: Partial<Record<keyof NewPaymentMethod, unknown>>) {
  world.clock.forward(serviceLimits.attemptWindow)
  return send('POST', 'payment-method/create', { ...cardForm(), ...overrides })
}

async function addCard(cardNumber: string): Promise<PaymentMethod> {
  const { status, text } = await add({ cardNumber })
  expect(status).toBe(200)
  return JSON.parse(text)
}

async function pay(card: Pick<PaymentMethod, 'id'>) {
  const { id } = await invoiceOf(world, user)
  return send('POST', 'invoice/pay', { invoiceIds: [id], paymentMethodId: card.id })
}

/** Every kind of wrong input with the number in it. */
async function sendWrongly(number: string, card: PaymentMethod) {
  // Plain, with spaces, with hyphens.
  const groups = encodedForms(number).slice(0, 3)
  const escaped = (number.match(/.{1,4}/g) ?? []).join('%20')
  const last = number.slice(-1)
  const wrong = number.slice(0, -1) + (last === '9' ? '0' : String(last.charCodeAt(0) - 47))
  for (const field of Object.keys(cardForm()))
    for (const value of [...groups, escaped, `Ayşe ${number}`, [number], { number }, `${number}\0`])
      if (field !== 'cardNumber') expect((await add({ [field]: value })).status).toBe(422)
  for (const cardNumber of [wrong, `${number}1`, number.slice(1), [number], Number(number)])
    expect((await add({ cardNumber })).status).toBe(422)
  const form = cardForm({ cardNumber: number, expireMonth: 13 })
  for (const body of [
    `{"cardNumber":"${number}"`,
    `"${number}"`,
    [number],
    { ...form, [number]: 1 },
  ])
    expect((await send('POST', 'payment-method/create', body)).status).toBeGreaterThanOrEqual(400)
  for (const form of groups) {
    const part = encodeURIComponent(form)
    await send('PUT', `payment-method/default/${part}`)
    await send('DELETE', `payment-method/delete/${part}`)
    await send('PUT', `payment-method/update/${card.id}?card=${part}`, { address: form })
    await send('GET', `payment-method/all?${part}`)
    await send('GET', `invoice/view/${part}`)
    await send('POST', 'invoice/pay', { invoiceIds: [form], paymentMethodId: form })
  }
}

/** Makes the database reject new rows of a table during `work`. */
async function withoutInserts(table: string, work: () => Promise<unknown>) {
  const change = (what: string) => world.ctx.db.execute(sql.raw(`alter table ${table} ${what}`))
  await change('add constraint nothing_more check (false) not valid')
  await work()
  await change('drop constraint nothing_more')
}

describe('card numbers', () => {
  it('are stored and logged nowhere, after everything that can happen to a card and its payments', async () => {
    const cards = new Map<string, PaymentMethod>()
    for (const number of numbers.slice(0, -1)) cards.set(number, await addCard(number))
    const card = (number: string) => {
      const stored = cards.get(number)
      if (!stored) throw new Error('the card was not added')
      return stored
    }
    // One number per length: the handling of input does not depend on the brand.
    for (const number of [visa, '9792030394440796', '378282246310005'])
      await sendWrongly(number, card(visa))

    expect(JSON.parse((await pay(card(visa))).text)).toMatchObject({ state: 'succeeded' })
    expect((await pay(card(declined))).status).toBe(402)
    const silent = replaceGateway(world, chargeWithoutResponse(world)(world.ctx.paymentGateway))
    expect(JSON.parse((await pay(card(timesOut))).text)).toMatchObject({ state: 'in_progress' })
    silent.restore()
    const failing = replaceGateway(world, {
      tokenise: () => Promise.reject(new Error('the gateway is unreachable')),
      charge: () => Promise.reject(new Error('the gateway is unreachable')),
    })
    for (const number of numbers.slice(0, -1))
      expect((await add({ cardNumber: number })).status).toBe(503)
    expect(JSON.parse((await pay(card(visa))).text)).toMatchObject({ state: 'in_progress' })
    failing.restore()
    for (const table of ['payment_methods', 'sandbox_cards'])
      await withoutInserts(table, async () => {
        for (const number of numbers.slice(0, -1))
          expect((await add({ cardNumber: number })).status).toBeGreaterThanOrEqual(500)
      })
    for (const table of ['payments', 'sandbox_charges', 'mails'])
      await withoutInserts(table, async () => {
        await pay(card(visa))
      })
    world.clock.forward(15 * minute)
    for (const { id } of await paymentsOf(world, user)) await resolve(world.ctx, id)
    const kinds = (await world.mailsTo(user.email)).map(({ key }) => key.split(':')[0])
    expect(new Set(kinds)).toEqual(new Set(['payment-receipt', 'payment-failed']))

    expect(await rowsWithCardNumber(world.database.options, numbers)).toEqual([])
    expect(world.logged.filter(cardNumberMatcher(numbers))).toEqual([])
    expect(world.logged.some((line) => line.includes('/account/payment-method/create'))).toBe(true)
  })
})
