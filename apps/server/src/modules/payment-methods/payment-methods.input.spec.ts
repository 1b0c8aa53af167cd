import { limits } from '@slipway/contract/limits'
import {
  createPaymentMethod,
  type NewPaymentMethod,
  updatePaymentMethod,
} from '@slipway/contract/payment-method-forms'
import { serviceLimits } from '@slipway/contract/service-limits'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { billingFields, cardForm, cardOf, cardsOf } from './payment-methods.fixture.ts'

let world: World
let user: TestUser
beforeAll(async () => {
  world = await createWorld({ LOG_LEVEL: 'debug' }, new Date('2026-11-21T12:00:00.000Z'))
})
beforeEach(async () => {
  user = await world.user()
})
afterAll(() => world.close())

/** A number that no other test uses, so that every occurrence comes from here. */
const misplacedNumber = '4539578763621486'
const misplacedNumberMessage =
  'This looks like a card number. Enter it only in the card number field'

const nameMessage = 'Please enter billing name'
const addressMessage = 'Please enter billing address'
const taxNumberMessage = 'Please enter a tax number of at most 32 letters and digits'

const billingRules: [field: string, value: unknown, message: string][] = [
  ['taxNumber', '1'.repeat(33), taxNumberMessage],
  ['taxNumber', '<1>', taxNumberMessage],
  ['taxNumber', 7, taxNumberMessage],
  ['taxNumber', misplacedNumber, misplacedNumberMessage],
  ['billingName', 'Ay', nameMessage],
  ['billingName', '  Ay  ', nameMessage],
  ['billingName', undefined, nameMessage],
  ['billingName', null, nameMessage],
  ['billingName', 7, nameMessage],
  ['billingName', 'x'.repeat(101), 'This is too long'],
  ['billingName', `Ayşe ${misplacedNumber}`, misplacedNumberMessage],
  ['address', 'No', addressMessage],
  ['address', '', addressMessage],
  ['address', {}, addressMessage],
  ['address', 'x'.repeat(301), 'This is too long'],
  ['address', '4539-5787-6362-1486', misplacedNumberMessage],
  ['district', 'Be', 'Please enter the district'],
  ['district', undefined, 'Please enter the district'],
  ['district', misplacedNumber, misplacedNumberMessage],
  ['city', ' x ', 'Please enter the city'],
  ['city', [], 'Please enter the city'],
  ['city', `34433 ${misplacedNumber}`, misplacedNumberMessage],
  ['country', undefined, 'Please select a country'],
  ['country', 'France', 'Please select a country'],
  ['country', 'turkey', 'Please select a country'],
  ['country', misplacedNumber, 'Please select a country'],
]

const numberMessage = 'Please enter the card number'
const monthMessage = 'Please enter the expiry month'
const yearMessage = 'Please enter the expiry year'
const cardRules: typeof billingRules = [
  ['holderName', 'Al', 'Please enter the name on the card'],
  ['holderName', undefined, 'Please enter the name on the card'],
  ['holderName', `${misplacedNumber} Ayse`, misplacedNumberMessage],
  ['cardNumber', undefined, numberMessage],
  ['cardNumber', '', numberMessage],
  ['cardNumber', '4242424242424241', numberMessage],
  ['cardNumber', '424242424242424', numberMessage],
  ['cardNumber', '42424242424242424', numberMessage],
  ['cardNumber', '378282246310005', numberMessage],
  ['cardNumber', '424242424242424x', numberMessage],
  ['cardNumber', 4242424242424242, numberMessage],
  ['cardNumber', ['4242424242424242'], numberMessage],
  ['expireMonth', 0, monthMessage],
  ['expireMonth', 13, monthMessage],
  ['expireMonth', 1.5, monthMessage],
  ['expireMonth', '', monthMessage],
  ['expireMonth', 'May', monthMessage],
  ['expireMonth', '0x5', monthMessage],
  ['expireMonth', '1e1', monthMessage],
  ['expireMonth', true, monthMessage],
  ['expireMonth', null, monthMessage],
  ['expireMonth', [5], monthMessage],
  ['expireMonth', undefined, monthMessage],
  ['expireYear', undefined, yearMessage],
  ['expireYear', 10_000, yearMessage],
  ['expireYear', '30', yearMessage],
  ['expireYear', 2030.5, yearMessage],
  ['expireYear', null, yearMessage],
  ['expireYear', misplacedNumber, yearMessage],
  // By the test's clock.
  ['expireYear', 2025, yearMessage],
]

const titled = (rules: typeof billingRules) =>
  rules.map(([field, value, message]) => [field, JSON.stringify(value), message, value] as const)

