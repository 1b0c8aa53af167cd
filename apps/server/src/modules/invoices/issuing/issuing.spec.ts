import { listInvoices, viewInvoice } from '@slipway/contract/invoices'
import { day, hour, minute } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import { getInvoiceRun, issueInvoices } from '@slipway/contract/products'
import { deleteProject, renameProject } from '@slipway/contract/projects'
import { formatCharge } from '@slipway/phrases'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context, Tx } from '../../../context.ts'
import { title } from '../../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../../testing/matchers.ts'
import { runBehindLock } from '../../../testing/run-behind-lock.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { productPrices, products } from '../../products/products.schema.ts'
import { collectEvents } from '../../support/support.fixture.ts'
import { usageOf } from '../../usage/usage.fixture.ts'
import { monthEnd, monthStart } from '../../usage/usage.policy.ts'
import { billingAccounts, usageIntervals } from '../../usage/usage.schema.ts'
import * as usage from '../../usage/usage.service.ts'
import { invoiceOf } from '../invoices.fixture.ts'
import { invoiceItems, invoiceNumbers, invoiceRuns, invoices } from '../invoices.schema.ts'
import { issue, issueDue } from './issuing.ts'
import { listCustomers, startRun } from './runs.ts'

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

/** A client with a new session: older ones expire within the months of a test. */
const clientOf = async ({ id }: TestUser) =>
  world.client(await world.ctx.write((tx) => world.ctx.sessions.start(tx, id)))

const invoicesOf = async (user: TestUser) =>
  (await (await clientOf(user))(listInvoices, { query: { perPage: 100 } })).items.reverse()
const viewed = async (user: TestUser, id: string | undefined) =>
  (await clientOf(user))(viewInvoice, { params: { id: id ?? 'none' } })

