import type { Amount } from '@slipway/contract/amount'
import type { ActiveInvoice } from '@slipway/contract/invoices'
import { money } from '@slipway/contract/money'

type Day = ActiveInvoice['days'][number]

/** The highest expected cost of a day: the top of the chart. */
export const maxExpected = (days: readonly Day[]) =>
  days.reduce<Amount | undefined>(
    (highest, { expected }) =>
      highest === undefined || money(expected).gt(money(highest)) ? expected : highest,
    undefined,
  )

/**
 * The height of an amount, in percent of the chart. Money becomes a number only here: it is divided
 * as a decimal and rounded to less than a pixel.
 */
export function barHeight(amount: Amount, highest: Amount) {
  const top = money(highest)
  if (top.lte(0)) return 0
  // biome-ignore lint/plugin: a height in percent, not an amount
  return Number(money(amount).div(top).times(100).toFixed(2))
}

export type Bar = { date: string; soFar: number; expected: number }

/** The bars' heights, in percent of the chart: the cost so far and the expected cost. */
export function chartBars(days: readonly Day[]): Bar[] {
  const highest = maxExpected(days)
  if (highest === undefined) return []
  return days.map(({ date, amount, expected }) => ({
    date,
    soFar: barHeight(amount, highest),
    expected: barHeight(expected, highest),
  }))
}

/** The index of today, the UTC day of `asOf`; the last day if the period is over. */
export function indexOfToday(days: readonly { date: string }[], asOf: string) {
  const today = new Date(asOf).toISOString().slice(0, 10)
  const next = days.findIndex(({ date }) => date >= today)
  return next < 0 ? days.length - 1 : next
}

export type AxisLabel = {
  day: number
  /** True for a label that a phone has no room for. */
  wideOnly: boolean
}

/** The days labeled on the axis: today, and the first of each week unless it is beside today. */
export const axisLabels = (count: number, today: number): AxisLabel[] =>
  Array.from({ length: count }, (_, day) => day)
    .filter((day) => day === today || (day % 7 === 0 && Math.abs(day - today) > 1))
    .map((day) => ({
      day,
      wideOnly: day !== today && (day % 14 !== 0 || day > 14 || Math.abs(day - today) < 5),
    }))
