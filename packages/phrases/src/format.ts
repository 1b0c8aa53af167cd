import { m } from './paraglide/messages.js'
import type { Locale } from './paraglide/runtime.js'

/*
 * Dates, times, numbers and amounts as a language writes them, with `Intl`. A browser takes
 * milliseconds to create an `Intl` object, so each is created once.
 */

/**
 * Returns a function that gives the `Intl` object for a language and options, created on first use.
 */
/* @__NO_SIDE_EFFECTS__ */
function cached<Options, Format>(Constructor: new (locale: Locale, options: Options) => Format) {
  const formats = new Map<string, Format>()
  return (locale: Locale, options: Options) => {
    const key = `${locale} ${JSON.stringify(options)}`
    const format = formats.get(key) ?? new Constructor(locale, options)
    formats.set(key, format)
    return format
  }
}

const dateFormat = cached<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat)
const numberFormat = cached<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat)
const listFormat = cached<Intl.ListFormatOptions, Intl.ListFormat>(Intl.ListFormat)
const relativeFormat = cached<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  Intl.RelativeTimeFormat,
)

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A point in time: a `Date`, milliseconds since 1970, or ISO 8601. */
type Time = Date | number | string

const dateStyles = {
  /** November 20, 2026 */
  date: { dateStyle: 'long' },
  /** Nov 20, 2026 */
  shortDate: { dateStyle: 'medium' },
  /** 3:05 PM */
  time: { timeStyle: 'short' },
  /** November 20, 2026 at 3:05 PM */
  dateTime: { dateStyle: 'long', timeStyle: 'short' },
  /** Nov 20, 2026, 3:05 PM */
  shortDateTime: { dateStyle: 'medium', timeStyle: 'short' },
  /** November 20, 2026 at 3:05:07 PM */
  exactTime: { dateStyle: 'long', timeStyle: 'medium' },
  /** 3:05:07 PM */
  clock: { timeStyle: 'medium' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

/** A date or a time in the time zone of the reader. */
export const formatDate = (time: Time, locale: Locale, style: keyof typeof dateStyles) =>
  dateFormat(locale, dateStyles[style]).format(new Date(time))

type UtcDateParts = {
  month: 'short' | 'long'
  year?: boolean
  /** Adds hours, minutes and `UTC`. */
  time?: boolean
}

/** A date in UTC, the time zone of billing: `Nov 10, 2026, 14:30 UTC`. */
export const formatUtcDate = (time: Time, locale: Locale, parts: UtcDateParts) =>
  dateFormat(locale, utcDateOptions(parts)).format(new Date(time))

const utcDateOptions = ({ month, year, time }: UtcDateParts): Intl.DateTimeFormatOptions => ({
  timeZone: 'UTC',
  day: 'numeric',
  month,
  ...(year && { year: 'numeric' }),
  ...(time && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' }),
})

/** The short day of the week in UTC: `Tue`. */
export const formatUtcWeekday = (time: Time, locale: Locale) =>
  dateFormat(locale, { timeZone: 'UTC', weekday: 'short' }).format(new Date(time))

const isUtcMidnight = (milliseconds: number) => milliseconds % day === 0

/**
 * The first day of a billing period, in UTC: `Nov 1, 2026`. A period that starts during a day
 * also has the time, because another one may start on that day. `start` is ISO 8601.
 */
export const formatPeriodStart = (start: string, locale: Locale) =>
  formatUtcDate(start, locale, {
    month: 'short',
    year: true,
    time: !isUtcMidnight(Date.parse(start)),
  })

/** The name of a billing period: its month, `June 2026`, or else its start. Times as above. */
export function formatPeriodName(startsAt: string, endsAt: string, locale: Locale) {
  const start = new Date(startsAt)
  const isMonth =
    start.getTime() === Date.UTC(start.getUTCFullYear(), start.getUTCMonth()) &&
    Date.parse(endsAt) === Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)
  return isMonth
    ? dateFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(start)
    : formatPeriodStart(startsAt, locale)
}

/** The spaces around the dash between two days of one month, which only some languages have. */
const spacedDash = /(?<=\d)\s–\s(?=\d)/

/**
 * A billing period in UTC, from its first to its last day: `November 1–30, 2026`. A period that
 * starts or ends during a day has that time: `November 1 – November 10, 2026 at 14:30 UTC`. Both
 * times are ISO 8601; the end is exclusive.
 */
export function formatPeriod(
  startsAt: string,
  endsAt: string,
  locale: Locale,
  month: UtcDateParts['month'] = 'long',
) {
  const start = Date.parse(startsAt)
  const end = Math.max(start, Date.parse(endsAt))
  const [startsDuringDay, endsDuringDay] = [!isUtcMidnight(start), !isUtcMidnight(end)]
  // Midnight at the end belongs to the next day.
  const last = endsDuringDay ? end : Math.max(start, end - day)
  if (!startsDuringDay && !endsDuringDay)
    return dateFormat(locale, utcDateOptions({ month, year: true }))
      .formatRange(start, last)
      .replace(spacedDash, '–')
  // `formatRange` has no range with a time at one end only. A period lies in one year.
  const from = formatUtcDate(start, locale, { month, time: startsDuringDay })
  const to = formatUtcDate(last, locale, { month, year: true, time: endsDuringDay })
  return `${from} – ${to}`
}

/**
 * How long ago a time was: `3 hours ago`. Within a minute: `now`, or `12 seconds ago` with
 * `seconds`. From a week on: the date. A time up to an hour ahead is `now`, because clocks differ.
 * Times are milliseconds since 1970.
 */
export function formatRelativeTime(time: number, now: number, locale: Locale, seconds = false) {
  const elapsed = now - time
  if (elapsed >= 7 * day || elapsed <= -hour) return formatDate(time, locale, 'shortDate')
  if (elapsed < (seconds ? second : minute)) return m.time_now({}, { locale })
  const ago = (unit: 'second' | 'minute' | 'hour' | 'day', count: number) =>
    // "yesterday", but not Turkish's "evvelsi gün" for 2 days ago.
    relativeFormat(locale, { numeric: unit === 'day' && count === 1 ? 'auto' : 'always' }).format(
      -count,
      unit,
    )
  if (elapsed < minute) return ago('second', Math.trunc(elapsed / second))
  if (elapsed < hour) return ago('minute', Math.trunc(elapsed / minute))
  if (elapsed < day) return ago('hour', Math.trunc(elapsed / hour))
  return ago('day', Math.trunc(elapsed / day))
}

/**
 * A duration, rounded for readers: `0.02 sec`, `1.2 sec`, `14 sec`, `2 min, 5 sec`. Not by
 * `Intl.DurationFormat`, which truncates fractions of a second.
 */
export function formatDuration(milliseconds: number, locale: Locale) {
  const seconds = Math.max(0, milliseconds) / second
  const inUnit = (count: number, unit: 'minute' | 'second', digits = 0) =>
    numberFormat(locale, {
      style: 'unit',
      unit,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(count)
  if (seconds < 0.005) return m.time_less_than({ duration: inUnit(0.01, 'second', 2) }, { locale })
  if (seconds < 0.095) return inUnit(seconds, 'second', 2)
  if (seconds < 9.95) return inUnit(seconds, 'second', 1)
  const wholeSeconds = Math.round(seconds)
  if (wholeSeconds < 60) return inUnit(wholeSeconds, 'second')
  const parts = [inUnit(Math.floor(wholeSeconds / 60), 'minute')]
  if (wholeSeconds % 60 > 0) parts.push(inUnit(wholeSeconds % 60, 'second'))
  return listFormat(locale, { type: 'unit', style: 'short' }).format(parts)
}

/** A response time: `12 ms`, `1.25 s`. */
export const formatResponseTime = (milliseconds: number, locale: Locale) =>
  milliseconds < 1000
    ? // The symbol is the same in every language; `Intl` has "msn" in Turkish.
      `${numberFormat(locale, { maximumFractionDigits: 0 }).format(milliseconds)} ms`
    : numberFormat(locale, { style: 'unit', unit: 'second', maximumFractionDigits: 2 }).format(
        milliseconds / 1000,
      )

/** A number with the separators of the language: `1,234`. */
export const formatNumber = (value: number, locale: Locale) =>
  numberFormat(locale, {}).format(value)

/** A share from 0 to 1 in whole percent: `42%`. */
export const formatPercent = (share: number, locale: Locale) =>
  numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share)

/** Several texts as one: `2 added and 1 changed`; without a word between them: `a, b, c`. */
export const formatList = (
  parts: readonly string[],
  locale: Locale,
  style: 'long' | 'narrow' = 'long',
) => listFormat(locale, { type: 'conjunction', style }).format(parts)

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/**
 * A size in bytes with three significant digits, in units of 1,000: `1.25 MB`. Sizes below each
 * other have trailing zeros with `aligned`: `54.0 kB`.
 */
export function formatBytes(bytes: number, locale: Locale, aligned = false) {
  const power = bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3)
  const unit = Math.min(power, byteUnits.length - 1)
  return numberFormat(locale, {
    style: 'unit',
    unit: byteUnits[unit] as string,
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
    ...(aligned && unit > 0 && { minimumSignificantDigits: 3 }),
  }).format(bytes / 1000 ** unit)
}

const formatDollars = (amount: string, locale: Locale, decimals: number) =>
  numberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    // No minus before an amount that is rounded to zero.
    signDisplay: 'negative',
    // A decimal in a string is formatted exactly, never as a float.
  })
    .format(amount as Intl.StringNumericLiteral)
    // The typographic minus, as wide as a plus; `Intl` has a hyphen in these languages.
    .replace('-', '−')

/** A rate in percent without the sign, which the phrase places: `7.5`. */
export const formatRate = (rate: string, locale: Locale) =>
  numberFormat(locale, { maximumFractionDigits: 2 }).format(rate as Intl.StringNumericLiteral)

/** An amount in US dollars with five decimals, rounded half up: `$1,234.50000`, `−$0.10000`. */
export const formatMoney = (amount: string, locale: Locale) => formatDollars(amount, locale, 5)

/** The amount charged to a card, rounded half up to the cent: `$1,234.50`. */
export const formatCharge = (amount: string, locale: Locale) => formatDollars(amount, locale, 2)
