import { describe, expect, test } from 'vitest'
import { dayText, periodText, shortDayText } from './overview-period.ts'

const november = { createdAt: '2026-11-01T00:00:00.000Z', endsAt: '2026-12-01T00:00:00.000Z' }

describe('the dates of billing', () => {
  test('are told in UTC, whatever the time zone of the browser', () => {
    expect(dayText('2026-11-01', 'en')).toBe('November 1')
    expect(dayText('2026-11-01', 'tr')).toBe('1 Kasım')
    expect(shortDayText('2026-11-01', 'en')).toBe('Nov 1')
    expect(shortDayText('2026-11-01', 'tr')).toBe('1 Kas')
  })

  test('name the last day of a period, not the one after it', () => {
    expect(periodText(november, 'en')).toMatch(/^November 1\s–\s30, 2026$/)
    expect(periodText(november, 'tr')).toBe('1–30 Kasım 2026')
  })

  test('are one day for a period within it', () => {
    const { createdAt } = november
    expect(periodText({ createdAt, endsAt: '2026-11-01T09:00:00.000Z' }, 'en')).toBe(
      'November 1, 2026',
    )
    expect(periodText({ createdAt, endsAt: createdAt }, 'en')).toBe('November 1, 2026')
  })
})
