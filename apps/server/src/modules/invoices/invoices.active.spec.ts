import { getActiveInvoice, viewInvoice } from '@slipway/contract/invoices'
import { hour, minute } from '@slipway/contract/limits'
import { money, sumAmounts, toAmount } from '@slipway/contract/money'
import { changeDiscount, changePrice } from '@slipway/contract/products'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { usageOf } from '../usage/usage.fixture.ts'
import { billingAccounts } from '../usage/usage.schema.ts'
import { issue } from './issuing/issuing.ts'

let world: World
let operator: TestUser
// Mid-month, so that the month has a past and a future.
beforeAll(async () => {
  const start = new Date('2026-11-16T12:00:00Z')
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] }, start)
  operator = await world.user({ email: 'operator@example.com' })
})
afterAll(() => world.close())

const now = () => world.clock.now()
const fromNow = (milliseconds: number) => new Date(now().getTime() + milliseconds)
const ago = (milliseconds: number) => fromNow(-milliseconds)

describe(title(getActiveInvoice), () => {
  it('returns an empty invoice for the calendar month to a user without projects', async () => {
    const { call } = await world.user()
    const active = await call(getActiveInvoice)
    expect(active).toMatchObject({
      amount: '0.00000',
      createdAt: '2026-11-01T00:00:00.000Z',
      endsAt: '2026-12-01T00:00:00.000Z',
      issuedAt: null,
      paidAt: null,
      payment: null,
      overdue: false,
      items: [],
      usage: [],
      projects: [],
      expected: '0.00000',
    })
    expect(active.days).toHaveLength(30)
    expect(active.days[0]).toEqual({ date: '2026-11-01', amount: '0.00000', expected: '0.00000' })
  })

  it("shows each project's cost so far, and the expected amount at the end of the month", async () => {
    const user = await world.user()
    const { id, key } = await usageOf(world, user, ago(90 * minute), undefined, { name: 'Runs' })
    const deleted = await usageOf(world, user, ago(30 * hour), ago(20 * hour), { name: 'Deleted' })
    const active = await user.call(getActiveInvoice)
    expect(active.items.map((item) => [item.projectName, item.runningHours])).toEqual([
      ['Deleted', 10],
      ['Runs', 2],
    ])
    expect(active.items[1]).toEqual({
      id: expect.any(String),
      projectId: id,
      projectKey: key,
      projectName: 'Runs',
      product: 'Website',
      price: '0.01250',
      discount: null,
      runningHours: 2,
      amount: '0.02500',
      discountAmount: '0.00000',
      totalAmount: '0.02500',
      createdAt: ago(90 * minute).toISOString(),
      issuedAt: null,
    })
    expect(active.usage).toEqual([{ product: 'Website', runningHours: 12, totalAmount: '0.15000' }])
    expect(active.amount).toBe('0.15000')
    const hours = Math.ceil((Date.parse(active.endsAt) - ago(90 * minute).getTime()) / hour) + 10
    expect(active.expected).toBe(toAmount(money('0.0125').times(hours)))
    const byId = new Map(active.projects.map((project) => [project.projectId, project]))
    expect(byId.get(id)).toEqual({
      projectId: id,
      amount: '0.02500',
      expected: toAmount(money('0.0125').times(hours - 10)),
    })
    expect(byId.get(deleted.id)).toMatchObject({ amount: '0.12500', expected: '0.12500' })
  })

  it('has days that add up to the amount and to the expected amount', async () => {
    const user = await world.user()
    await usageOf(world, user, ago(50 * hour))
    const { days, amount, expected } = await user.call(getActiveInvoice)
    expect(sumAmounts(days.map((day) => day.amount))).toBe(amount)
    expect(sumAmounts(days.map((day) => day.expected))).toBe(expected)
    for (const day of days) expect(money(day.expected).gte(money(day.amount))).toBe(true)
    expect(days.map(({ date }) => date)).toEqual(
      Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`),
    )
  })

  it('has the day on which a project reaches the monthly cap, past or expected', async () => {
    const user = await world.user()
    await usageOf(world, user, new Date('2026-11-03T12:00:00Z'))
    expect(await user.call(getActiveInvoice)).toMatchObject({ capDay: null })
    await usageOf(world, user, new Date('2026-10-20T00:00:00Z'))
    expect(await user.call(getActiveInvoice)).toMatchObject({ capDay: '2026-11-28' })
  })

  it('returns the id, items and amount with which the invoice is issued later', async () => {
    const user = await world.user()
    await usageOf(world, user, ago(50 * hour), ago(10 * hour))
    await usageOf(world, user, ago(7 * hour))
    const active = await user.call(getActiveInvoice)
    const [issued] = await issue(world.ctx, user.id, 'now')
    expect(issued).toMatchObject({ id: active.id, amount: active.amount })
    const viewed = await user.call(viewInvoice, { params: { id: active.id } })
    const issuedAt = now().toISOString()
    expect(viewed.items).toEqual(active.items.map((item) => ({ ...item, issuedAt })))

    const next = await user.call(getActiveInvoice)
    expect(next).toMatchObject({ amount: '0.00000', createdAt: issuedAt })
    expect(next.id).not.toBe(active.id)
    expect(next.days[0]?.date).toBe('2026-11-16')
  })

  it('contains the time at which it was computed', async () => {
    const { call } = await world.user()
    const active = await call(getActiveInvoice)
    expect(active).toMatchObject({ asOf: now().toISOString(), awaiting: null })
  })

  it('names the previous period until its invoice is issued', async () => {
    const user = await world.user()
    // Nothing ran in September, so it gets no invoice.
    const [from, to] = [new Date('2026-10-30T00:00:00Z'), new Date('2026-11-02T00:00:00Z')]
    await usageOf(world, user, from, to)
    await world.ctx.db
      .update(billingAccounts)
      .set({ billedUntil: new Date('2026-09-10T00:00:00Z') })
      .where(eq(billingAccounts.userId, user.id))
    expect(await user.call(getActiveInvoice)).toMatchObject({
      createdAt: '2026-11-01T00:00:00.000Z',
      amount: '0.30000',
      awaiting: { createdAt: '2026-10-01T00:00:00.000Z', endsAt: '2026-11-01T00:00:00.000Z' },
    })
    await issue(world.ctx, user.id, 'month')
    expect(await user.call(getActiveInvoice)).toMatchObject({ amount: '0.30000', awaiting: null })
  })

  it('shows no cost of another user, even to a member of their team', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    await usageOf(world, owner, ago(hour))
    expect(await member.call(getActiveInvoice)).toMatchObject({ items: [], amount: '0.00000' })
  })
})

describe('a change of price or discount', () => {
  it('applies to hours that begin after it, not to the current hour', async () => {
    const user = await world.user()
    await usageOf(world, user, ago(30 * minute))
    const hours = async () =>
      (await user.call(getActiveInvoice)).items.map((item) => [
        item.runningHours,
        item.price,
        item.discount,
        item.totalAmount,
      ])
    const productId = 'website'
    await operator.call(changePrice, { body: { productId, price: '0.02' } })
    await operator.call(changeDiscount, {
      body: { email: user.email, productId, discount: '0.005', from: fromNow(hour).toISOString() },
    })
    expect(await hours()).toEqual([[1, '0.01250', null, '0.01250']])
    world.clock.forward(31 * minute)
    expect(await hours()).toEqual([
      [1, '0.01250', null, '0.01250'],
      [1, '0.02000', null, '0.02000'],
    ])
    world.clock.forward(2 * hour)
    expect(await hours()).toEqual([
      [1, '0.01250', null, '0.01250'],
      [1, '0.02000', null, '0.02000'],
      [2, '0.02000', '0.00500', '0.03000'],
    ])
  })
})
