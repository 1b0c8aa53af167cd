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
  anchor: 'start' | 'middle' | 'end'
  /** True for a label without its month, as it is close to the label of today. */
  short?: boolean
  /** True for a short label that a phone hides, as it would touch the label of today. */
  wideOnly?: boolean
}

/** The minimum distance from today of a label with its month, as a fraction of the axis. */
const fullLabelRoom = 0.2

/** The minimum distance from today of a label without its month, as a fraction of the axis. */
const shortLabelRoom = { phone: 0.15, wide: 0.08 }

/** Half the width of the label of today on a phone, as a fraction of the axis. */
const halfLabel = 0.06

/** The days labeled on the axis: the first, today and the last, as far as they fit. */
export function axisLabels(count: number, today: number): AxisLabel[] {
  const position = (today + 0.5) / count
  const atStart = position < halfLabel
  const atEnd = position > 1 - halfLabel
  const edge = (day: number, anchor: AxisLabel['anchor'], distance: number): AxisLabel[] => {
    if (day === today || distance < shortLabelRoom.wide) return []
    return [
      {
        day,
        anchor,
        ...(distance < fullLabelRoom && { short: true }),
        ...(distance < shortLabelRoom.phone && { wideOnly: true }),
      },
    ]
  }
  return [
    ...edge(0, 'start', position),
    { day: today, anchor: atStart ? 'start' : atEnd ? 'end' : 'middle' },
    ...edge(count - 1, 'end', 1 - position),
  ]
}
