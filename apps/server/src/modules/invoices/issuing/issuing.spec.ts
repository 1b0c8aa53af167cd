import { listInvoices, viewInvoice } from '@slipway/contract/invoices'
import { day, hour, minute } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import { issueInvoices } from '@slipway/contract/products'
import { deleteProject, renameProject } from '@slipway/contract/projects'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context, Tx } from '../../../context.ts'
import { title } from '../../../testing/declared-endpoints.ts'
import { refusal } from '../../../testing/matchers.ts'
import { until } from '../../../testing/until.ts'
import { heldUp } from '../../../testing/waiting.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { productPrices, products } from '../../products/products.schema.ts'
import { announcements } from '../../support/support.fixture.ts'
import { usageOf } from '../../usage/usage.fixture.ts'
import { monthEnd, monthStart } from '../../usage/usage.policy.ts'
import { billingAccounts, usageIntervals } from '../../usage/usage.schema.ts'
import * as usage from '../../usage/usage.service.ts'
import { invoiceItems, invoices } from '../invoices.schema.ts'
import { issue, issueAll } from './issuing.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  operator = await world.user({ email: 'operator@example.com' })
})
beforeEach(async () => {
  const { db } = world.ctx
  for (const table of [invoiceItems, invoices, usageIntervals, billingAccounts])
    await db.delete(table)
})
afterAll(() => world.close())

const now = () => world.clock.now()
const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds)
const toNextMonth = () => world.clock.forward(monthEnd(now()).getTime() - now().getTime())

/** A client with a session of today: months end sessions. */
const clientOf = async ({ id }: TestUser) =>
  world.client(await world.ctx.write((tx) => world.ctx.sessions.start(tx, id)))

const invoicesOf = async (user: TestUser) =>
  (await (await clientOf(user))(listInvoices, { query: { perPage: 100 } })).items.reverse()
const viewed = async (user: TestUser, id: string | undefined) =>
  (await clientOf(user))(viewInvoice, { params: { id: id ?? 'none' } })

const lockAccount = (tx: Tx, { id }: TestUser) =>
  tx.select().from(billingAccounts).where(eq(billingAccounts.userId, id)).for('update')

/** Each invoice begins where the one before ended. */
async function expectNoGap(user: TestUser) {
  const list = await invoicesOf(user)
  for (const [index, { createdAt, endsAt }] of list.entries()) {
    expect(createdAt < endsAt).toBe(true)
    if (index > 0) expect(createdAt).toBe(list[index - 1]?.endsAt)
  }
  expect(list.at(-1)?.endsAt).toBe(
    (await usage.findAccount(world.ctx.db, user.id))?.billedUntil.toISOString(),
  )
}

describe('the end of a month', () => {
  it('brings an invoice for it, an event and a letter in the customer’s language', async () => {
    const user = await world.user({ locale: 'tr', name: 'Işıl' })
    await usageOf(world, user, now())
    const from = now()
    toNextMonth()
    const hours = (now().getTime() - from.getTime()) / hour
    const events = await announcements(world)
    const [issued] = await issue(world.ctx, user.id, 'month')
    const amount = toAmount(money('0.0125').times(Math.min(672, hours)))
    expect(await invoicesOf(user)).toEqual([
      {
        id: issued?.id,
        amount,
        createdAt: monthStart(from).toISOString(),
        endsAt: now().toISOString(),
        issuedAt: now().toISOString(),
        paidAt: null,
        payment: null,
        overdue: false,
      },
    ])
    expect(await events.take()).toContainEqual({
      kind: 'Invoice',
      data: { type: 'Updated', invoiceId: issued?.id },
    })
    const [letter, ...others] = await world.mailsTo(user.email)
    expect(others).toEqual([])
    expect(letter?.subject).toBe(`$${amount.replace('.', ',')} tutarındaki Slipway faturanız`)
    expect(letter?.text).toContain(`/account/billing/invoices/view/${issued?.id}`)
    expect(letter?.text).toContain('1–30 Kasım 2026')
  })

  it('brings none to whoever owes nothing, whose next one begins with the next month all the same', async () => {
    const user = await world.user()
    await usageOf(world, user, now(), now())
    toNextMonth()
    expect(await issue(world.ctx, user.id, 'month')).toEqual([])
    expect(await invoicesOf(user)).toEqual([])
    expect(await world.mailsTo(user.email)).toEqual([])
    expect(await usage.findAccount(world.ctx.db, user.id)).toMatchObject({ billedUntil: now() })
  })

  it('bills projects that were deleted, and what is issued keeps the names they had', async () => {
    const user = await world.user()
    const renamed = await usageOf(world, user, ago(hour), undefined, { name: 'Before' })
    const deleted = await usageOf(world, user, ago(2 * hour), undefined, { name: 'Deleted' })
    await user.call(deleteProject, { params: { id: deleted.id } })
    toNextMonth()
    const [issued] = await issue(world.ctx, user.id, 'month')
    await (await clientOf(user))(renameProject, {
      params: { id: renamed.id },
      body: { name: 'After' },
    })
    const { items, amount } = await viewed(user, issued?.id)
    expect(items.map((item) => [item.projectName, item.projectKey])).toEqual([
      ['Before', renamed.key],
      ['Deleted', deleted.key],
    ])
    expect(items[1]).toMatchObject({ runningHours: 2, totalAmount: '0.02500' })
    const sum = items.reduce((total, item) => total.plus(item.totalAmount), money('0'))
    expect(toAmount(sum)).toBe(amount)
  })

  it('is not yet there for who is billed for the month that runs', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    world.clock.forward(day)
    expect(await issue(world.ctx, user.id, 'month')).toEqual([])
  })

  it('after three months of downtime brings three invoices, without a gap', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    for (let month = 0; month < 3; month++) toNextMonth()
    expect(await issue(world.ctx, user.id, 'month')).toHaveLength(3)
    expect(await invoicesOf(user)).toHaveLength(3)
    await expectNoGap(user)
    expect(await world.mailsTo(user.email)).toHaveLength(3)
  })
})

