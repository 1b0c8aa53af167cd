import { describe, expect, it, vi } from 'vitest'
import {
  formatBytes,
  formatCharge,
  formatDate,
  formatDuration,
  formatList,
  formatMoney,
  formatNumber,
  formatPeriod,
  formatPeriodName,
  formatPeriodStart,
  formatRelativeTime,
  formatResponseTime,
  formatUtcDate,
  formatUtcWeekday,
} from './format.ts'
import type { Locale } from './paraglide/runtime.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const [first, tenth, later, next] = [
  '2026-11-01T00:00:00.000Z',
  '2026-11-10T14:30:00.000Z',
  '2026-11-10T16:05:59.999Z',
  '2026-12-01T00:00:00.000Z',
]

describe('formatUtcDate', () => {
  it.each([
    ['en', { month: 'short' }, 'Nov 10'],
    ['en', { month: 'long' }, 'November 10'],
    ['en', { month: 'short', year: true }, 'Nov 10, 2026'],
    ['en', { month: 'long', year: true }, 'November 10, 2026'],
    ['en', { month: 'short', time: true }, 'Nov 10, 14:30 UTC'],
    ['en', { month: 'long', time: true }, 'November 10 at 14:30 UTC'],
    ['en', { month: 'short', year: true, time: true }, 'Nov 10, 2026, 14:30 UTC'],
    ['en', { month: 'long', year: true, time: true }, 'November 10, 2026 at 14:30 UTC'],
    ['tr', { month: 'short' }, '10 Kas'],
    ['tr', { month: 'long' }, '10 Kasım'],
    ['tr', { month: 'short', year: true }, '10 Kas 2026'],
    ['tr', { month: 'long', year: true }, '10 Kasım 2026'],
    ['tr', { month: 'short', time: true }, '10 Kas 14:30 UTC'],
    ['tr', { month: 'long', time: true }, '10 Kasım 14:30 UTC'],
    ['tr', { month: 'short', year: true, time: true }, '10 Kas 2026 14:30 UTC'],
    ['tr', { month: 'long', year: true, time: true }, '10 Kasım 2026 14:30 UTC'],
  ] as const)('formats in %s with %j as "%s"', (locale, parts, text) => {
    expect(formatUtcDate(tenth, locale, parts)).toBe(text)
  })

  it('formats midnight as 00:00', () => {
    const text = formatUtcDate(first, 'en', { month: 'short', time: true })
    expect(text).toBe('Nov 1, 00:00 UTC')
  })
})

describe('formatUtcWeekday', () => {
  it.each([
    ['en', 'Sun'],
    ['tr', 'Paz'],
  ] as const)('is short in %s: %s', (locale, text) => {
    expect(formatUtcWeekday('2026-11-01T23:59:00.000Z', locale)).toBe(text)
  })
})

describe('formatDate', () => {
  const localTime = new Date(2026, 10, 20, 15, 5, 7)

  it.each([
    ['en', 'date', 'November 20, 2026'],
    ['en', 'shortDate', 'Nov 20, 2026'],
    ['en', 'time', '3:05 PM'],
    ['en', 'dateTime', 'November 20, 2026 at 3:05 PM'],
    ['en', 'exactTime', 'November 20, 2026 at 3:05:07 PM'],
    ['tr', 'date', '20 Kasım 2026'],
    ['tr', 'shortDate', '20 Kas 2026'],
    ['tr', 'time', '15:05'],
    ['tr', 'dateTime', '20 Kasım 2026 15:05'],
    ['tr', 'exactTime', '20 Kasım 2026 15:05:07'],
  ] as const)('formats local time in %s as %s: "%s"', (locale, style, text) => {
    expect(formatDate(localTime, locale, style).replaceAll('\u202f', ' ')).toBe(text)
  })
})

