import { day, hour, limits, minute, second } from '@slipway/contract/limits'
import { toAmount } from '@slipway/contract/money'
import type { ProjectId } from '@slipway/contract/projects'
import type Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monthEnd } from '../../usage/usage.policy.ts'
import { type Bill, calculate, type Interval } from './calculation.ts'
import { type Hour, hourByHour, totalOf, units } from './hour-by-hour.fixture.ts'
import type { Rates } from './rates.ts'

const productId = 'website'
const start = new Date('2026-11-01T00:00:00Z')
const dateOf = (text: string) => new Date(`2026-${text}Z`)
const inUnits = (amount: Big) => units(toAmount(amount))

/**
 * The intervals of a project that started and stopped at these times; an odd count leaves it open.
 */
const ran = (...times: string[]): Interval[] =>
  times.flatMap((time, index) => {
    if (index % 2 === 1) return []
    const end = times[index + 1]
    return [
      {
        projectId: 'one' as ProjectId,
        productId,
        startedAt: dateOf(time),
        endedAt: end === undefined ? null : dateOf(end),
      },
    ]
  })

const atPrice = (price: string): Rates => ({
  prices: [{ productId, startsAt: new Date(0), price }],
  discounts: [],
})
const november = { start, end: monthEnd(start) }
const hoursOf = (bill: Bill) => bill.items.reduce((sum, item) => sum + item.runningHours, 0)

describe('the billed hours of a project', () => {
  it.each([
    ['nothing', [], 0],
    ['no time at all', ['11-10T10:00', '11-10T10:00'], 0],
    ['a millisecond', ['11-10T10:00:00.000', '11-10T10:00:00.001'], 1],
    ['an hour', ['11-10T10:00', '11-10T11:00'], 1],
    ['a millisecond more', ['11-10T10:00', '11-10T11:00:00.001'], 2],
    ['two half hours', ['11-10T10:00', '11-10T10:30', '11-20T10:00', '11-20T10:30'], 1],
    ['an hour and then a bit', ['11-10T10:00', '11-10T11:00', '11-20T10:00', '11-20T10:01'], 2],
    ['over the start of the month', ['10-31T23:30', '11-01T00:30'], 1],
    ['over the end of the month', ['11-30T23:30', '12-01T05:00'], 1],
    ['28 days', ['11-01T00:00', '11-29T00:00'], 672],
    ['30 days', ['11-01T00:00', '12-01T00:00'], 672],
    ['for years', ['01-01T00:00'], 672],
    ['the same time twice', ['11-10T10:00', '11-10T12:00', '11-10T11:00', '11-10T13:00'], 3],
  ])('are right for usage of %s', (_usage, times, hours) => {
    const bill = calculate(ran(...times), atPrice('0.00001'), november, november.end)
    expect(hoursOf(bill)).toBe(hours)
    expect(toAmount(bill.amount)).toBe(`0.00${String(hours).padStart(3, '0')}`)
  })

  it('are billed once when the month is issued in parts, even if an hour spans two parts', () => {
    const intervals = ran('11-10T10:00', '11-10T10:30', '11-10T10:50', '11-10T12:00')
    const parts = [
      dateOf('11-10T10:20'),
      dateOf('11-10T10:55'),
      dateOf('11-10T11:20'),
      dateOf('11-10T11:21'),
    ]
    const hours = [november.start, ...parts].map((from, index) => {
      const end = parts[index] ?? november.end
      return hoursOf(calculate(intervals, atPrice('1'), { start: from, end }, end))
    })
    // The first hour begins at 10:00. The second begins after an hour of running time: at 11:20.
    expect(hours).toEqual([1, 0, 0, 1, 0])
  })
})

