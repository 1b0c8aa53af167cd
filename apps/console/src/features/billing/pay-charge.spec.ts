import { describe, expect, it } from 'vitest'
import { formatCharge, isRounded } from './pay-charge.ts'

describe('what a card is charged', () => {
  it.each([
    ['12.50000', '$12.50', false],
    ['12.34500', '$12.35', true],
    ['12.34499', '$12.34', true],
    ['1234567.10000', '$1,234,567.10', false],
    ['0.00499', '$0.00', true],
    ['0.00000', '$0.00', false],
  ])('for %s is %s', (amount, charge, rounded) => {
    expect(formatCharge(amount)).toBe(charge)
    expect(isRounded(amount)).toBe(rounded)
  })
})
