import { cardExpiry } from '@slipway/contract/cards'
import { expect, test } from 'vitest'
import { printedExpiry } from './card-names.ts'

test('the expiry of a card is the month that is printed on it, not the one after its end', () => {
  expect(printedExpiry(cardExpiry(12, 2027).toISOString())).toBe('12/27')
  expect(printedExpiry(cardExpiry(1, 2030).toISOString())).toBe('01/30')
})
