import { day } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import Big from 'big.js'
import { monthEnd, monthStart } from '../../usage/usage.policy.ts'
import { clip, dayStart, type HourRun, lastBilledHour, runsOf, type TimeSpan } from './hours.ts'
import { netOf, type Rate, type Rates, ratesOf } from './rates.ts'

/** When a project of the customer ran; `endedAt` is null while it is running. */
export type Interval = {
  projectId: ProjectId
  productId: string
  startedAt: Date
  endedAt: Date | null
}

/** The cost of one project at one price and discount. Amounts in US dollars. */
export type BilledItem = {
  projectId: ProjectId
  productId: string
  /** The index of its first hour among the project's billed hours of the month, from 0. */
  firstHour: number
  startsAt: Date
  price: Big
  /** Per hour, at most the price. */
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
  /**
   * The cost of the hours that begin on each day, by the day's start (epoch ms). No zero entries.
   */
  days: Map<number, Big>
  /**
   * The first day of the period on which a project reaches the monthly cap, by the day's start
   * (epoch ms); null if none does.
   */
  capDay: number | null
}

/**
 * The bill of a customer for the hours that begin in a period, which lies in one calendar month
 * (UTC). Open intervals count as running until `asOf`. `intervals` must have all intervals of the
 * customer that overlap the month, also before the period. The active invoice, the expected amount,
 * the chart's days and issued invoices all use it. Why an hour is billed where it begins:
 * docs/decisions/0013.
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
  const counts: Counts = { lines: [], days: new Map(), capDay: null }
  for (const [projectId, projectIntervals] of Map.groupBy(
    intervals,
    (interval) => interval.projectId,
  ))
    for (const [productId, times] of Map.groupBy(
      projectIntervals,
      (interval) => interval.productId,
    )) {
      const timeline = timelines.get(productId) ?? ratesOf(productId, rates)
      timelines.set(productId, timeline)
      const subject = { projectId, productId }
      countProject(counts, subject, clip(times.map(timeOf), month), timeline, billed)
    }
  const days = new Map([...counts.days].map(([date, hours]) => [date, costOf(hours)]))
  const items = counts.lines.map(itemOf)
  return {
    items,
    days,
    capDay: counts.capDay,
    amount: sumOf(items.map((item) => item.totalAmount)),
  }
}

/** Hours are counted first, so that each item is multiplied once. */
type Counts = {
  lines: Line[]
  days: Map<number, Map<Rate, number>>
  capDay: number | null
}
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
  subject: Pick<BilledItem, 'projectId' | 'productId'>,
  times: readonly TimeSpan[],
  timeline: readonly Rate[],
  billed: TimeSpan,
) {
  const rateAt = (time: number) => {
    const rate = timeline.findLast(({ from }) => from <= time)
    if (!rate)
      throw new Error(`${subject.productId} has no price at ${new Date(time).toISOString()}`)
    return rate
  }
  const nextBoundary = (time: number) => {
    const boundary = Math.min(dayStart(time) + day, rateAt(time).until)
    if (time < billed.start) return Math.min(boundary, billed.start)
    return time < billed.end ? Math.min(boundary, billed.end) : boundary
  }
  const capped = lastBilledHour(times)
  if (capped !== undefined && capped >= billed.start && capped < billed.end)
    counts.capDay = Math.min(dayStart(capped), counts.capDay ?? capped)
  let line: Line | undefined
  for (const run of runsOf(times, nextBoundary)) {
    if (run.begins < billed.start || run.begins >= billed.end) continue
    const rate = rateAt(run.begins)
    if (line?.rate !== rate) {
      line = { ...subject, first: run, rate, hours: 0 }
      counts.lines.push(line)
    }
    line.hours += run.hours
    const date = dayStart(run.begins)
    const ofDay = counts.days.get(date) ?? new Map<Rate, number>()
    counts.days.set(date, ofDay.set(rate, (ofDay.get(rate) ?? 0) + run.hours))
  }
}