describe('the day of the monthly cap', () => {
  const capDay = (intervals: Interval[], period = november, rates = atPrice('1')) => {
    const bill = calculate(intervals, rates, period, period.end)
    return bill.capDay === null ? null : new Date(bill.capDay).toISOString().slice(0, 10)
  }

  it.each([
    ['ran from the start of the month', ['11-01T00:00'], '2026-11-28'],
    ['ran for years', ['01-01T00:00'], '2026-11-28'],
    ['started within the first day', ['11-01T10:30'], '2026-11-29'],
    ['stopped in between', ['11-01T00:00', '11-10T00:00', '11-11T12:00'], '2026-11-30'],
    ['started too late for it', ['11-03T00:00'], null],
    ['stopped after its last billed hour', ['11-01T00:00', '11-29T00:00'], null],
    ['ran a millisecond more', ['11-01T00:00', '11-29T00:00:00.001'], '2026-11-28'],
    ['did not run', [], null],
  ])('is right for a project that %s', (_usage, times, expected) => {
    expect(capDay(ran(...times))).toBe(expected)
  })

  it('is the first of several projects', () => {
    const other = ran('11-01T00:00').map((each) => ({ ...each, projectId: 'two' as ProjectId }))
    expect(capDay([...ran('11-01T10:30'), ...other])).toBe('2026-11-28')
    expect(capDay([...other, ...ran('11-01T10:30')])).toBe('2026-11-28')
    expect(capDay([...ran('11-10T00:00'), ...other])).toBe('2026-11-28')
  })

  it('is not the day on which a price falls or a discount begins', () => {
    const cheaper: Rates = {
      prices: [
        { productId, startsAt: new Date(0), price: '2' },
        { productId, startsAt: dateOf('11-20T00:00'), price: '1' },
      ],
      discounts: [{ productId, startsAt: dateOf('11-25T00:00'), discount: '0.5' }],
    }
    expect(capDay(ran('11-10T00:00'), november, cheaper)).toBeNull()
    expect(capDay(ran('11-01T00:00'), november, cheaper)).toBe('2026-11-28')
  })

  it('counts the hours before a period, and is in no later one', () => {
    const from = (time: string) => ({ start: dateOf(time), end: november.end })
    expect(capDay(ran('11-01T00:00'), from('11-16T00:00'))).toBe('2026-11-28')
    expect(capDay(ran('11-01T00:00'), from('11-29T00:00'))).toBeNull()
  })

  it('does not exist in a month of 28 days', () => {
    const february = { start: dateOf('02-01T00:00'), end: dateOf('03-01T00:00') }
    expect(capDay(ran('01-01T00:00'), february)).toBeNull()
  })
})

describe('the price of an hour', () => {
  const rates = {
    prices: [
      { productId, startsAt: new Date(0), price: '1.00000' },
      { productId, startsAt: dateOf('11-10T11:00'), price: '2.00000' },
    ],
    discounts: [
      { productId, startsAt: dateOf('11-10T12:30'), discount: '0.50000' },
      { productId, startsAt: dateOf('11-10T14:00'), discount: '5.00000' },
      { productId, startsAt: dateOf('11-10T15:00'), discount: null },
    ],
  }

  it('is the price when it begins, less the discount at that time, and never negative', () => {
    const bill = calculate(ran('11-10T10:30', '11-10T16:00'), rates, november, november.end)
    expect(
      bill.items.map((item) => [
        item.startsAt.toISOString().slice(11, 16),
        item.runningHours,
        toAmount(item.price),
        item.discount && toAmount(item.discount),
        toAmount(item.totalAmount),
      ]),
    ).toEqual([
      ['10:30', 1, '1.00000', null, '1.00000'],
      ['11:30', 1, '2.00000', null, '2.00000'],
      ['12:30', 2, '2.00000', '0.50000', '3.00000'],
      ['14:30', 1, '2.00000', '2.00000', '0.00000'],
      ['15:30', 1, '2.00000', null, '2.00000'],
    ])
    expect(toAmount(bill.amount)).toBe('8.00000')
  })

  it('starts no new item when it is set again without a change', () => {
    const samePriceTwice = [
      ...rates.prices,
      { productId, startsAt: dateOf('11-10T12:00'), price: '2.0' },
    ]
    const intervals = ran('11-10T11:00', '11-10T14:00')
    const bill = calculate(
      intervals,
      { prices: samePriceTwice, discounts: [] },
      november,
      november.end,
    )
    expect(bill.items.map((item) => item.runningHours)).toEqual([3])
  })

  it('is required', () => {
    const noRates = { prices: [], discounts: [] }
    const intervals = ran('11-10T10:30')
    expect(() => calculate(intervals, noRates, november, november.end)).toThrow(
      'website has no price',
    )
  })
})

// Random usage of projects, prices and discounts in a random month.

const months = [
  '2026-02-01T00:00:00Z',
  '2028-02-01T00:00:00Z',
  '2026-11-01T00:00:00Z',
  '2026-12-01T00:00:00Z',
]

