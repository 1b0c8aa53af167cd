import { describe, expect, test } from 'vitest'
import { type CalendarLocale, dateText } from './calendar.ts'
import { day, minute } from './limits.ts'

const clock = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const

/** A year of moments, each with another time of day. */
const moments = Array.from(
  { length: 366 },
  (_, index) => Date.UTC(2028) + index * (day + 7 * minute),
)

describe('a date', () => {
  for (const locale of ['en', 'tr'] satisfies CalendarLocale[])
    for (const month of ['short', 'long'] as const)
      for (const year of [false, true])
        for (const time of [false, true])
          test(`is what the language has: ${locale}, ${month}, year ${year}, time ${time}`, () => {
            const format = new Intl.DateTimeFormat(locale, {
              timeZone: 'UTC',
              day: 'numeric',
              month,
              ...(year ? { year: 'numeric' } : {}),
              ...(time ? clock : {}),
            })
            for (const moment of moments)
              expect(dateText(moment, locale, { month, year, time })).toBe(format.format(moment))
          })
})
