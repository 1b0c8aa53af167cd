import type { TrafficRange } from '@slipway/contract/traffic'
import { formatDate, formatUtcDate, getLocale, m } from '@slipway/phrases'

export const rangeTexts: Record<TrafficRange, () => string> = {
  day: () => m.traffic_range_day(),
  week: () => m.traffic_range_week(),
  month: () => m.traffic_range_month(),
}

/** A short label: an hour in the reader's time zone, or a day in UTC, by which days are counted. */
export const pointTime = (range: TrafficRange, time: string) =>
  range === 'day'
    ? formatDate(time, getLocale(), 'time')
    : formatUtcDate(time, getLocale(), { month: 'short' })

/** The same with the day of an hour. */
export const pointName = (range: TrafficRange, time: string) =>
  range === 'day' ? formatDate(time, getLocale(), 'shortDateTime') : pointTime(range, time)
