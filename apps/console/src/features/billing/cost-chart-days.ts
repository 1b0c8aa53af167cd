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
