import type { Locale } from '@slipway/phrases'

/** Billing counts in UTC, so its dates are told in UTC. */
const inUtc = { timeZone: 'UTC' } as const

/** A date as people say it: "November 21". `date` is ISO 8601. */
export const dayText = (date: string, locale: Locale) =>
  new Intl.DateTimeFormat(locale, { ...inUtc, day: 'numeric', month: 'long' }).format(
    Date.parse(date),
  )

/** The same, short: "Nov 21". */
export const shortDayText = (date: string, locale: Locale) =>
  new Intl.DateTimeFormat(locale, { ...inUtc, day: 'numeric', month: 'short' }).format(
    Date.parse(date),
  )

/** A period from its first to its last day: "November 1 – 30, 2026". Its end is exclusive. */
export const periodText = (
  { createdAt, endsAt }: { createdAt: string; endsAt: string },
  locale: Locale,
) =>
  new Intl.DateTimeFormat(locale, { ...inUtc, dateStyle: 'long' }).formatRange(
    Date.parse(createdAt),
    Math.max(Date.parse(createdAt), Date.parse(endsAt) - 1),
  )
