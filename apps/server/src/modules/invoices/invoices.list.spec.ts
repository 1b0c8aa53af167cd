import type { RequestOf } from '@slipway/contract/endpoint'
import { listInvoices } from '@slipway/contract/invoices'
import { day, hour } from '@slipway/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { invoiceOf } from './invoices.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

type Query = RequestOf<typeof listInvoices>['query']

const idsOf = async ({ call }: Pick<TestUser, 'call'>, query: Query) =>
  (await call(listInvoices, { query })).items.map(({ id }) => id)

async function invoicesOfEachState(user: TestUser) {
  const overdue = await invoiceOf(world, user, { amount: '10.00000' })
  const paid = await invoiceOf(world, user, { amount: '9.50000', paidAt: world.clock.now() })
  const paying = await invoiceOf(world, user, {
    amount: '900.00000',
    paymentState: 'in_progress',
  })
  world.clock.forward(day + 1)
  const failed = await invoiceOf(world, user, {
    amount: '10.00000',
    paymentState: 'failed',
    paymentFailure: 'card_declined',
  })
  return { overdue: overdue.id, paid: paid.id, paying: paying.id, failed: failed.id }
}

describe(`${title(listInvoices)} with state`, () => {
  it('returns only the invoices of that state; unpaid includes overdue ones', async () => {
    const user = await world.user()
    await invoiceOf(world, await world.user())
    const { overdue, paid, paying, failed } = await invoicesOfEachState(user)
    expect(await idsOf(user, { state: 'unpaid' })).toEqual([failed, overdue])
    expect(await idsOf(user, { state: 'overdue' })).toEqual([overdue])
    expect(await idsOf(user, { state: 'in_progress' })).toEqual([paying])
    expect(await idsOf(user, { state: 'paid' })).toEqual([paid])
  })

  it("agrees with each invoice's overdue flag, to the millisecond", async () => {
    const user = await world.user()
    const { id } = await invoiceOf(world, user)
    world.clock.forward(day)
    expect(await idsOf(user, { state: 'overdue' })).toEqual([])
    world.clock.forward(1)
    const { items } = await user.call(listInvoices, { query: { state: 'overdue' } })
    expect(items).toMatchObject([{ id, overdue: true }])
  })

  it('counts the pages of the filtered list', async () => {
    const user = await world.user()
    await invoicesOfEachState(user)
    const page = await user.call(listInvoices, { query: { state: 'unpaid', perPage: 1, page: 2 } })
    expect(page).toMatchObject({ currentPage: 2, totalPages: 2 })
    expect(page.items).toHaveLength(1)
  })
})

describe(`${title(listInvoices)} with sort`, () => {
  it('orders by amount, and equal amounts newest first', async () => {
    const user = await world.user()
    const { overdue, paid, paying, failed } = await invoicesOfEachState(user)
    expect(await idsOf(user, { sort: 'amount' })).toEqual([paid, failed, overdue, paying])
    expect(await idsOf(user, { sort: '-amount' })).toEqual([paying, failed, overdue, paid])
  })

  it('orders by the start of the period and by the issue', async () => {
    const user = await world.user()
    const early = new Date('2025-01-01T00:00:00Z')
    const late = new Date('2025-02-01T00:00:00Z')
    const second = await invoiceOf(world, user, { startsAt: late })
    world.clock.forward(hour)
    const first = await invoiceOf(world, user, { startsAt: early })
    expect(await idsOf(user, { sort: 'start' })).toEqual([first.id, second.id])
    expect(await idsOf(user, { sort: '-start' })).toEqual([second.id, first.id])
    expect(await idsOf(user, { sort: 'issued' })).toEqual([second.id, first.id])
    expect(await idsOf(user, { sort: '-issued' })).toEqual([first.id, second.id])
  })

  it('puts unpaid invoices last when ordered by payment, in both directions', async () => {
    const user = await world.user()
    const sooner = await invoiceOf(world, user, { paidAt: world.clock.now() })
    world.clock.forward(hour)
    const open = await invoiceOf(world, user)
    const later = await invoiceOf(world, user, { paidAt: world.clock.now() })
    expect(await idsOf(user, { sort: 'paid' })).toEqual([sooner.id, later.id, open.id])
    expect(await idsOf(user, { sort: '-paid' })).toEqual([later.id, sooner.id, open.id])
  })

  it('lists each invoice on exactly one page, also with equal sort values', async () => {
    const user = await world.user()
    const stored: string[] = []
    for (let number = 0; number < 5; number++) stored.push((await invoiceOf(world, user)).id)
    const listed: string[] = []
    for (const page of [1, 2, 3])
      listed.push(...(await idsOf(user, { sort: 'amount', perPage: 2, page })))
    expect(listed.sort()).toEqual(stored.sort())
  })
})

describe(`${title(listInvoices)} with search`, () => {
  it("finds the user's invoices by a part of the id, in any case", async () => {
    const [user, stranger] = [await world.user(), await world.user()]
    const { id } = await invoiceOf(world, user)
    await invoiceOf(world, user)
    const foreign = await invoiceOf(world, stranger)
    for (const search of [id, id.slice(-8), ` ${id.slice(-8).toUpperCase()} `])
      expect(await idsOf(user, { search })).toEqual([id])
    expect(await idsOf(user, { search: foreign.id })).toEqual([])
  })

  it.each(['%', '_', '\\', "' or true --"])('treats %j literally', async (search) => {
    const user = await world.user()
    await invoiceOf(world, user)
    expect(await idsOf(user, { search })).toEqual([])
  })
})

describe(title(listInvoices), () => {
  it.each([
    { state: 'nonsense' },
    { state: '' },
    { sort: 'nonsense' },
    { sort: '--amount' },
    { search: 'x'.repeat(37) },
  ])('rejects %j', async (query) => {
    const { call } = await world.user()
    expect(await errorCodeOf(call(listInvoices, { query: query as never }))).toBe(
      'validation_error',
    )
  })
})
