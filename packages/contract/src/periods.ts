import { type CalendarLocale, dateText, monthText } from './calendar.ts'
import { day } from './limits.ts'

const isMidnight = (moment: number) => moment % day === 0

/**
 * When a period begins, in UTC: "Nov 1, 2026". One that begins in the middle of a day says when, because
 * another one may begin on that day: "Nov 10, 2026, 14:30 UTC". `start` is ISO 8601.
 */
export function periodStartText(start: string, locale: CalendarLocale) {
  const moment = Date.parse(start)
  return dateText(moment, locale, { month: 'short', year: true, time: !isMidnight(moment) })
}

/** Whole days of one month: "November 1 – 30, 2026", as the languages write it, with thin spaces or none. */
function wholeDaysText(start: number, last: number, locale: CalendarLocale) {
  const [from, to] = [new Date(start).getUTCDate(), new Date(last).getUTCDate()]
  const date = new Date(start)
  const month = monthText(date.getUTCMonth(), locale, 'long')
  if (locale === 'tr') return `${from}–${to} ${month} ${date.getUTCFullYear()}`
  return `${month} ${from}\u2009–\u2009${to}, ${date.getUTCFullYear()}`
}

/**
 * A period as people say it, in UTC, from its first to its last day: "November 1 – 30, 2026". One that
 * begins or ends in the middle of a day says when: "November 1 – November 10, 2026 at 14:30 UTC". It lies in
 * one month. Its end is exclusive; both are ISO 8601.
 */
export function periodText(
  { createdAt, endsAt }: { createdAt: string; endsAt: string },
  locale: CalendarLocale,
) {
  const start = Date.parse(createdAt)
  const end = Math.max(start, Date.parse(endsAt))
  const last = Math.max(start, end - 1)
  if (isMidnight(start) && isMidnight(end))
    return last - start < day
      ? dateText(start, locale, { month: 'long', year: true })
      : wholeDaysText(start, last, locale)
  // No period is for parts of two months, so the year need not be said twice.
  const from = dateText(start, locale, { month: 'long', time: !isMidnight(start) })
  // The midnight at the end belongs to the next day.
  const lastShown = isMidnight(end) ? end - day : end
  const to = dateText(lastShown, locale, { month: 'long', year: true, time: !isMidnight(end) })
  return `${from} – ${to}`
}
