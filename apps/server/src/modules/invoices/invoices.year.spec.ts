import type { UserId } from '@slipway/contract/account'
import type { Amount } from '@slipway/contract/amount'
import { minute } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { asc, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { productPrices, userDiscounts } from '../products/products.schema.ts'
import { newKey } from '../projects/projects.key.ts'
import { projects } from '../projects/projects.schema.ts'
import { teams } from '../teams/teams.schema.ts'
import { monthEnd } from '../usage/usage.policy.ts'
import { billingAccounts, usageIntervals } from '../usage/usage.schema.ts'
import type { Interval } from './calculation/calculation.ts'
import { hourByHour, totalOf, units } from './calculation/hour-by-hour.fixture.ts'
import type { Rates } from './calculation/rates.ts'
import { jobs } from './invoices.jobs.ts'
import { invoiceItems, invoices } from './invoices.schema.ts'
import { issue, issueJob } from './issuing/issuing.ts'

const customers = 200
const seed = 20_260_101
const productId = 'website'
const start = new Date('2026-01-01T00:00:00Z')
const end = new Date('2027-01-01T00:00:00Z')
const minutesOfYear = (end.getTime() - start.getTime()) / minute

let world: World
beforeAll(async () => {
  world = await createWorld({}, start)
})
afterAll(() => world.close())

type Customer = {
  id: UserId
  intervals: Interval[]
  discounts: Rates['discounts']
  /** When an operator issues invoices in the middle of a month. */
  earlyIssueTimes: Date[]
}

// Generated numbers are biased towards the ends of the year; times must not be.
const moment = fc
  .noBias(fc.integer({ min: 0, max: minutesOfYear - 1 }))
  .map((minutes) => new Date(start.getTime() + minutes * minute))
const moments = (maxLength: number) =>
  fc
    .uniqueArray(moment, { maxLength, selector: (each) => each.getTime() })
    .map((list) => list.sort((first, second) => first.getTime() - second.getTime()))
/** The times at which each project starts and stops: long, short, repeated, or never. */
const projectTimes = fc.array(
  fc.oneof(
    moments(9),
    moment.map((from) => [from]),
    fc
      .tuple(moment, fc.integer({ min: 1, max: 300 }))
      .map(([from, minutes]) => [from, new Date(from.getTime() + minutes * minute)]),
  ),
  { maxLength: 4 },
)
const price = fc
  .integer({ min: 0, max: 9_999 })
  .map((value) => `0.0${String(value).padStart(4, '0')}` as Amount)

const scenarios = fc.record({
  projectTimes,
  discounts: fc.uniqueArray(fc.tuple(moment, fc.option(price)), {
    maxLength: 3,
    selector: ([from]) => from.getTime(),
  }),
  earlyIssueTimes: moments(2),
})

async function storeCustomers(): Promise<Customer[]> {
  const times = { createdAt: start, updatedAt: start }
  const all = fc.sample(scenarios, { seed, numRuns: customers }).map((scenario, index) => {
    const [id, teamId] = [newId<'User'>(), newId<'Team'>()]
    const projectIds = scenario.projectTimes.map(() => newId<'Project'>())
    return { scenario, index, id, teamId, projectIds }
  })
  const { db } = world.ctx
  await db.insert(users).values(
    all.map(({ id, index }) => ({
      ...times,
      id,
      username: `customer${index}`,
      name: `Customer ${index}`,
      email: `customer${index}@example.com`,
      loginKind: 'Email' as const,
      verifiedAt: start,
    })),
  )
  await db
    .insert(teams)
    .values(all.map(({ id, teamId }) => ({ ...times, id: teamId, userId: id, name: 'Own' })))
  await db.insert(projects).values(
    all.flatMap(({ teamId, projectIds }) =>
      projectIds.map((id) => ({
        ...times,
        id,
        teamId,
        key: newKey('Example'),
        regionId: 'eu',
        name: 'Example site',
        state: 'ready' as const,
        generation: 1,
        appliedGeneration: 1,
      })),
    ),
  )
  return all.map(({ id, projectIds, scenario }) => ({
    id,
    earlyIssueTimes: scenario.earlyIssueTimes,
    intervals: scenario.projectTimes.flatMap((times, index) =>
      intervalsOf(projectIds[index], times),
    ),
    discounts: scenario.discounts.map(([startsAt, discount]) => ({
      productId,
      startsAt,
      discount,
    })),
  }))
}

/** The times alternately start and stop a project. */
function intervalsOf(projectId: ProjectId | undefined, times: readonly Date[]): Interval[] {
  if (!projectId) throw new Error('missing project id')
  return times.flatMap((startedAt, index) =>
    index % 2 === 0 ? [{ projectId, productId, startedAt, endedAt: times[index + 1] ?? null }] : [],
  )
}

/** Stores usage as known at `now`: later starts and ends are missing. */
async function storeUsage(all: readonly Customer[], now: Date) {
  const ids = all.map(({ id }) => id)
  await world.ctx.db.delete(usageIntervals).where(inArray(usageIntervals.userId, ids))
  const rows = all.flatMap(({ id: userId, intervals }) =>
    intervals
      .filter(({ startedAt }) => startedAt <= now)
      .map(({ endedAt, ...interval }) => ({
        ...interval,
        id: newId<'UsageInterval'>(),
        userId,
        endedAt: endedAt !== null && endedAt <= now ? endedAt : null,
        createdAt: now,
      })),
  )
  for (let from = 0; from < rows.length; from += 500)
    await world.ctx.db.insert(usageIntervals).values(rows.slice(from, from + 500))
}

/** Calls `work` for each element, up to eight at a time. */
async function forEachConcurrently<Each>(
  list: readonly Each[],
  work: (each: Each) => Promise<unknown>,
) {
  const queue = [...list]
  const worker = async () => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) await work(each)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

const handlerOf = (name: string) => {
  const job = jobs.find((each) => each.name === name)
  if (!job) throw new Error(`unknown job ${name}`)
  return job.handle
}

/** Issuing jobs that were sent but not run. Emails stay in the outbox. */
const sentJobs: Record<string, string>[] = []
const withoutWorkers = (clock = world.ctx.clock): Context => ({
  ...world.ctx,
  clock,
  jobs: {
    ...world.ctx.jobs,
    async send(_tx, name, data) {
      if (name === issueJob) sentJobs.push(data)
    },
  },
})

/** Runs the scheduled job, and then the issuing jobs that it sent. */
async function runSchedule() {
  const ctx = withoutWorkers()
  await handlerOf('invoices.issue-due')(ctx, {})
  await forEachConcurrently(sentJobs.splice(0), (data) => handlerOf(issueJob)(ctx, data))
}

/** Issues a customer's invoices up to `now`, as an operator does. */
async function issueEarly(customer: Customer, now: Date) {
  await storeUsage([customer], now)
  await issue(withoutWorkers({ now: () => now }), customer.id, 'now')
}

it('a year of 200 customers is billed as in the hour-by-hour calculation, invoice by invoice', async () => {
  const all = await storeCustomers()
  const changes = fc.sample(fc.tuple(moment, price), { seed, numRuns: 8 })
  const prices = [
    { productId, startsAt: new Date('2000-01-01T00:00:00Z'), price: '0.01250' as Amount },
    ...changes.map(([startsAt, each]) => ({ productId, startsAt, price: each })),
  ]
  const { db } = world.ctx
  const createdAt = start
  await db.insert(productPrices).values(prices.slice(1).map((each) => ({ ...each, createdAt })))
  const discounts = all.flatMap(({ id: userId, discounts: userDiscounts }) =>
    userDiscounts.map((each) => ({
      ...each,
      userId,
      discount: each.discount as Amount | null,
      createdAt,
    })),
  )
  await db.insert(userDiscounts).values(discounts)
  await db
    .insert(billingAccounts)
    .values(all.map(({ id: userId }) => ({ userId, billedUntil: start, createdAt })))

  // Each month is issued a few minutes late; the service is down at the ends of April and May.
  const monthEnds = Array.from({ length: 12 }, (_, month) =>
    monthEnd(new Date(Date.UTC(2026, month))),
  )
  const monthsDown = new Set([3, 4])
  const schedule = monthEnds
    .filter((_, month) => !monthsDown.has(month))
    .map((time) => new Date(time.getTime() + 3 * minute))
  let before = start
  for (const runAt of schedule) {
    // Several customers at once, as several workers do; the early issues of each in order.
    await forEachConcurrently(all, async (customer) => {
      const due = customer.earlyIssueTimes.filter((each) => each >= before && each < runAt)
      for (const each of due) await issueEarly(customer, each)
    })
    world.clock.forward(runAt.getTime() - world.clock.now().getTime())
    await storeUsage(all, runAt)
    await runSchedule()
    before = runAt
  }

  const stored = await db.select().from(invoices).orderBy(asc(invoices.startsAt), asc(invoices.id))
  const items = Map.groupBy(await db.select().from(invoiceItems), ({ invoiceId }) => invoiceId)
  let sum = 0n
  let billed = 0
  for (const { id, intervals, discounts: userDiscounts, earlyIssueTimes } of all) {
    const rates = { prices, discounts: userDiscounts }
    const issued = stored.filter(({ userId }) => userId === id)
    const ends = [...earlyIssueTimes, ...monthEnds].sort(
      (first, second) => first.getTime() - second.getTime(),
    )
    let from = start
    for (const to of ends) {
      const hours = hourByHour(intervals, rates, { start: from, end: to }, to)
      const invoice = issued.find(({ startsAt }) => startsAt.getTime() === from.getTime())
      expect(invoice ? units(invoice.amount) : 0n).toBe(totalOf(hours))
      if (invoice) {
        expect(invoice.endsAt).toEqual(to)
        const lines = items.get(invoice.id) ?? []
        expect(lines.reduce((total, line) => total + line.runningHours, 0)).toBe(hours.length)
        expect(lines.reduce((total, line) => total + units(line.totalAmount), 0n)).toBe(
          totalOf(hours),
        )
        billed++
      }
      sum += totalOf(hours)
      from = to
    }
  }
  expect(billed).toBe(stored.length)
  expect(stored.reduce((total, invoice) => total + units(invoice.amount), 0n)).toBe(sum)
  expect(billed).toBeGreaterThan(customers)
  const accounts = await db.select().from(billingAccounts)
  expect(accounts.every(({ billedUntil }) => billedUntil.getTime() === end.getTime())).toBe(true)
}, 300_000)
