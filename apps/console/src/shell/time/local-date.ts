import { dateText } from '@slipway/contract/calendar'
import { minute } from '@slipway/contract/limits'
import type { Locale } from '@slipway/phrases'

/** The moment that UTC's calendar shows as the reader's own does; in milliseconds. */
const shifted = (at: number) => at - new Date(at).getTimezoneOffset() * minute

/** The day of a moment in the reader's calendar: "November 20, 2026", or "Nov 20, 2026". */
export const localDate = (at: number, locale: Locale, month: 'short' | 'long') =>
  dateText(shifted(at), locale, { month, year: true })

/** The time of day on the reader's clock, as both languages write it: "3:05 PM", "15:05". */
export function localTime(at: number, locale: Locale) {
  const date = new Date(at)
  const hours = date.getHours()
  const minutes = String(date.getMinutes()).padStart(2, '0')
  if (locale === 'tr') return `${String(hours).padStart(2, '0')}:${minutes}`
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}
