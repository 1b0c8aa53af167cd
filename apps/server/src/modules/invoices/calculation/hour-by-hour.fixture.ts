import { limits, minute } from '@slipway/contract/limits'
import type { Interval } from './calculation.ts'
import type { Rates } from './rates.ts'

// An independent calculation of a bill, to compare with the product's: it walks through a month
// minute by minute, in units of 0.00001 dollars. Usage and prices must change at whole minutes.

/** A billed hour with its price and discount in units. */
export type Hour = {
  projectId: string
  begins: number
  price: bigint
  discount: bigint
}

/** Units of 0.00001 dollars. */
export const units = (amount: string) => BigInt(amount.replace('.', ''))

/** An amount from a time on, in epoch milliseconds. */
type Step = { from: number; units: bigint }

const stepsOf = <Row extends { startsAt: Date }>(
  rows: readonly Row[],
  amountOf: (row: Row) => string | null,
): Step[] =>
  rows.map((row) => ({
    from: row.startsAt.getTime(),
    units: units(amountOf(row) ?? '0.00000'),
  }))

function latestAt(steps: readonly Step[], time: number) {
  let latest: Step | undefined
  for (const step of steps)
    if (step.from <= time && (!latest || step.from >= latest.from)) latest = step
  return latest?.units ?? 0n
}

/** Every billed hour that begins in a period within one month, as known at `asOf`. */
export function hourByHour(
  intervals: readonly Interval[],
  rates: Rates,
  period: { start: Date; end: Date },
  asOf: Date,
): Hour[] {
  const [year, month] = [period.start.getUTCFullYear(), period.start.getUTCMonth()]
  const start = Date.UTC(year, month, 1)
  const end = Math.min(Date.UTC(year, month + 1, 1), asOf.getTime())
  const [from, to] = [period.start.getTime(), period.end.getTime()]
  const prices = stepsOf(rates.prices, (row) => row.price)
  const discounts = stepsOf(rates.discounts, (row) => row.discount)
  const priceAt = (time: number) => {
    const [price, discount] = [latestAt(prices, time), latestAt(discounts, time)]
    if (discount > price) return { price, discount: price }
    return { price, discount }
  }
  const hours: Hour[] = []
  for (const projectId of new Set(intervals.map((interval) => interval.projectId))) {
    const projectIntervals = intervals
      .filter((interval) => interval.projectId === projectId)
      .map(({ startedAt, endedAt }) => [startedAt.getTime(), endedAt?.getTime() ?? end] as const)
      .filter(([startedAt, endedAt]) => startedAt < end && endedAt > start)
    // One entry per minute of the month: 1 if the project ran in it.
    const ran = new Uint8Array(Math.ceil((end - start) / minute))
    for (const [startedAt, endedAt] of projectIntervals)
      ran.fill(1, Math.max(0, (startedAt - start) / minute), (endedAt - start) / minute)
    let minutes = 0
    for (let index = ran.indexOf(1); index >= 0 && index < ran.length; index++) {
      if (ran[index] === 0) continue
      const time = start + index * minute
      const isBilled = minutes % 60 === 0 && minutes / 60 < limits.billedHoursPerMonth
      if (isBilled && time >= from && time < to)
        hours.push({ projectId, begins: time, ...priceAt(time) })
      minutes++
    }
  }
  return hours
}

/** The total cost of hours, in units. */
export const totalOf = (hours: readonly Hour[]) =>
  hours.reduce((sum, { price, discount }) => sum + price - discount, 0n)