describe('formatPeriod', () => {
  const text = (startsAt: string, endsAt: string, locale: Locale) =>
    formatPeriod(startsAt, endsAt, locale)

  it('shows whole days in UTC, from the first to the last', () => {
    expect(text(first, next, 'en')).toBe('November 1–30, 2026')
    expect(formatPeriod(first, next, 'en', 'short')).toBe('Nov 1–30, 2026')
    expect(text('2026-10-15T00:00:00.000Z', next, 'en')).toMatch(
      /^October 15\s–\sNovember 30, 2026$/,
    )
    expect(text(first, next, 'tr')).toBe('1–30 Kasım 2026')
    expect(text(first, '2026-11-02T00:00:00.000Z', 'en')).toBe('November 1, 2026')
  })

  it('shows the time of an end that is not midnight', () => {
    expect(text(first, tenth, 'en')).toBe('November 1 – November 10, 2026 at 14:30 UTC')
    expect(text(tenth, next, 'en')).toBe('November 10 at 14:30 UTC – November 30, 2026')
    expect(text(first, tenth, 'tr')).toBe('1 Kasım – 10 Kasım 2026 14:30 UTC')
    expect(text(tenth, next, 'tr')).toBe('10 Kasım 14:30 UTC – 30 Kasım 2026')
  })

  it('distinguishes periods within one day by their times', () => {
    expect(text(tenth, later, 'en')).toBe(
      'November 10 at 14:30 UTC – November 10, 2026 at 16:05 UTC',
    )
  })
})

describe('formatPeriodName', () => {
  it('names a whole month, in UTC', () => {
    const december = ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'] as const
    expect(formatPeriodName(...december, 'en')).toBe('December 2026')
    expect(formatPeriodName(...december, 'tr')).toBe('Aralık 2026')
  })

  it('has the start of a shorter period', () => {
    expect(formatPeriodName(first, tenth, 'en')).toBe('Nov 1, 2026')
    expect(formatPeriodName(tenth, '2026-12-01T00:00:00.000Z', 'en')).toBe(
      'Nov 10, 2026, 14:30 UTC',
    )
  })
})

describe('formatPeriodStart', () => {
  it('shows the day, and the time unless it is midnight', () => {
    expect(formatPeriodStart(first, 'en')).toBe('Nov 1, 2026')
    expect(formatPeriodStart(tenth, 'en')).toBe('Nov 10, 2026, 14:30 UTC')
    expect(formatPeriodStart(first, 'tr')).toBe('1 Kas 2026')
    expect(formatPeriodStart(tenth, 'tr')).toBe('10 Kas 2026 14:30 UTC')
  })
})

describe('formatRelativeTime', () => {
  // Noon in the time zone of the test, so that dates do not depend on it.
  const now = new Date(2026, 10, 20, 12).getTime()

  it.each([
    [59 * second, 'just now'],
    [minute, '1 minute ago'],
    [59 * minute, '59 minutes ago'],
    [3.9 * hour, '3 hours ago'],
    [day, 'yesterday'],
    [2 * day, '2 days ago'],
    [6.9 * day, '6 days ago'],
    [7 * day, 'Nov 13, 2026'],
    [400 * day, 'Oct 16, 2025'],
    [-20 * second, 'just now'],
    [-59 * minute, 'just now'],
    [-2 * day, 'Nov 22, 2026'],
  ])('formats %d ms ago as "%s"', (elapsed, text) => {
    expect(formatRelativeTime(now - elapsed, now, 'en')).toBe(text)
  })

  it.each([
    [999, 'just now'],
    [12 * second, '12 seconds ago'],
    [minute, '1 minute ago'],
    [-5 * second, 'just now'],
  ])('counts seconds on request: %i ms ago is %s', (elapsed, text) => {
    expect(formatRelativeTime(now - elapsed, now, 'en', true)).toBe(text)
  })

  it('formats in Turkish', () => {
    expect(formatRelativeTime(now - 3 * hour, now, 'tr')).toBe('3 saat önce')
    expect(formatRelativeTime(now - 2 * day, now, 'tr')).toBe('2 gün önce')
    expect(formatRelativeTime(now - 8 * day, now, 'tr')).toBe('12 Kas 2026')
  })
})

