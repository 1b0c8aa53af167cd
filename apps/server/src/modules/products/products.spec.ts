import { day } from '@slipway/contract/limits'
import { changeDiscount, changePrice, listProducts } from '@slipway/contract/products'
import { serviceLimits } from '@slipway/contract/service-limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { findByEmail } from '../account/account.service.ts'
import { removeUnverified } from '../retention/retention.service.ts'
import { productPrices, userDiscounts } from './products.schema.ts'

let world: World
let operator: TestUser
let colleague: TestUser
beforeAll(async () => {
  const emails = ['operator@example.com', 'colleague@example.com'] as const
  world = await createWorld({ OPERATOR_EMAILS: [...emails] })
  operator = await world.user({ email: emails[0] })
  colleague = await world.user({ email: emails[1] })
})
afterAll(() => world.close())

const productId = 'website'
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * day).toISOString()
const setPrice = (body: { productId: string; price: string; from?: string }) =>
  operator.call(changePrice, { body })
const setDiscount = (body: {
  email: string
  productId: string
  discount: string | null
  from?: string
}) => operator.call(changeDiscount, { body })

describe(title(listProducts), () => {
  it('returns the built-in product, named in the operator’s language', async () => {
    const website = { id: productId, name: 'Website', price: '0.01250', comingPrices: [] }
    expect(await operator.call(listProducts)).toEqual([website])
    const [inTurkish] = await world.client(operator.token, 'tr')(listProducts)
    expect(inTurkish?.name).toBe('Web sitesi')
  })
})

describe(title(changePrice), () => {
  it('sets the price of an hour, now or from a later time', async () => {
    expect(await setPrice({ productId, price: '0.02' })).toMatchObject({ price: '0.02000' })
    const from = inDays(2)
    await setPrice({ productId, price: '1', from })
    const scheduled = await setPrice({ productId, price: '0.00001', from: inDays(1) })
    expect(scheduled.comingPrices).toEqual([
      { price: '0.00001', from: inDays(1) },
      { price: '1.00000', from },
    ])
    world.clock.forward(2 * day)
    expect(await operator.call(listProducts)).toMatchObject([
      { price: '1.00000', comingPrices: [] },
    ])
  })

  it('replaces a price set for the same time', async () => {
    const from = inDays(3)
    await setPrice({ productId, price: '5', from })
    const { comingPrices } = await setPrice({ productId, price: '6', from })
    expect(comingPrices).toEqual([{ price: '6.00000', from }])
  })

  it('is rejected for a time in the past', async () => {
    const from = new Date(world.clock.now().getTime() - 1).toISOString()
    expect((await errorOf(setPrice({ productId, price: '1', from }))).fields).toEqual({
      from: 'Please choose a time in the future',
    })
  })

  it.each(['', '-1', '1,5', '1e3', '0.123456', '0x10', 'NaN', '1234567890'])(
    'rejects the price %j',
    async (price) => {
      const { fields } = await errorOf(setPrice({ productId, price }))
      expect(Object.keys(fields)).toEqual(['price'])
    },
  )

  it('does not find an unknown product', async () => {
    expect(await errorCodeOf(setPrice({ productId: 'none', price: '1' }))).toBe('item_not_found')
  })
})

describe(title(changeDiscount), () => {
  it("sets and ends a user's discount, with the email in any case", async () => {
    const { id, email } = await world.user()
    const discount = await setDiscount({ email: email.toUpperCase(), productId, discount: '0.005' })
    const from = world.clock.now().toISOString()
    expect(discount).toEqual({ userId: id, productId, discount: '0.00500', from })
    const later = { email, productId, discount: null, from: inDays(1) }
    expect(await setDiscount(later)).toMatchObject({ discount: null, from: inDays(1) })
  })

  it('is rejected for a time in the past', async () => {
    const { email } = await world.user()
    const from = new Date(world.clock.now().getTime() - 1).toISOString()
    const { fields } = await errorOf(setDiscount({ email, productId, discount: '1', from }))
    expect(Object.keys(fields)).toEqual(['from'])
  })

  it('sets a discount that is deleted with an account that is never verified', async () => {
    const { email } = await world.user({ verified: false })
    await setDiscount({ email, productId, discount: '1' })
    world.clock.forward(serviceLimits.unverifiedLifetime)
    await removeUnverified(world.ctx)
    expect(await findByEmail(world.ctx.db, email)).toBeUndefined()
  })

  it('does not find an unknown user or product', async () => {
    const { email } = await world.user()
    const discount = '1'
    for (const body of [
      { email: 'nobody@example.com', productId, discount },
      { email, productId: 'none', discount },
    ])
      expect(await errorCodeOf(setDiscount(body))).toBe('item_not_found')
  })
})

describe('a price or discount', () => {
  it('stores the operator who last set it', async () => {
    const from = inDays(20)
    await setPrice({ productId, price: '5', from })
    await setDiscount({ email: operator.email, productId, discount: '1', from })
    await colleague.call(changePrice, { body: { productId, price: '6', from } })
    const changedByOf = <Table extends typeof productPrices | typeof userDiscounts>(table: Table) =>
      world.ctx.db
        .select({ changedBy: table.changedBy })
        .from(table as typeof productPrices)
        .where(eq(table.startsAt, new Date(from)))
    expect(await changedByOf(productPrices)).toEqual([{ changedBy: colleague.id }])
    expect(await changedByOf(userDiscounts)).toEqual([{ changedBy: operator.id }])
  })
})
