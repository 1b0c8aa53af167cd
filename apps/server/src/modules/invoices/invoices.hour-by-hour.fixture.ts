import { limits, minute } from '@slipway/contract/limits'
import type { Interval } from './invoices.calculation.ts'
import type { Rates } from './invoices.rates.ts'

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

function latestAt<Row extends { startsAt: Date }>(rows: readonly Row[], moment: number) {
  let found: Row | undefined
  for (const row of rows)
    if (row.startsAt.getTime() <= moment && (!found || row.startsAt >= found.startsAt)) found = row
  return found
}

function priceAt({ prices, discounts }: Rates, moment: number) {
  const price = units(latestAt(prices, moment)?.price ?? '0.00000')
  const discount = units(latestAt(discounts, moment)?.discount ?? '0.00000')
  if (discount > price) return { price, discount: price }
  return { price, discount }
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
        hours.push({ projectId, begins: moment, ...priceAt(rates, moment) })
      minutes++
    }
  }
  return hours
}

/** What hours cost. */
export const totalOf = (hours: readonly Hour[]) =>
  hours.reduce((sum, { price, discount }) => sum + price - discount, 0n)
