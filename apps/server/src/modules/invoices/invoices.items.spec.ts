import type { Amount } from '@slipway/contract/amount'
import { getActiveInvoice, viewInvoice } from '@slipway/contract/invoices'
import { hour } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../db/ids.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { productPrices, products, userDiscounts } from '../products/products.schema.ts'
import { usageOf } from '../usage/usage.fixture.ts'
import { usageIntervals } from '../usage/usage.schema.ts'
import { invoiceItems } from './invoices.schema.ts'
import { issue } from './issuing/issuing.ts'

const start = new Date('2026-11-01T00:00:00Z')
const afterStart = (hours: number) => new Date(start.getTime() + hours * hour)

let world: World
beforeAll(async () => {
  world = await createWorld({}, afterStart(600))
})
afterAll(() => world.close())

it('an invoice can have more items than one PostgreSQL statement can store', async () => {
  const user = await world.user()
  // Ten projects that ran for 500 hours, each hour with another discount.
  for (let count = 0; count < 10; count++)
    await usageOf(world, user, afterStart(0), afterStart(500))
  await world.ctx.db.insert(userDiscounts).values(
    Array.from({ length: 500 }, (_, index) => ({
      userId: user.id,
      productId: 'website',
      startsAt: afterStart(index),
      discount: toAmount(money(`0.00${String(index + 1).padStart(3, '0')}`)),
      createdAt: start,
    })),
  )
  const active = await user.call(getActiveInvoice)
  expect(active.items).toHaveLength(5000)
  const [issued] = await issue(world.ctx, user.id, 'now')
  // 10 × (500 × 0.0125 − 0.00001 × (1 + … + 500))
  expect(issued).toMatchObject({ id: active.id, amount: '49.97500' })
  const { items } = await user.call(viewInvoice, { params: { id: active.id } })
  expect(items.map(({ id }) => id)).toEqual(active.items.map(({ id }) => id))
  expect(await world.ctx.db.$count(invoiceItems)).toBe(5000)
})

it('two products on one project at the same time are two items with their own names', async () => {
  const user = await world.user()
  const { id: projectId } = await usageOf(world, user, afterStart(0), afterStart(5))
  const row = { createdAt: start, productId: 'backup' }
  await world.ctx.db
    .insert(products)
    .values({ id: 'backup', names: { en: 'Backup', tr: 'Yedekleme' }, createdAt: start })
  await world.ctx.db
    .insert(productPrices)
    .values({ ...row, startsAt: start, price: '0.10000' as Amount })
  await world.ctx.db.insert(usageIntervals).values({
    ...row,
    id: newId<'UsageInterval'>(),
    projectId,
    userId: user.id,
    startedAt: afterStart(0),
    endedAt: afterStart(3),
  })
  const active = await user.call(getActiveInvoice)
  const rows = active.items.map(({ product, runningHours, totalAmount }) => [
    product,
    runningHours,
    totalAmount,
  ])
  expect(rows.sort()).toEqual([
    ['Backup', 3, '0.30000'],
    ['Website', 5, '0.06250'],
  ])
  expect(new Set(active.items.map(({ id }) => id)).size).toBe(2)
  await issue(world.ctx, user.id, 'now')
  const { items, amount } = await user.call(viewInvoice, { params: { id: active.id } })
  expect(items.map(({ id, product }) => [id, product])).toEqual(
    active.items.map(({ id, product }) => [id, product]),
  )
  expect(amount).toBe('0.36250')
})
