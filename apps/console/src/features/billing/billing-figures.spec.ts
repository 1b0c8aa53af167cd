import { afterAll, describe, expect, it, vi } from 'vitest'

let locale = 'en'
// The phrases read the language from here as soon as they are imported.
vi.stubGlobal('window', {})
vi.stubGlobal('localStorage', { getItem: () => locale, setItem: () => undefined })
const { amountText, chargedText, hoursText, isRounded, withTax } = await import(
  './billing-figures.ts'
)

afterAll(() => {
  vi.unstubAllGlobals()
})

describe('amounts and durations', () => {
  it.each([
    ['en', '$1,234.50000', '$1,234.50', '1,234 hours', '1 hour'],
    ['tr', '$1.234,50000', '$1.234,50', '1.234 saat', '1 saat'],
  ])('use the number format of the page’s language: %s', (spoken, ...texts) => {
    locale = spoken
    expect([
      amountText('1234.50000'),
      chargedText('1234.50000'),
      hoursText(1234),
      hoursText(1),
    ]).toEqual(texts)
  })

  it.each([
    ['12.50000', false],
    ['12.34500', true],
    ['12.34499', true],
    ['0.00499', true],
    ['0.00000', false],
  ])('an amount of %s is charged rounded: %s', (amount, rounded) => {
    expect(isRounded(amount)).toBe(rounded)
  })

  it.each([
    ['20', '17.11500'],
    ['8.5', '15.47481'],
    ['0', '14.26250'],
  ])('an amount at a tax rate of %s is %s with tax', (taxRate, expected) => {
    expect(withTax('14.26250', taxRate)).toBe(expected)
  })
})
