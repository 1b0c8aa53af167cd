import { day } from '@slipway/contract/limits'
import { changeDiscount, changePrice } from '@slipway/contract/products'
import { projectPrice } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  operator = await world.user({ email: 'operator@example.com' })
})
afterAll(() => world.close())

const productId = 'website'
const startPrice = { hour: '0.01250', month: '8.40000' }
const inADay = () => new Date(world.clock.now().getTime() + day).toISOString()

describe(title(projectPrice), () => {
  it('is the price of an hour, and of a month of 672 hours', async () => {
    const { call } = await world.user()
    expect(await call(projectPrice)).toEqual({ list: startPrice, own: startPrice })
  })

  it("includes the caller's discount, not another user's", async () => {
    const { call, email } = await world.user()
    const stranger = await world.user()
    await operator.call(changeDiscount, { body: { email, productId, discount: '0.0025' } })
    expect(await call(projectPrice)).toEqual({
      list: startPrice,
      own: { hour: '0.01000', month: '6.72000' },
    })
    expect(await stranger.call(projectPrice)).toEqual({ list: startPrice, own: startPrice })
  })

  it('is never negative', async () => {
    const { call, email } = await world.user()
    await operator.call(changeDiscount, { body: { email, productId, discount: '1' } })
    expect((await call(projectPrice)).own).toEqual({ hour: '0.00000', month: '0.00000' })
  })

  it('ignores a price that is set for later until it takes effect', async () => {
    const { call } = await world.user()
    await operator.call(changePrice, { body: { productId, price: '0.02', from: inADay() } })
    expect((await call(projectPrice)).list).toEqual(startPrice)
    world.clock.forward(day)
    expect((await call(projectPrice)).list).toEqual({ hour: '0.02000', month: '13.44000' })
  })
})
