import { day, hour, minute, second } from '@slipway/contract/limits'

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
]

/**
 * A time as people say it: "3 hours ago", "in 2 days", "now" within a minute, and the date from a week
 * on, since "last month" says less. `at` and `now` are in milliseconds. A time a little ahead is "now":
 * the browser's clock is not the server's.
 */
export function relativeTime(at: number, now: number, locale: string) {
  const distance = at - now
  if (Math.abs(distance) >= 7 * day)
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at)
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  for (const [unit, size] of units)
    if (Math.abs(distance) >= size) return format.format(Math.trunc(distance / size), unit)
  return format.format(0, 'second')
}

/** How long until the words of `relativeTime` may change, in milliseconds. */
export const refreshDelay = (at: number, now: number) =>
  Math.abs(at - now) < hour ? 10 * second : 5 * minute
