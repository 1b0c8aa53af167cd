import { describe, expect, it } from 'vitest'
import { money, toAmount, toChargedAmount } from './money.ts'

describe('money', () => {
  it('is rounded half up to five decimals', () => {
    expect(toAmount(money('0.000005'))).toBe('0.00001')
    expect(toAmount(money('0.000004999'))).toBe('0.00000')
    expect(toAmount(money('12'))).toBe('12.00000')
    expect(toAmount(money('-1.5'))).toBe('-1.50000')
  })

  it('is added without floating-point errors', () => {
    expect(toAmount(money('0.1').plus(money('0.2')))).toBe('0.30000')
    expect(toAmount(money('99999999999999.99999').plus('0.00001'))).toBe('100000000000000.00000')
  })

  it('rejects text that is not a decimal', () => {
    for (const text of ['', 'abc', '1,5', 'NaN', 'Infinity', '1e'])
      expect(() => money(text)).toThrow()
  })

  it.each([
    ['12.50000', '12.50'],
    ['12.34500', '12.35'],
    ['12.34499', '12.34'],
    ['0.00499', '0.00'],
  ])('of %s is charged to a card as %s', (amount, charged) => {
    expect(toChargedAmount(amount)).toBe(charged)
  })
})