const lockAccount = (tx: Tx, { id }: TestUser) =>
  tx.select().from(billingAccounts).where(eq(billingAccounts.userId, id)).for('update')

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
  it('issues its invoice, with an event and an email in the customer’s language', async () => {
    const user = await world.user({ locale: 'tr', name: 'Işıl' })
    await usageOf(world, user, now())
    const from = now()
    toNextMonth()
    const hours = (now().getTime() - from.getTime()) / hour
    const events = await collectEvents(world)
    const [issued] = await issue(world.ctx, user.id, 'month')
    const amount = toAmount(money('0.0125').times(Math.min(672, hours)))
    expect(await invoicesOf(user)).toEqual([
      {
        id: issued?.id,
        number: issued?.number,
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
    const [email, ...others] = await world.mailsTo(user.email)
    expect(others).toEqual([])
    const cents = formatCharge(amount, 'tr')
    expect(email?.subject).toBe(`${cents} tutarındaki Slipway faturanız`)
    expect(email?.text).toContain(`${cents} öde:`)
    expect(email?.text).toContain(`/account/billing/invoices/pay?invoice=${issued?.id}`)
    expect(email?.text).toContain('Son ödeme tarihi: 2 Aralık 2026')
    expect(email?.text).toContain('1–30 Kasım 2026')
    expect(email?.text).toMatch(new RegExp(`^${RegExp.escape(cents)}\nSon ödeme tarihi: `))
  })

  it('issues nothing without cost, and the next period starts with the next month', async () => {
    const user = await world.user()
    await usageOf(world, user, now(), now())
    toNextMonth()
    expect(await issue(world.ctx, user.id, 'month')).toEqual([])
    expect(await invoicesOf(user)).toEqual([])
    expect(await world.mailsTo(user.email)).toEqual([])
    expect(await usage.findAccount(world.ctx.db, user.id)).toMatchObject({ billedUntil: now() })
  })

  it('bills deleted projects, and issued items keep their names', async () => {
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

  it('issues nothing for the current month', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    world.clock.forward(day)
    expect(await issue(world.ctx, user.id, 'month')).toEqual([])
  })

  it('issues three invoices without a gap after three months of downtime', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    for (let month = 0; month < 3; month++) toNextMonth()
    expect(await issue(world.ctx, user.id, 'month')).toHaveLength(3)
    expect(await invoicesOf(user)).toHaveLength(3)
    await expectNoGap(user)
    expect(await world.mailsTo(user.email)).toHaveLength(3)
  })
})

describe('the numbers of invoices', () => {
  const numbersOf = (issued: readonly { number: string | null }[]) =>
    issued.map(({ number }) => number)
  const lastNumber = async () => {
    const year = now().getUTCFullYear()
    const [row] = await world.ctx.db
      .select()
      .from(invoiceNumbers)
      .where(eq(invoiceNumbers.year, year))
    return row?.last ?? 0
  }
  const numbered = (count: number) => `SW-${now().getUTCFullYear()}-${`${count}`.padStart(6, '0')}`

  it('are consecutive when many customers are billed at once', async () => {
    const users: TestUser[] = []
    while (users.length < 8) users.push(await world.user())
    for (const user of users) await usageOf(world, user, now())
    world.clock.forward(hour)
    const last = await lastNumber()
    const otherCtx = (await world.anotherApp()).ctx
    const issued = await Promise.all(
      users.map(({ id }, index) => issue(index % 2 ? otherCtx : world.ctx, id, 'now')),
    )
    const expected = users.map((_, index) => numbered(last + index + 1))
    expect(numbersOf(issued.flat()).toSorted()).toEqual(expected)
  })

  it('have no gap after an issue that failed', async () => {
    const [failing, next] = [await world.user(), await world.user()]
    for (const user of [failing, next]) await usageOf(world, user, now())
    world.clock.forward(hour)
    const last = await lastNumber()
    const jobs = { ...world.ctx.jobs, send: () => Promise.reject(new Error('killed')) }
    await expect(issue({ ...world.ctx, jobs }, failing.id, 'now')).rejects.toThrow('killed')
    expect(numbersOf(await issue(world.ctx, next.id, 'now'))).toEqual([numbered(last + 1)])
    expect(numbersOf(await issue(world.ctx, failing.id, 'now'))).toEqual([numbered(last + 2)])
  })

  it('begin with those of invoices that an older server issued without one', async () => {
    const user = await world.user()
    const last = await lastNumber()
    const [first, second] = [await invoiceOf(world, user), await invoiceOf(world, user)]
    await usageOf(world, user, now())
    world.clock.forward(hour)
    expect(numbersOf(await issue(world.ctx, user.id, 'now'))).toEqual([numbered(last + 3)])
    const older = (await invoicesOf(user)).filter(({ id }) => [first.id, second.id].includes(id))
    expect(numbersOf(older).toSorted()).toEqual([numbered(last + 1), numbered(last + 2)])
  })

  it('find their invoice in the list', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    world.clock.forward(hour)
    const [issued] = await issue(world.ctx, user.id, 'now')
    const search = issued?.number?.toLowerCase().slice(3) ?? 'none'
    const { items } = await (await clientOf(user))(listInvoices, { query: { search } })
    expect(numbersOf(items)).toEqual([issued?.number])
  })
})

describe('the tax of an invoice', () => {
  it('is added to the net sum, and stored at the issue together with the seller', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    world.clock.forward(hour)
    const env = {
      ...world.env,
      TAX_RATE: '7.5',
      SELLER_NAME: 'Slip Ltd',
      SELLER_ADDRESS: ['Quay 1'],
    }
    const [issued] = await issue({ ...world.ctx, env }, user.id, 'now')
    expect(await viewed(user, issued?.id)).toMatchObject({
      items: [{ totalAmount: '0.01250' }],
      tax: { rate: '7.5', amount: '0.00094' },
      amount: '0.01344',
      seller: { name: 'Slip Ltd', address: ['Quay 1'], taxNumber: null },
    })
  })

  it('is nothing by default', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    world.clock.forward(hour)
    const [issued] = await issue(world.ctx, user.id, 'now')
    expect(await viewed(user, issued?.id)).toMatchObject({
      tax: { rate: '0', amount: '0.00000' },
      amount: '0.01250',
      seller: { name: 'Slipway', address: [], taxNumber: null },
    })
  })
})

