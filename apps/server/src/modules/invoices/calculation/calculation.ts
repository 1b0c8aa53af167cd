import { day } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import Big from 'big.js'
import { monthEnd, monthStart } from '../../usage/usage.policy.ts'
import { clip, dayStart, type HourRun, runsOf, type TimeSpan } from './hours.ts'
import { netOf, type Rate, type Rates, ratesOf } from './rates.ts'

/** When a project of the customer ran; `endedAt` is null while it runs. */
export type Interval = {
  projectId: ProjectId
  productId: string
  startedAt: Date
  endedAt: Date | null
}

/** What one project cost at one price and discount. Hours, and amounts in US dollars. */
export type BilledItem = {
  projectId: ProjectId
  productId: string
  /** Which hour of the project's month it begins with, from 0. */
  firstHour: number
  startsAt: Date
  price: Big
  /** Off the price of an hour, never more than it. */
  discount: Big | null
  runningHours: number
  amount: Big
  discountAmount: Big
  totalAmount: Big
}

export type Bill = {
  items: BilledItem[]
  /** The sum of the items. */
  amount: Big
  /** What hours cost that begin on a day, by its start in milliseconds since 1970. Days without are missing. */
  days: Map<number, Big>
}

/**
 * What somebody owes for the hours that begin in a period, which lies in one calendar month (UTC), as far as
 * is known at `asOf`: what still runs is taken to run until then. `intervals` are all of the customer's that
 * have a part in that month, also before the period. The one place where a bill is made: what is shown while
 * it runs up, what is expected, each day of the chart and what is issued come from here.
 * docs/decisions/0013 says why an hour is billed where it begins.
 */
export function calculate(
  intervals: readonly Interval[],
  rates: Rates,
  period: { start: Date; end: Date },
  asOf: Date,
): Bill {
  const month = {
    start: monthStart(period.start).getTime(),
    end: Math.min(monthEnd(period.start).getTime(), asOf.getTime()),
  }
  const billed = { start: period.start.getTime(), end: period.end.getTime() }
  const timelines = new Map<string, Rate[]>()
  const counts: Counts = { lines: [], days: new Map() }
  for (const [projectId, own] of Map.groupBy(intervals, (interval) => interval.projectId))
    for (const [productId, times] of Map.groupBy(own, (interval) => interval.productId)) {
      const timeline = timelines.get(productId) ?? ratesOf(productId, rates)
      timelines.set(productId, timeline)
      const what = { projectId, productId }
      countProject(counts, what, clip(times.map(timeOf), month), timeline, billed)
    }
  const days = new Map([...counts.days].map(([date, hours]) => [date, costOf(hours)]))
  const items = counts.lines.map(itemOf)
  return { items, days, amount: sumOf(items.map((item) => item.totalAmount)) }
}

/** Hours are counted first, and paid for at the end: a multiplication for each item and not for each hour. */
type Counts = { lines: Line[]; days: Map<number, Map<Rate, number>> }
type Line = Pick<BilledItem, 'projectId' | 'productId'> & {
  first: HourRun
  rate: Rate
  hours: number
}

const sumOf = (amounts: Iterable<Big>) =>
  [...amounts].reduce((sum, amount) => sum.plus(amount), new Big(0))

const costOf = (hours: ReadonlyMap<Rate, number>) =>
  sumOf([...hours].map(([rate, count]) => netOf(rate).times(count)))

const itemOf = ({ projectId, productId, first, rate, hours }: Line): BilledItem => ({
  projectId,
  productId,
  firstHour: first.first,
  startsAt: new Date(first.begins),
  price: rate.price,
  discount: rate.discount,
  runningHours: hours,
  amount: rate.price.times(hours),
  discountAmount: (rate.discount ?? new Big(0)).times(hours),
  totalAmount: netOf(rate).times(hours),
})

const timeOf = ({ startedAt, endedAt }: Interval): TimeSpan => ({
  start: startedAt.getTime(),
  end: endedAt?.getTime() ?? Number.POSITIVE_INFINITY,
})

function countProject(
  counts: Counts,
  what: Pick<BilledItem, 'projectId' | 'productId'>,
  times: readonly TimeSpan[],
  timeline: readonly Rate[],
  billed: TimeSpan,
) {
  const rateAt = (moment: number) => {
    const rate = timeline.findLast(({ from }) => from <= moment)
    if (!rate)
      throw new Error(`${what.productId} has no price at ${new Date(moment).toISOString()}`)
    return rate
  }
  const nextBoundary = (moment: number) => {
    const bound = Math.min(dayStart(moment) + day, rateAt(moment).until)
    if (moment < billed.start) return Math.min(bound, billed.start)
    return moment < billed.end ? Math.min(bound, billed.end) : bound
  }
  let line: Line | undefined
  for (const run of runsOf(times, nextBoundary)) {
    if (run.begins < billed.start || run.begins >= billed.end) continue
    const rate = rateAt(run.begins)
    if (line?.rate !== rate) {
      line = { ...what, first: run, rate, hours: 0 }
      counts.lines.push(line)
    }
    line.hours += run.hours
    const date = dayStart(run.begins)
    const ofDay = counts.days.get(date) ?? new Map<Rate, number>()
    counts.days.set(date, ofDay.set(rate, (ofDay.get(rate) ?? 0) + run.hours))
  }
}
