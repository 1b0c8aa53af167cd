import { limits, minute } from '@slipway/contract/limits'
import type { Interval } from './calculation.ts'
import type { Rates } from './rates.ts'

// What is owed, computed in another way than the product does: by walking through a month minute by minute, in
// whole units of 0.00001 dollars. It holds for usage and prices that change at whole minutes.

/** Hours as they begin, with what is to be paid for each. */
export type Hour = {
  projectId: string
  begins: number
  price: bigint
  discount: bigint
}

/** Units of 0.00001 dollars. */
export const units = (amount: string) => BigInt(amount.replace('.', ''))

/** An amount that holds from a moment on, in milliseconds since 1970. */
type Step = { from: number; units: bigint }

const stepsOf = <Row extends { startsAt: Date }>(
  rows: readonly Row[],
  amountOf: (row: Row) => string | null,
): Step[] =>
  rows.map((row) => ({
    from: row.startsAt.getTime(),
    units: units(amountOf(row) ?? '0.00000'),
  }))

function latestAt(steps: readonly Step[], moment: number) {
  let found: Step | undefined
  for (const step of steps)
    if (step.from <= moment && (!found || step.from >= found.from)) found = step
  return found?.units ?? 0n
}

/** Every hour that begins in a period, which lies in one month, and is known at `asOf`. */
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
  const priceAt = (moment: number) => {
    const [price, discount] = [latestAt(prices, moment), latestAt(discounts, moment)]
    if (discount > price) return { price, discount: price }
    return { price, discount }
  }
  const hours: Hour[] = []
  for (const projectId of new Set(intervals.map((interval) => interval.projectId))) {
    const own = intervals
      .filter((interval) => interval.projectId === projectId)
      .map(({ startedAt, endedAt }) => [startedAt.getTime(), endedAt?.getTime() ?? end] as const)
      .filter(([startedAt, endedAt]) => startedAt < end && endedAt > start)
    // A month as a strip of minutes, each of which the project ran in or did not.
    const ran = new Uint8Array(Math.ceil((end - start) / minute))
    for (const [startedAt, endedAt] of own)
      ran.fill(1, Math.max(0, (startedAt - start) / minute), (endedAt - start) / minute)
    let minutes = 0
    for (let index = ran.indexOf(1); index >= 0 && index < ran.length; index++) {
      if (ran[index] === 0) continue
      const moment = start + index * minute
      const isBilled = minutes % 60 === 0 && minutes / 60 < limits.billedHoursPerMonth
      if (isBilled && moment >= from && moment < to)
        hours.push({ projectId, begins: moment, ...priceAt(moment) })
      minutes++
    }
  }
  return hours
}

/** What hours cost. */
export const totalOf = (hours: readonly Hour[]) =>
  hours.reduce((sum, { price, discount }) => sum + price - discount, 0n)