type Scenario = {
  month: { start: Date; end: Date }
  intervals: Interval[]
  rates: Rates
  /** Distinct times within the month, in order. */
  times: Date[]
}

const minutesOfMonth = ({ start: from, end }: Scenario['month']) =>
  (end.getTime() - from.getTime()) / minute

const price = fc
  .integer({ min: 0, max: 300_000 })
  .map((value) => `${Math.floor(value / 100_000)}.${String(value % 100_000).padStart(5, '0')}`)

const scenarios: fc.Arbitrary<Scenario> = fc.constantFrom(...months).chain((text) => {
  const month = { start: new Date(text), end: monthEnd(new Date(text)) }
  const last = minutesOfMonth(month)
  const timeBetween = (from: number, to: number) =>
    fc
      .integer({ min: from, max: to })
      .map((minutes) => new Date(month.start.getTime() + minutes * minute))
  const ordered = (from: number, to: number, maxLength: number) =>
    fc
      .uniqueArray(timeBetween(from, to), { maxLength, selector: (each) => each.getTime() })
      .map((list) => list.sort((first, second) => first.getTime() - second.getTime()))
  // Mostly a few long intervals, sometimes many short ones close together.
  const projectTimes = fc.oneof(
    ordered(-3 * 1440, last + 3 * 1440, 7),
    ordered(0, last, 40),
    ordered(600, 1200, 40),
  )
  const changes = <Value>(value: fc.Arbitrary<Value>) =>
    fc.array(fc.tuple(timeBetween(-1440, last), value), { maxLength: 5 })
  return fc.record({
    month: fc.constant(month),
    intervals: fc.array(projectTimes, { maxLength: 4 }).map((projects) =>
      projects.flatMap((times, project) =>
        times.flatMap((startedAt, index) =>
          index % 2 === 1
            ? []
            : [
                {
                  projectId: `project-${project}` as ProjectId,
                  productId,
                  startedAt,
                  endedAt: times[index + 1] ?? null,
                },
              ],
        ),
      ),
    ),
    rates: fc.record({
      prices: changes(price).map((list) => [
        { productId, startsAt: new Date(0), price: '0.01250' },
        ...byTime(list).map(([startsAt, each]) => ({ productId, startsAt, price: each })),
      ]),
      discounts: changes(fc.option(price)).map((list) =>
        byTime(list).map(([startsAt, discount]) => ({ productId, startsAt, discount })),
      ),
    }),
    times: ordered(1, last - 1, 6),
  })
})

/** Distinct times, in order. */
const byTime = <Value>(list: readonly [Date, Value][]): [Date, Value][] =>
  [...new Map(list.map((each) => [each[0].getTime(), each])).values()].sort(
    ([first], [second]) => first.getTime() - second.getTime(),
  )

const always = (holds: (scene: Scenario) => void, numRuns = 150) =>
  fc.assert(fc.property(scenarios, holds), { numRuns })

/** One text per billed hour of the items: project, price and discount. */
const asHours = (bill: Bill) =>
  bill.items
    .flatMap((item) =>
      Array.from({ length: item.runningHours }, () =>
        [
          item.projectId,
          toAmount(item.price),
          inUnits(item.discount ?? item.price.minus(item.price)),
        ].join(' '),
      ),
    )
    .sort()
const asText = (hours: readonly Hour[]) =>
  hours
    .map(({ projectId, price: each, discount }) =>
      [projectId, `${each / 100_000n}.${String(each % 100_000n).padStart(5, '0')}`, discount].join(
        ' ',
      ),
    )
    .sort()

