import { hour, minute } from './limits.ts'

/*
 * Dates in UTC, in which billing counts, as both languages write them. A browser's first format of its own
 * costs a phone a tenth of a second, and each further one a millisecond; these are the same texts for
 * nothing, which `calendar.spec.ts` compares with them.
 */

const months = {
  en: 'January February March April May June July August September October November December',
  tr: 'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık',
}

/** A language that dates are written in. */
export type CalendarLocale = keyof typeof months

export type DateLook = {
  /** `short`: the first three letters, in both languages. */
  month: 'short' | 'long'
  year?: boolean
  /** Hours and minutes, and that they are in UTC. */
  time?: boolean
}

const two = (count: number) => String(count).padStart(2, '0')

/** The name of a month; `month` counts from 0. */
export const monthText = (month: number, locale: CalendarLocale, look: DateLook['month']) => {
  const name = months[locale].split(' ')[month] ?? ''
  return look === 'short' ? name.slice(0, 3) : name
}

/** A moment, in milliseconds since 1970: `Nov 10, 2026, 14:30 UTC`, `10 Kas 2026 14:30 UTC`. */
export function dateText(moment: number, locale: CalendarLocale, { month, year, time }: DateLook) {
  const date = new Date(moment)
  const name = monthText(date.getUTCMonth(), locale, month)
  const day = date.getUTCDate()
  const clock = time
    ? `${two(Math.floor(moment / hour) % 24)}:${two(Math.floor(moment / minute) % 60)} UTC`
    : undefined
  if (locale === 'tr')
    return [day, name, year && date.getUTCFullYear(), clock].filter(Boolean).join(' ')
  const text = `${name} ${day}${year ? `, ${date.getUTCFullYear()}` : ''}`
  if (!clock) return text
  return month === 'long' ? `${text} at ${clock}` : `${text}, ${clock}`
}
