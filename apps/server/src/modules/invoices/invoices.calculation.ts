import { day } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import Big from 'big.js'
import { monthEnd, monthStart } from '../usage/usage.policy.ts'
import { clipped, dayStart, type Run, runsOf, type Time } from './invoices.hours.ts'
import { netOf, type Rate, type Rates, ratesOf } from './invoices.rates.ts'

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
  const bill: Bill = { items: [], amount: new Big(0), days: new Map() }
  for (const [projectId, own] of Map.groupBy(intervals, (interval) => interval.projectId))
    for (const [productId, times] of Map.groupBy(own, (interval) => interval.productId)) {
      const timeline = timelines.get(productId) ?? ratesOf(productId, rates)
      timelines.set(productId, timeline)
      addProject(
        bill,
        { projectId, productId },
        clipped(times.map(timeOf), month),
        timeline,
        billed,
      )
    }
  return bill
}

const timeOf = ({ startedAt, endedAt }: Interval): Time => ({
  start: startedAt.getTime(),
  end: endedAt?.getTime() ?? Number.POSITIVE_INFINITY,
})

function addProject(
  bill: Bill,
  what: Pick<BilledItem, 'projectId' | 'productId'>,
  times: readonly Time[],
  timeline: readonly Rate[],
  billed: Time,
) {
  const rateAt = (moment: number) => {
    const rate = timeline.findLast(({ from }) => from <= moment)
    if (!rate)
      throw new Error(`${what.productId} has no price at ${new Date(moment).toISOString()}`)
    return rate
  }
  const nextBound = (moment: number) => {
    const bounds = [dayStart(moment) + day, rateAt(moment).until, billed.start, billed.end]
    return Math.min(...bounds.filter((bound) => bound > moment))
  }
  let last: { rate: Rate; item: BilledItem } | undefined
  for (const run of runsOf(times, nextBound)) {
    if (run.begins < billed.start || run.begins >= billed.end) continue
    const rate = rateAt(run.begins)
    if (last?.rate !== rate) {
      last = { rate, item: emptyItem(what, run, rate) }
      bill.items.push(last.item)
    }
    addRun(bill, last.item, run, rate)
  }
}

const emptyItem = (
  what: Pick<BilledItem, 'projectId' | 'productId'>,
  run: Run,
  { price, discount }: Rate,
): BilledItem => ({
  ...what,
  firstHour: run.first,
  startsAt: new Date(run.begins),
  price,
  discount,
  runningHours: 0,
  amount: new Big(0),
  discountAmount: new Big(0),
  totalAmount: new Big(0),
})

function addRun(bill: Bill, item: BilledItem, { begins, hours }: Run, rate: Rate) {
  const total = netOf(rate).times(hours)
  item.runningHours += hours
  item.amount = item.amount.plus(rate.price.times(hours))
  item.discountAmount = item.discountAmount.plus((rate.discount ?? new Big(0)).times(hours))
  item.totalAmount = item.totalAmount.plus(total)
  bill.amount = bill.amount.plus(total)
  const date = dayStart(begins)
  bill.days.set(date, (bill.days.get(date) ?? new Big(0)).plus(total))
}