describe('formatDuration', () => {
  it.each([
    [-5, 'under 0.01 sec', '0,01 sn. altında'],
    [6.4, '0.01 sec', '0,01 sn.'],
    [96, '0.1 sec', '0,1 sn.'],
    [100, '0.1 sec', '0,1 sn.'],
    [1240, '1.2 sec', '1,2 sn.'],
    [9949, '9.9 sec', '9,9 sn.'],
    [9951, '10 sec', '10 sn.'],
    [59_400, '59 sec', '59 sn.'],
    [59_600, '1 min', '1 dk.'],
    [125_000, '2 min, 5 sec', '2 dk. 5 sn.'],
  ])(
    'formats %s milliseconds as "%s", and as "%s" in Turkish',
    (milliseconds, english, turkish) => {
      expect(formatDuration(milliseconds, 'en')).toBe(english)
      expect(formatDuration(milliseconds, 'tr')).toBe(turkish)
    },
  )
})

describe('formatList', () => {
  it.each([
    ['en', 'long', 'a, b, and c'],
    ['en', 'narrow', 'a, b, c'],
    ['tr', 'long', 'a, b ve c'],
    ['tr', 'narrow', 'a, b, c'],
  ] as const)('formats in %s, %s: "%s"', (locale, style, text) => {
    expect(formatList(['a', 'b', 'c'], locale, style)).toBe(text)
  })
})

describe('formatNumber', () => {
  it('groups thousands', () => {
    expect([999, 1000, 1_234_567].map((count) => formatNumber(count, 'en'))).toEqual([
      '999',
      '1,000',
      '1,234,567',
    ])
    expect([999, 1000, 1_234_567].map((count) => formatNumber(count, 'tr'))).toEqual([
      '999',
      '1.000',
      '1.234.567',
    ])
  })
})

describe('formatMoney', () => {
  it.each([
    ['1234567.5', '$1,234,567.50000', '$1.234.567,50000'],
    ['-0.1', '−$0.10000', '−$0,10000'],
    ['-1234', '−$1,234.00000', '−$1.234,00000'],
    ['999', '$999.00000', '$999,00000'],
    ['0.000005', '$0.00001', '$0,00001'],
    ['-0.000004', '$0.00000', '$0,00000'],
    ['99999999999999.99999', '$99,999,999,999,999.99999', '$99.999.999.999.999,99999'],
  ])('formats %s as %s, and as %s in Turkish', (amount, english, turkish) => {
    expect(formatMoney(amount, 'en')).toBe(english)
    expect(formatMoney(amount, 'tr')).toBe(turkish)
  })
})

describe('formatCharge', () => {
  it.each([
    ['12.50000', '$12.50', '$12,50'],
    ['12.34500', '$12.35', '$12,35'],
    ['12.34499', '$12.34', '$12,34'],
    ['1234567.10000', '$1,234,567.10', '$1.234.567,10'],
    ['0.00499', '$0.00', '$0,00'],
  ])('formats %s as %s, and as %s in Turkish', (amount, english, turkish) => {
    expect(formatCharge(amount, 'en')).toBe(english)
    expect(formatCharge(amount, 'tr')).toBe(turkish)
  })
})

describe('formatResponseTime', () => {
  it('has the same symbol for milliseconds in every language', () => {
    expect(formatResponseTime(13.4, 'en')).toBe('13 ms')
    expect(formatResponseTime(13.4, 'tr')).toBe('13 ms')
  })
})

describe('formatBytes', () => {
  it('has trailing zeros among aligned sizes only', () => {
    expect(formatBytes(54_000, 'en')).toBe('54 kB')
    expect(formatBytes(54_000, 'en', true)).toBe('54.0 kB')
    expect(formatBytes(54, 'en', true)).toBe('54 bytes')
  })
})

describe('format.ts', () => {
  it('creates one Intl object per locale and options', async () => {
    const create = vi.spyOn(Intl, 'NumberFormat')
    vi.resetModules()
    const format = await import('./format.ts')
    for (const amount of ['1', '2', '3']) format.formatMoney(amount, 'en')
    expect(create).toHaveBeenCalledTimes(1)
    format.formatMoney('1', 'tr')
    expect(create).toHaveBeenCalledTimes(2)
    create.mockRestore()
  })
})
