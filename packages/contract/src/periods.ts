import { day } from './limits.ts'

const isMidnight = (moment: number) => moment % day === 0

/** Hours and minutes, where a day is not enough to tell what happened on it. */
const time = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const

/** A moment in UTC, in which billing counts: its day, and its time when it is no midnight. */
const momentText = (moment: number, locale: string, look: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    ...look,
    ...(isMidnight(moment) ? {} : time),
  }).format(moment)

/**
 * When a period begins, in UTC: "Nov 1, 2026". One that begins in the middle of a day says when, because
 * another one may begin on that day: "Nov 10, 2026, 14:30 UTC". `start` is ISO 8601.
 */
export const periodStartText = (start: string, locale: string) =>
  momentText(Date.parse(start), locale, { day: 'numeric', month: 'short', year: 'numeric' })

/**
 * A period as people say it, in UTC, from its first to its last day: "November 1 – 30, 2026". One that
 * begins or ends in the middle of a day says when: "November 1 – November 10, 2026 at 14:30 UTC". Its end
 * is exclusive; both are ISO 8601.
 */
export function periodText(
  { createdAt, endsAt }: { createdAt: string; endsAt: string },
  locale: string,
) {
  const start = Date.parse(createdAt)
  const end = Math.max(start, Date.parse(endsAt))
  const last = Math.max(start, end - 1)
  if (isMidnight(start) && isMidnight(end))
    return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'long' }).formatRange(
      start,
      last,
    )
  // No period is for parts of two months, so the year need not be said twice.
  const from = { day: 'numeric', month: 'long' } as const
  // The midnight at the end belongs to the next day.
  const lastShown = isMidnight(end) ? end - day : end
  return `${momentText(start, locale, from)} – ${momentText(lastShown, locale, { ...from, year: 'numeric' })}`
}
