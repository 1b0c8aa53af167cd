import { describe, expect, it } from 'vitest'
import { preferredLocale } from './preferred-locale.ts'

describe('preferredLocale', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['tr', 'tr'],
    ['tr-TR,tr;q=0.9,en;q=0.8', 'tr'],
    ['en;q=0.5, tr;q=0.7', 'tr'],
    ['de, fr;q=0.9', 'en'],
    ['tr;q=0, en', 'en'],
    ['TR', 'tr'],
    ['tr;q=nonsense', 'en'],
    [';;,q=1', 'en'],
  ])('chooses for the header %j the locale %s', (header, locale) => {
    expect(preferredLocale(header)).toBe(locale)
  })
})
