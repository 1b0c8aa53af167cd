import type { ActiveInvoice } from '@slipway/contract/invoices'
import { type Amount, money } from '@slipway/contract/money'

type Day = ActiveInvoice['days'][number]

/** The dearest day: what the top of the chart stands for. */
export const dearestOf = (days: readonly Day[]) =>
  days.reduce<Amount | undefined>(
    (dearest, { expected }) =>
      dearest === undefined || money(expected).gt(money(dearest)) ? expected : dearest,
    undefined,
  )

/**
 * How much of the chart's height an amount takes, in percent: the one place where money becomes a number,
 * because a height is one. Divided as decimals, and rounded to what a pixel can show.
 */
export function heightOf(amount: Amount, dearest: Amount) {
  const top = money(dearest)
  if (top.lte(0)) return 0
  // biome-ignore lint/plugin: a height in percent, and no amount
  return Number(money(amount).div(top).times(100).toFixed(2))
}

export type Bar = { date: string; soFar: number; expected: number }

/** The heights of the bars, in percent of the chart's: what a day cost so far, and what it comes to. */
export function barsOf(days: readonly Day[]): Bar[] {
  const dearest = dearestOf(days)
  if (dearest === undefined) return []
  return days.map(({ date, amount, expected }) => ({
    date,
    soFar: heightOf(amount, dearest),
    expected: heightOf(expected, dearest),
  }))
}

/** Where today, the day of `asOf` in UTC, stands among the days; the last one when the period is over. */
export function todayAmong(days: readonly { date: string }[], asOf: string) {
  const today = new Date(asOf).toISOString().slice(0, 10)
  const next = days.findIndex(({ date }) => date >= today)
  return next < 0 ? days.length - 1 : next
}

export type AxisLabel = { day: number; anchor: 'start' | 'middle' | 'end' }

/** The room that a label needs beside the next one, as a part of the axis of a phone. */
const labelRoom = 0.2

/** The days that the axis names: the first, today and the last, as far as they have room. */
export function axisLabels(count: number, today: number): AxisLabel[] {
  const at = (today + 0.5) / count
  const isNear = { start: at < labelRoom, end: at > 1 - labelRoom }
  const first: AxisLabel = { day: 0, anchor: 'start' }
  const last: AxisLabel = { day: count - 1, anchor: 'end' }
  const atStart = at < labelRoom / 2
  const atEnd = at > 1 - labelRoom / 2
  return [
    ...(isNear.start || today === first.day ? [] : [first]),
    { day: today, anchor: atStart ? 'start' : atEnd ? 'end' : 'middle' },
    ...(isNear.end || today === last.day ? [] : [last]),
  ]
}
