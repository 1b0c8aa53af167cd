import { describe, expect, test } from 'vitest'
import { dayText, shortDayText } from './cost-chart-days.ts'

describe('the days of the cost chart', () => {
  test('are told in UTC, whatever the time zone of the browser', () => {
    expect(dayText('2026-11-01', 'en')).toBe('November 1')
    expect(dayText('2026-11-01', 'tr')).toBe('1 Kasım')
    expect(shortDayText('2026-11-01', 'en')).toBe('Nov 1')
    expect(shortDayText('2026-11-01', 'tr')).toBe('1 Kas')
  })
})