describe('calculate, for random usage, prices and discounts', () => {
  it('equals the hour-by-hour calculation, as of any time', () => {
    always(({ month, intervals, rates, times }) => {
      for (const asOf of [times[0] ?? month.start, month.end]) {
        const bill = calculate(intervals, rates, month, asOf)
        const hours = hourByHour(intervals, rates, month, asOf)
        expect(asHours(bill)).toEqual(asText(hours))
        expect(inUnits(bill.amount)).toBe(totalOf(hours))
      }
    })
  })

  it('has items and days that add up to the bill, and items that match their prices and hours', () => {
    always(({ month, intervals, rates }) => {
      const { items, days, amount } = calculate(intervals, rates, month, month.end)
      const sum = (amounts: Iterable<Big>) =>
        [...amounts].reduce((total, each) => total + inUnits(each), 0n)
      expect(sum(items.map((item) => item.totalAmount))).toBe(inUnits(amount))
      expect(sum(days.values())).toBe(inUnits(amount))
      for (const item of items) {
        const hours = BigInt(item.runningHours)
        const itemPrice = inUnits(item.price)
        const itemDiscount = item.discount ? inUnits(item.discount) : 0n
        expect(inUnits(item.amount)).toBe(itemPrice * hours)
        expect(inUnits(item.discountAmount)).toBe(itemDiscount * hours)
        expect(inUnits(item.totalAmount)).toBe((itemPrice - itemDiscount) * hours)
        expect(itemDiscount).toBeLessThanOrEqual(itemPrice)
      }
      for (const date of days.keys()) expect(date % day).toBe(0)
    })
  })

  it('rounds the running time up to hours, at most 672', () => {
    always(({ month, intervals, rates }) => {
      const { items } = calculate(intervals, rates, month, month.end)
      for (const [projectId, projectIntervals] of Map.groupBy(
        intervals,
        (each) => each.projectId,
      )) {
        const time = projectIntervals.reduce((sum, { startedAt, endedAt }) => {
          const from = Math.max(startedAt.getTime(), month.start.getTime())
          const to = Math.min(endedAt?.getTime() ?? Number.POSITIVE_INFINITY, month.end.getTime())
          return sum + Math.max(0, to - from)
        }, 0)
        const billed = items
          .filter((item) => item.projectId === projectId)
          .reduce((sum, item) => sum + item.runningHours, 0)
        expect(billed).toBe(Math.min(limits.billedHoursPerMonth, Math.ceil(time / hour)))
      }
    })
  })

  it('adds up to the same month when it is issued in parts', () => {
    always(({ month, intervals, rates, times }) => {
      const ends = [...times, month.end]
      const parts = ends.map((end, index) => {
        const period = { start: ends[index - 1] ?? month.start, end }
        // At the time of an issue later starts and ends are unknown.
        const knownIntervals = intervals
          .filter(({ startedAt }) => startedAt < end)
          .map((each) => (each.endedAt && each.endedAt > end ? { ...each, endedAt: null } : each))
        return calculate(knownIntervals, rates, period, end)
      })
      const monthTotal = calculate(intervals, rates, month, month.end)
      expect(parts.reduce((sum, part) => sum + inUnits(part.amount), 0n)).toBe(
        inUnits(monthTotal.amount),
      )
      expect(parts.flatMap(asHours).sort()).toEqual(asHours(monthTotal))
    })
  })

  it('applies a new price only to hours that begin after it', () => {
    always(({ month, intervals, rates, times }) => {
      const from = times[0] ?? month.start
      const change = { productId, startsAt: from, price: '7.00000' }
      const prices = [...rates.prices.filter(({ startsAt }) => startsAt < from), change]
      const changed = calculate(intervals, { ...rates, prices }, month, month.end)
      const before = { start: month.start, end: from }
      if (from > month.start)
        expect(asHours(calculate(intervals, { ...rates, prices }, before, month.end))).toEqual(
          asHours(calculate(intervals, rates, before, month.end)),
        )
      const after = changed.items.filter((item) => item.startsAt >= from)
      for (const item of after) expect(toAmount(item.price)).toBe('7.00000')
    })
  })

  it('differs from the calculation of a second earlier only by the hours that began in it', () => {
    always(({ month, intervals, rates, times }) => {
      const end = times.at(-1) ?? month.end
      const period = { start: month.start, end }
      const before = new Date(end.getTime() - second)
      const estimate = calculate(intervals, rates, period, before)
      const invoice = calculate(intervals, rates, period, end)
      const late = hourByHour(intervals, rates, period, end).filter(
        ({ begins }) => begins >= before.getTime(),
      )
      expect(inUnits(invoice.amount) - inUnits(estimate.amount)).toBe(totalOf(late))
    })
  })

  it('expects at least the amount so far, on every day', () => {
    always(({ month, intervals, rates, times }) => {
      const soFar = calculate(intervals, rates, month, times[0] ?? month.start)
      const expected = calculate(intervals, rates, month, month.end)
      for (const [date, amount] of soFar.days)
        expect(expected.days.get(date)?.gte(amount)).toBe(true)
    })
  })
})