describe('20 issues of one customer at once', () => {
  it('bring one invoice, one letter and one event', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    toNextMonth()
    const events = await announcements(world)
    // Ten on each of two servers: as many as have a connection to wait with.
    const contexts = [world.ctx, (await world.anotherApp()).ctx]
    const calls = Array.from({ length: 20 }, (_, index) => async () => {
      const ctx = contexts[index % 2] ?? world.ctx
      return issue(ctx, user.id, 'month')
    })
    const ends = await heldUp(world, (tx) => lockAccount(tx, user), calls)
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await invoicesOf(user)).toHaveLength(1)
    expect(await world.mailsTo(user.email)).toHaveLength(1)
    expect(await events.take()).toHaveLength(1)
  })
})

describe('a project that is deleted while its invoice is issued', () => {
  it('keeps neither waiting for ever, and is billed once', async () => {
    const user = await world.user()
    const project = await usageOf(world, user, now())
    toNextMonth()
    const call = await clientOf(user)
    const ends = await heldUp<unknown>(world, (tx) => lockAccount(tx, user), [
      () => issue(world.ctx, user.id, 'month'),
      () => call(deleteProject, { params: { id: project.id } }),
    ])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    toNextMonth()
    await issue(world.ctx, user.id, 'month')
    expect(await invoicesOf(user)).toHaveLength(1)
  })
})

describe('one customer whose invoice cannot be issued', () => {
  it('stops nobody else’s', async () => {
    const [broken, fine] = [await world.user(), await world.user()]
    await world.ctx.db
      .insert(products)
      .values({ id: 'unpriced', names: { en: 'Unpriced', tr: 'Fiyatsız' }, createdAt: now() })
    await usageOf(world, broken, now(), undefined, { productId: 'unpriced' })
    await usageOf(world, fine, now())
    toNextMonth()
    expect(await issueAll(world.ctx, 'month')).toBe(2)
    await world.work()
    await until(async () => (await invoicesOf(fine)).length === 1)
    await until(() => world.logged.some((line) => line.includes('unpriced has no price')))
    expect(await invoicesOf(broken)).toEqual([])

    // What was missing is set right: the next look at the accounts issues it, for the same month.
    await world.ctx.db.insert(productPrices).values({
      productId: 'unpriced',
      startsAt: new Date(0),
      price: toAmount(money('1')),
      createdAt: now(),
    })
    await issueAll(world.ctx, 'month')
    await until(async () => (await invoicesOf(broken)).length === 1)
    await expectNoGap(broken)
  })
})