describe('20 concurrent issues for one customer', () => {
  it('create one invoice, one email and one event', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    toNextMonth()
    const events = await collectEvents(world)
    // The calls run as jobs of three servers, each of which has eight connections for jobs.
    const others = [await world.anotherApp(), await world.anotherApp()]
    const servers = [world.ctx, ...others.map(({ ctx }) => ctx)].map((ctx) => ctx.forJobs())
    const calls = Array.from({ length: 20 }, (_, index) => async () => {
      const ctx = servers[index % servers.length] ?? world.ctx
      return issue(ctx, user.id, 'month')
    })
    const outcomes = await runBehindLock(world, (tx) => lockAccount(tx, user), calls)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await invoicesOf(user)).toHaveLength(1)
    expect(await world.mailsTo(user.email)).toHaveLength(1)
    expect(await events.take()).toHaveLength(1)
  })
})

describe('a project that is deleted while its invoice is issued', () => {
  it('does not deadlock with the issue, and is billed once', async () => {
    const user = await world.user()
    const project = await usageOf(world, user, now())
    toNextMonth()
    const call = await clientOf(user)
    const outcomes = await runBehindLock<unknown>(world, (tx) => lockAccount(tx, user), [
      () => issue(world.ctx, user.id, 'month'),
      () => call(deleteProject, { params: { id: project.id } }),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    toNextMonth()
    await issue(world.ctx, user.id, 'month')
    expect(await invoicesOf(user)).toHaveLength(1)
  })
})

describe('a customer whose invoice cannot be issued', () => {
  it('does not block other customers', async () => {
    const [broken, fine] = [await world.user(), await world.user()]
    await world.ctx.db
      .insert(products)
      .values({ id: 'unpriced', names: { en: 'Unpriced', tr: 'Fiyatsız' }, createdAt: now() })
    await usageOf(world, broken, now(), undefined, { productId: 'unpriced' })
    await usageOf(world, fine, now())
    toNextMonth()
    expect(await issueDue(world.ctx)).toBe(2)
    await world.startWorkers()
    await until(async () => (await invoicesOf(fine)).length === 1)
    await until(() => world.logged.some((line) => line.includes('unpriced has no price')))
    expect(await invoicesOf(broken)).toEqual([])

    // Once the price exists, the next run issues the invoice for the same month.
    await world.ctx.db.insert(productPrices).values({
      productId: 'unpriced',
      startsAt: new Date(0),
      price: toAmount(money('1')),
      createdAt: now(),
    })
    await issueDue(world.ctx)
    await until(async () => (await invoicesOf(broken)).length === 1)
    await expectNoGap(broken)
  })
})

describe('two servers, one of them an hour behind', () => {
  it('leave no gap and no overlap between invoices, and bill nothing twice', async () => {
    const behind: Context = { ...world.ctx, clock: { now: () => ago(hour) } }
    const user = await world.user()
    const project = await usageOf(world, user, now())
    const from = now()
    toNextMonth()
    world.clock.forward(10 * minute)
    // The month has ended by one clock only.
    expect(await issue(behind, user.id, 'month')).toEqual([])
    expect(await issue(world.ctx, user.id, 'month')).toHaveLength(1)
    expect(await issue(behind, user.id, 'now')).toEqual([])
    // Usage ends on the server that is behind, within the billed period.
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
  it('ends usage after the billed period, so that no hour is billed twice', async () => {
    const behind: Context = { ...world.ctx, clock: { now: () => ago(40 * minute) } }
    const user = await world.user()
    toNextMonth()
    const project = await usageOf(world, user, now())
    world.clock.forward(10 * hour + 30 * minute)
    expect(await issue(world.ctx, user.id, 'now')).toMatchObject([{ amount: '0.13750' }])
    const recordState = (ctx: Context, state: 'ready' | 'deleting') =>
      ctx.write((tx) => usage.recordState(ctx, tx, { ...project, state }))
    await recordState(behind, 'deleting')
    world.clock.forward(day)
    await recordState(world.ctx, 'ready')
    // The eleventh hour is billed and has half an hour left.
    world.clock.forward(15 * minute)
    expect(await issue(world.ctx, user.id, 'now')).toEqual([])
    world.clock.forward(16 * minute)
    expect(await issue(world.ctx, user.id, 'now')).toMatchObject([{ amount: '0.01250' }])
  })
})

describe(title(issueInvoices), () => {
  const issueFor = async (userId?: string) =>
    (await clientOf(operator))(issueInvoices, { body: { userId } })

  it("issues one user's cost so far, and nothing when repeated", async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    const from = now()
    world.clock.forward(90 * minute)
    const { invoices: issued, run } = await issueFor(user.id)
    expect(run).toBeNull()
    expect(issued).toMatchObject([
      { amount: '0.02500', createdAt: monthStart(from).toISOString(), endsAt: now().toISOString() },
    ])
    expect(await issueFor(user.id)).toEqual({ invoices: [], run: null })
    // The second hour was billed at its start: the third is the next.
    world.clock.forward(31 * minute)
    expect((await issueFor(user.id)).invoices).toMatchObject([{ amount: '0.01250' }])
    await expectNoGap(user)
  })

  it('ends although the clock advances during the issue', async () => {
    const user = await world.user()
    await usageOf(world, user, ago(hour))
    const requestedAt = now()
    let reads = 0
    const clock = {
      now() {
        world.clock.forward(1)
        reads++
        if (reads > 100) throw new Error('the clock is read in an endless loop')
        return now()
      },
    }
    const issued = await issue({ ...world.ctx, clock }, user.id, 'now')
    expect(issued).toHaveLength(1)
    expect(issued[0]?.endsAt).toEqual(new Date(requestedAt.getTime() + 1))
  })

  it('does not find an unknown user, and issues nothing without usage', async () => {
    expect(await errorCodeOf(issueFor('none'))).toBe('item_not_found')
    expect(await issueFor((await world.user()).id)).toEqual({ invoices: [], run: null })
  })
})

describe(title(getInvoiceRun), () => {
  const run = async () => (await (await clientOf(operator))(getInvoiceRun)).run
  const start = async () => (await (await clientOf(operator))(issueInvoices, { body: {} })).run
  const waitForEnd = () =>
    until(async () => {
      const current = await run()
      return current?.state === 'finished' && current
    })

  it('counts the customers of a run, and one without a price stops no other', async () => {
    const users = [await world.user(), await world.user(), await world.user()]
    const [broken] = users
    await world.ctx.db
      .insert(products)
      .values({ id: 'priceless', names: { en: 'A', tr: 'B' }, createdAt: now() })
    for (const user of users)
      await usageOf(
        world,
        user,
        now(),
        undefined,
        user === broken ? { productId: 'priceless' } : {},
      )
    world.clock.forward(hour)
    expect(await start()).toMatchObject({ state: 'running', listed: false, customers: 0 })
    await world.startWorkers()
    expect(await waitForEnd()).toMatchObject({
      listed: true,
      customers: 3,
      done: 2,
      failed: 1,
      failures: [{ userId: broken?.id, reason: expect.stringContaining('priceless has no price') }],
    })
    expect(await invoicesOf(users[1] as TestUser)).toHaveLength(1)
  })

  it('returns one run for two starts at once, and another after its end', async () => {
    const user = await world.user()
    await usageOf(world, user, now())
    world.clock.forward(hour)
    // The workers of another test may run: the lock keeps the run from finishing.
    const [first, second] = await world.ctx.write(async (tx) => {
      await lockAccount(tx, user)
      return Promise.all([start(), start()])
    })
    expect(second?.id).toBe(first?.id)
    await world.startWorkers()
    await waitForEnd()
    expect(await invoicesOf(user)).toHaveLength(1)
    expect((await start())?.id).not.toBe(first?.id)
    await waitForEnd()
    expect(await invoicesOf(user)).toHaveLength(1)
  })

  it('lists each customer once when its process was killed while it listed them', async () => {
    const users = [await world.user(), await world.user()]
    for (const user of users) await usageOf(world, user, now())
    world.clock.forward(hour)
    const ctx = { ...world.ctx, jobs: { ...world.ctx.jobs, send: async () => {} } }
    const { id } = await startRun(ctx)
    await listCustomers(ctx, id)
    await world.ctx.db.update(invoiceRuns).set({ listedAt: null })
    await listCustomers(ctx, id)
    expect(await run()).toMatchObject({ id, customers: 2, listed: true })
    // Other tests must not find this run, whose jobs were never sent.
    await world.ctx.db.delete(invoiceRuns)
  })
})

describe('a stored invoice', () => {
  it('is unique for its user and period', async () => {
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
