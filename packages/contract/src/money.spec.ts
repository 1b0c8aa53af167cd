import { describe, expect, it } from 'vitest'
import { formatMoney, money, moneyText } from './money.ts'

describe('money', () => {
  it('is rounded half up to five decimals', () => {
    expect(moneyText(money('0.000005'))).toBe('0.00001')
    expect(moneyText(money('0.000004999'))).toBe('0.00000')
    expect(moneyText(money('12'))).toBe('12.00000')
    expect(moneyText(money('-1.5'))).toBe('-1.50000')
  })

  it('adds what floats cannot', () => {
    expect(moneyText(money('0.1').plus(money('0.2')))).toBe('0.30000')
    expect(moneyText(money('99999999999999.99999').plus('0.00001'))).toBe('100000000000000.00000')
  })

  it('is shown with a dollar sign and groups', () => {
    expect(formatMoney('1234567.5')).toBe('$1,234,567.50000')
    expect(formatMoney('-0.1')).toBe('-$0.10000')
    expect(formatMoney('999')).toBe('$999.00000')
  })

  it('refuses what is no decimal', () => {
    for (const text of ['', 'abc', '1,5', 'NaN', 'Infinity', '1e'])
      expect(() => money(text)).toThrow()
  })
})
