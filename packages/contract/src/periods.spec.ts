import { describe, expect, it } from 'vitest'
import type { CalendarLocale } from './calendar.ts'
import { periodStartText, periodText } from './periods.ts'

const [first, tenth, noon, next] = [
  '2026-11-01T00:00:00.000Z',
  '2026-11-10T14:30:00.000Z',
  '2026-11-10T16:05:59.999Z',
  '2026-12-01T00:00:00.000Z',
]
const text = (createdAt: string, endsAt: string, locale: CalendarLocale) =>
  periodText({ createdAt, endsAt }, locale)

describe('a period', () => {
  it('of whole days goes from its first to its last, in UTC', () => {
    expect(text(first, next, 'en')).toMatch(/^November 1\s–\s30, 2026$/)
    expect(text(first, next, 'tr')).toBe('1–30 Kasım 2026')
    expect(text(first, '2026-11-02T00:00:00.000Z', 'en')).toBe('November 1, 2026')
  })

  it('that ends or begins in the middle of a day says when', () => {
    expect(text(first, tenth, 'en')).toBe('November 1 – November 10, 2026 at 14:30 UTC')
    expect(text(tenth, next, 'en')).toBe('November 10 at 14:30 UTC – November 30, 2026')
    expect(text(first, tenth, 'tr')).toBe('1 Kasım – 10 Kasım 2026 14:30 UTC')
    expect(text(tenth, next, 'tr')).toBe('10 Kasım 14:30 UTC – 30 Kasım 2026')
  })

  it('within one day is told from the others of that day', () => {
    expect(text(tenth, noon, 'en')).toBe(
      'November 10 at 14:30 UTC – November 10, 2026 at 16:05 UTC',
    )
  })
})

describe('the start of a period', () => {
  it('is a day, with its time when it is no midnight', () => {
    expect(periodStartText(first, 'en')).toBe('Nov 1, 2026')
    expect(periodStartText(tenth, 'en')).toBe('Nov 10, 2026, 14:30 UTC')
    expect(periodStartText(first, 'tr')).toBe('1 Kas 2026')
    expect(periodStartText(tenth, 'tr')).toBe('10 Kas 2026 14:30 UTC')
  })
})
