import type { CardAssociation } from '@slipway/contract/card-associations'
import { cardExpiry } from '@slipway/contract/cards'
import { m } from '@slipway/phrases'
import { describe, expect, it, test } from 'vitest'
import { cardName, parseCardAssociation, printedExpiry } from './card-names.ts'

test('printedExpiry is the last month of the card, not the one after it', () => {
  expect(printedExpiry(cardExpiry(12, 2027).toISOString())).toBe('12/27')
  expect(printedExpiry(cardExpiry(1, 2030).toISOString())).toBe('01/30')
})

describe('a card association in a response', () => {
  it.each([
    ['visa', 'visa', m.cards_visa()],
    ['Visa', 'visa', m.cards_visa()],
    ['MasterCard', 'master_card', m.cards_master_card()],
    ['AmericanExpress', 'american_express', m.cards_american_express()],
    ['Troy', 'troy', m.cards_troy()],
    ['Discover', 'other', m.cards_other()],
    ['constructor', 'other', m.cards_other()],
  ])('%s is read as %s and shown as %s', (spelling, association, brand) => {
    expect(parseCardAssociation(spelling)).toBe(association)
    const card = { cardAssoc: spelling as CardAssociation, lastDigits: '4242' }
    expect(cardName(card)).toBe(m.cards_name({ brand, digits: '4242' }))
  })
})