describe(title(createPaymentMethod), () => {
  const create = (overrides: object) =>
    user.call(createPaymentMethod, { body: { ...cardForm(), ...overrides } as NewPaymentMethod })

  it.each(titled([...billingRules, ...cardRules]))(
    'rejects %s = %s with "%s"',
    async (field, _shown, message, value) => {
      const { code, fields } = await errorOf(create({ [field]: value }))
      expect({ code, fields }).toEqual({ code: 'validation_error', fields: { [field]: message } })
      expect(await cardsOf(user)).toEqual([])
    },
  )

  it('reports both parts of an expiry in a past month of the current year', async () => {
    const { fields } = await errorOf(create({ expireMonth: 10, expireYear: 2026 }))
    expect(fields).toEqual({
      expireMonth: 'This card has expired',
      expireYear: 'This card has expired',
    })
  })

  it("reports every wrong field in the caller's language", async () => {
    const turkish = world.client(user.token, 'tr')
    const { fields } = await errorOf(turkish(createPaymentMethod, { body: {} as never }))
    const { taxNumber: _optional, ...required } = cardForm()
    expect(Object.keys(fields).sort()).toEqual(Object.keys(required).sort())
    expect(fields.cardNumber).toBe('Kart numarasını girin')
  })

  it('accepts the expiry as text, and trims stored fields', async () => {
    const more = { expireMonth: ' 03 ', expireYear: '2031', city: '  İzmir ' }
    const card = await create(more as never)
    expect(card).toMatchObject({ expiresAt: '2031-04-01T00:00:00.000Z', city: 'İzmir' })
  })

  it('accepts the last month of the last year', async () => {
    const last = { expireMonth: 12, expireYear: limits.expireYearMax }
    expect((await create(last)).expiresAt).toBe('9999-12-31T23:59:59.999Z')
  })
})

describe(title(updatePaymentMethod), () => {
  it.each(titled(billingRules))(
    'rejects %s = %s with "%s"',
    async (field, _shown, message, value) => {
      const card = await cardOf(user)
      const body = { ...billingFields, [field]: value } as never
      const { code, fields } = await errorOf(
        user.call(updatePaymentMethod, { params: { id: card.id }, body }),
      )
      expect({ code, fields }).toEqual({ code: 'validation_error', fields: { [field]: message } })
      expect(await cardsOf(user)).toEqual([card])
    },
  )
})

/** Every row of every table that contains the text. */
async function rowsWith(text: string) {
  const { rows: tables } = await world.ctx.db.execute<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
  expect(tables.map((table) => table.name)).toContain('public.payment_methods')
  const matches = []
  for (const table of tables) {
    const { rows } = await world.ctx.db.execute(
      sql`select * from ${sql.raw(table.name)} as row where row::text like ${`%${text}%`}`,
    )
    matches.push(...rows)
  }
  return matches
}

describe('a card number', () => {
  const send = (url: string, payload?: unknown, method: 'POST' | 'PUT' | 'GET' = 'POST') =>
    world.app.server.app.inject({
      method,
      url: `/api/account/payment-method/${url}`,
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      ...(payload === undefined
        ? {}
        : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })

  it('is never stored or logged, in any field', async () => {
    const { id } = await cardOf(user, { cardNumber: misplacedNumber })
    const form = cardForm({ cardNumber: misplacedNumber })
    const bodies: unknown[] = [
      form,
      ...Object.keys(form).map((field) => ({ ...form, [field]: misplacedNumber })),
      { ...form, note: misplacedNumber, [misplacedNumber]: misplacedNumber },
      // A JSON text, because `__proto__` in an object literal sets the prototype.
      `${JSON.stringify(form).slice(0, -1)},"__proto__":"${misplacedNumber}"}`,
      [misplacedNumber],
      misplacedNumber,
      `{"cardNumber":"${misplacedNumber}"`,
      `{"cardNumber":"${misplacedNumber}","__proto__":1}`,
    ]
    for (const body of bodies) {
      world.clock.forward(serviceLimits.attemptWindow)
      expect((await send('create', body)).statusCode).not.toBe(500)
      await send(`update/${id}`, body, 'PUT')
    }
    for (const url of [
      `update/${misplacedNumber}`,
      `default/${misplacedNumber}`,
      'default/4539%205787%206362%201486',
    ])
      expect((await send(url, billingFields, 'PUT')).statusCode).toBe(404)
    await send(`create?cardNumber=${misplacedNumber}`, {})
    expect((await send(`all?card=${misplacedNumber}`, undefined, 'GET')).statusCode).toBe(200)

    expect(await rowsWith(misplacedNumber)).toEqual([])
    const lines = world.logged.filter((line) => /4539.{0,3}5787.{0,3}6362.{0,3}1486/.test(line))
    expect(lines).toEqual([])
    // The search itself works.
    expect(await rowsWith(id)).toHaveLength(1)
    expect(world.logged.some((line) => line.includes('payment-method/update'))).toBe(true)
  })
})
