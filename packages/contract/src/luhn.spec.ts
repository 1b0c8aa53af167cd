import { describe, expect, it } from 'vitest'
import { passesLuhn } from './luhn.ts'

describe('passesLuhn', () => {
  it.each(['4242424242424242', '5555555555554444', '378282246310005', '79927398713', '0'])(
    'accepts %s',
    (digits) => {
      expect(passesLuhn(digits)).toBe(true)
    },
  )
  it('rejects every single wrong digit', () => {
    const right = '4242424242424242'
    for (let index = 0; index < right.length; index++)
      for (let by = 1; by < 10; by++) {
        const digit = (Number(right[index]) + by) % 10
        expect(passesLuhn(right.slice(0, index) + digit + right.slice(index + 1))).toBe(false)
      }
  })
  it.each(['', '4242 4242 4242 4242', '424242424242424a', '٤٢٤٢'])('rejects %j', (digits) => {
    expect(passesLuhn(digits)).toBe(false)
  })
})
