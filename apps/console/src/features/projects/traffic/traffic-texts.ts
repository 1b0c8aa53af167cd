import type { TrafficRange } from '@slipway/contract/traffic'
import { formatDate, formatUtcDate, formatUtcWeekday, getLocale, m } from '@slipway/phrases'

export const rangeTexts: Record<TrafficRange, () => string> = {
  day: () => m.traffic_range_day(),
  week: () => m.traffic_range_week(),
  month: () => m.traffic_range_month(),
}

const dayText = (time: string) => formatUtcDate(time, getLocale(), { month: 'short' })
const weekdayText = (time: string) => formatUtcWeekday(time, getLocale())

/**
 * The lines of a label: an hour in the reader's time zone, or a day in UTC, by which days are
 * counted. A week has the day of the week, too.
 */
const labels: Record<TrafficRange, (time: string) => string[]> = {
  day: (time) => [formatDate(time, getLocale(), 'time')],
  week: (time) => [weekdayText(time), String(new Date(time).getUTCDate())],
  month: (time) => [dayText(time)],
}

export const axisLabel = (range: TrafficRange, time: string) => labels[range](time)

/** The whole time of a point: the day and the hour, or the day. */
export const pointTime = (range: TrafficRange, time: string) =>
  range === 'day'
    ? formatDate(time, getLocale(), 'shortDateTime')
    : `${weekdayText(time)}, ${dayText(time)}`

/** The names of the figures, in the order of the page and of its table. */
export const figureNames = () => [
  m.traffic_requests(),
  m.traffic_visitors(),
  m.traffic_transferred(),
  m.traffic_errors(),
  m.traffic_median(),
  m.traffic_p95(),
]
