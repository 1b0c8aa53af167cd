import { day, hour, minute } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { localDate, localTime } from './local-date.ts'

/** The hours of some days of each month, of which some are another day in UTC. */
const moments = Array.from({ length: 400 }, (_, nth) => {
  const start = new Date(2026, 0, 1, 0, 5).getTime()
  return start + nth * (day + hour + 7 * minute)
})

describe.each(['en', 'tr'] as const)('a moment in the time zone of the reader, in %s', (locale) => {
  it('has the date that a browser gives it', () => {
    const long = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
    const medium = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
    for (const at of moments) {
      expect(localDate(at, locale, 'long')).toBe(long.format(at))
      expect(localDate(at, locale, 'short')).toBe(medium.format(at))
    }
  })

  it('has the time of day that a browser gives it', () => {
    const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
    for (const at of moments) expect(localTime(at, locale)).toBe(clock.format(at))
  })
})