describe('two servers, one of them an hour behind', () => {
  it('leave no gap and no overlap between invoices, and nothing is billed twice', async () => {
    const behind: Context = { ...world.ctx, clock: { now: () => ago(hour) } }
    const user = await world.user()
    const project = await usageOf(world, user, now())
    const from = now()
    toNextMonth()
    world.clock.forward(10 * minute)
    // By the clock that is behind the month has not ended; by the other one it has.
    expect(await issue(behind, user.id, 'month')).toEqual([])
    expect(await issue(world.ctx, user.id, 'month')).toHaveLength(1)
    expect(await issue(behind, user.id, 'now')).toEqual([])
    // It ends on the server that is behind: within what has been billed.
    await behind.write((tx) => usage.recordState(behind, tx, { ...project, state: 'deleting' }))
    world.clock.forward(day)
    expect(await issue(behind, user.id, 'now')).toEqual([])
    expect(await issue(world.ctx, user.id, 'now')).toEqual([])
    const [first] = await invoicesOf(user)
    const { items } = await viewed(user, first?.id)
    const ran = monthEnd(from).getTime() - from.getTime()
    expect(items).toMatchObject([{ runningHours: Math.min(672, Math.ceil(ran / hour)) }])
  })
})

describe('a server whose clock is behind', () => {
  it('cannot end what has been billed as running, so that no hour is billed twice', async () => {
    const behind: Context = { ...world.ctx, clock: { now: () => ago(40 * minute) } }
    const user = await world.user()
    toNextMonth()
    const project = await usageOf(world, user, now())
    world.clock.forward(10 * hour + 30 * minute)
    expect(await issue(world.ctx, user.id, 'now')).toMatchObject([{ amount: '0.13750' }])
    const follow = (ctx: Context, state: 'ready' | 'deleting') =>
      ctx.write((tx) => usage.recordState(ctx, tx, { ...project, state }))
    await follow(behind, 'deleting')
    world.clock.forward(day)
    await follow(world.ctx, 'ready')
    // The eleventh hour, which is billed, has half an hour left.
    world.clock.forward(15 * minute)
    expect(await issue(world.ctx, user.id, 'now')).toEqual([])
    world.clock.forward(16 * minute)
    expect(await issue(world.ctx, user.id, 'now')).toMatchObject([{ amount: '0.01250' }])
  })
})

describe(title(issueInvoices), () => {
  const issueFor = async (userId?: string) =>
    (await clientOf(operator))(issueInvoices, { body: { userId } })

  it('issues what one user owes so far, and nothing when asked again', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    const from = now()
    world.clock.forward(90 * minute)
    const { invoices: issued, queued } = await issueFor(user.id)
    expect(queued).toBe(0)
    expect(issued).toMatchObject([
      { amount: '0.02500', createdAt: monthStart(from).toISOString(), endsAt: now().toISOString() },
    ])
    expect(await issueFor(user.id)).toEqual({ invoices: [], queued: 0 })
    // The second hour was billed when it began: the third one is the next.
    world.clock.forward(31 * minute)
    expect((await issueFor(user.id)).invoices).toMatchObject([{ amount: '0.01250' }])
    await expectNoGap(user)
  })

  it('comes to an end though time goes on while it is done', async () => {
    const user = await world.user()
    await usageOf(world, user, ago(hour))
    const asked = now()
    let reads = 0
    const clock = {
      now() {
        world.clock.forward(1)
        reads++
        if (reads > 100) throw new Error('the clock is read again and again')
        return now()
      },
    }
    const issued = await issue({ ...world.ctx, clock }, user.id, 'now')
    expect(issued).toHaveLength(1)
    expect(issued[0]?.endsAt).toEqual(new Date(asked.getTime() + 1))
  })

  it('issues everybody’s in the background', async () => {
    const users = [await world.user(), await world.user(), await world.user()]
    for (const user of users) await usageOf(world, user, now())
    world.clock.forward(hour)
    expect(await issueFor()).toEqual({ invoices: [], queued: 3 })
    for (const user of users) await until(async () => (await invoicesOf(user)).length === 1)
  })

  it('does not find a user who is none, and gives nothing for one without usage', async () => {
    expect(await refusal(issueFor('none'))).toBe('item_not_found')
    expect(await issueFor((await world.user()).id)).toEqual({ invoices: [], queued: 0 })
  })
})

describe('an invoice that is stored', () => {
  it('cannot be there twice for one period, whoever stores it', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    toNextMonth()
    const before = await usage.findAccount(world.ctx.db, user.id)
    await issue(world.ctx, user.id, 'month')
    await world.ctx.db
      .update(billingAccounts)
      .set({ billedUntil: before?.billedUntil })
      .where(eq(billingAccounts.userId, user.id))
    await expect(issue(world.ctx, user.id, 'month')).rejects.toThrow()
    expect(await invoicesOf(user)).toHaveLength(1)
  })
})
