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
 * The height of an amount, in percent of the chart. Money becomes a number only here: it is
 * divided as a decimal and rounded to what a pixel can show.
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

export type AxisLabel = { day: number; anchor: 'start' | 'middle' | 'end' }

/** The minimum distance between two labels, as a fraction of the axis on a phone. */
const labelRoom = 0.2

/** The days labeled on the axis: the first, today and the last, as far as they fit. */
export function axisLabels(count: number, today: number): AxisLabel[] {
  const position = (today + 0.5) / count
  const isNear = { start: position < labelRoom, end: position > 1 - labelRoom }
  const first: AxisLabel = { day: 0, anchor: 'start' }
  const last: AxisLabel = { day: count - 1, anchor: 'end' }
  const atStart = position < labelRoom / 2
  const atEnd = position > 1 - labelRoom / 2
  return [
    ...(isNear.start || today === first.day ? [] : [first]),
    { day: today, anchor: atStart ? 'start' : atEnd ? 'end' : 'middle' },
    ...(isNear.end || today === last.day ? [] : [last]),
  ]
}
