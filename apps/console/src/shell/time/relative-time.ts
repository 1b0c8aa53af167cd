import { day, hour, minute, second } from '@slipway/contract/limits'
import { type Locale, m } from '@slipway/phrases'
import { localDate } from './local-date.ts'

/**
 * A time as people say it: "3 hours ago", "now" within a minute, and the date from a week on, since "last
 * month" says less. `at` and `now` are in milliseconds. A time a little ahead is "now": the browser's clock
 * is not the server's. In our own words, because a browser takes longer to make its first format of
 * numbers or dates than to render the page.
 */
export function relativeTime(at: number, now: number, locale: Locale) {
  const ago = now - at
  const language = { locale }
  if (ago >= 7 * day || ago <= -hour) return localDate(at, locale, 'short')
  if (ago < minute) return m.time_now({}, language)
  if (ago < hour) return m.time_minutes_ago({ count: Math.trunc(ago / minute) }, language)
  if (ago < day) return m.time_hours_ago({ count: Math.trunc(ago / hour) }, language)
  if (ago < 2 * day) return m.time_yesterday({}, language)
  return m.time_days_ago({ count: Math.trunc(ago / day) }, language)
}

/** How long until the words of `relativeTime` may change, in milliseconds. */
export const refreshDelay = (at: number, now: number) =>
  Math.abs(at - now) < hour ? 10 * second : 5 * minute
