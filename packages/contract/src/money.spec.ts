import { describe, expect, it } from 'vitest'
import { formatCharge, formatCount, formatMoney, money, toAmount } from './money.ts'

describe('a count', () => {
  it('is grouped as the language groups numbers', () => {
    for (const locale of ['en', 'tr'] as const)
      for (const count of [0, 7, 999, 1000, 12_345, 1_234_567])
        expect(formatCount(count, locale)).toBe(new Intl.NumberFormat(locale).format(count))
  })
})

describe('money', () => {
  it('is rounded half up to five decimals', () => {
    expect(toAmount(money('0.000005'))).toBe('0.00001')
    expect(toAmount(money('0.000004999'))).toBe('0.00000')
    expect(toAmount(money('12'))).toBe('12.00000')
    expect(toAmount(money('-1.5'))).toBe('-1.50000')
  })

  it('adds what floats cannot', () => {
    expect(toAmount(money('0.1').plus(money('0.2')))).toBe('0.30000')
    expect(toAmount(money('99999999999999.99999').plus('0.00001'))).toBe('100000000000000.00000')
  })

  it.each([
    ['1234567.5', '$1,234,567.50000', '$1.234.567,50000'],
    ['-0.1', '-$0.10000', '-$0,10000'],
    ['-1234', '-$1,234.00000', '-$1.234,00000'],
    ['999', '$999.00000', '$999,00000'],
    ['0.000005', '$0.00001', '$0,00001'],
  ])(
    'is shown with a dollar sign and groups, as each language writes numbers: %s',
    (text, en, tr) => {
      expect(formatMoney(text, 'en')).toBe(en)
      expect(formatMoney(text, 'tr')).toBe(tr)
    },
  )

  it.each([
    ['12.50000', '$12.50', '$12,50'],
    ['12.34500', '$12.35', '$12,35'],
    ['12.34499', '$12.34', '$12,34'],
    ['1234567.10000', '$1,234,567.10', '$1.234.567,10'],
    ['0.00499', '$0.00', '$0,00'],
  ])('of %s that a card is charged has no part of a cent', (text, en, tr) => {
    expect(formatCharge(text, 'en')).toBe(en)
    expect(formatCharge(text, 'tr')).toBe(tr)
  })

  it('refuses what is no decimal', () => {
    for (const text of ['', 'abc', '1,5', 'NaN', 'Infinity', '1e'])
      expect(() => money(text)).toThrow()
  })
})
