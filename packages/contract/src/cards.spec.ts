import { describe, expect, it } from 'vitest'
import { cardAssociationOf, cardExpiry, cardNumber, expiryProblems } from './cards.ts'

describe('cardAssociationOf', () => {
  it.each([
    ['4242424242424242', 'visa'],
    ['4', 'visa'],
    ['5105105105105100', 'master_card'],
    ['5555555555554444', 'master_card'],
    ['2221000000000009', 'master_card'],
    ['2720999999999996', 'master_card'],
    ['2223003122003222', 'master_card'],
    ['340000000000009', 'american_express'],
    ['378282246310005', 'american_express'],
    ['9792030394440796', 'troy'],
    ['6501700000000000', 'troy'],
    // Just beside the ranges.
    ['50', 'other'],
    ['56', 'other'],
    ['2220999999999999', 'other'],
    ['2721000000000000', 'other'],
    ['33', 'other'],
    ['35', 'other'],
    ['36', 'other'],
    ['9791', 'other'],
    ['9793', 'other'],
    ['64', 'other'],
    // Too few digits to decide.
    ['', 'other'],
    ['2', 'other'],
    ['222', 'other'],
    ['3', 'other'],
    ['5', 'other'],
    ['979', 'other'],
    ['x4', 'other'],
  ])('gives the association of %j: %s', (digits, association) => {
    expect(cardAssociationOf(digits)).toBe(association)
  })
})

describe('cardNumber', () => {
  it.each(['4242424242424242', ' 4242 4242 4242 4242 ', '4242-4242-4242-4242'])(
    'accepts %j',
    (text) => {
      expect(cardNumber.parse(text)).toBe('4242424242424242')
    },
  )

  it.each([
    '4242424242424241',
    '424242424242424',
    '42424242424242424',
    // American Express has 15 digits; the form accepts 16.
    '378282246310005',
    '4242424242424242x',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    // The check digit is correct, but no issuer has it.
    '0000000000000000',
    `4242424242424242${' '.repeat(64)}`,
    '',
    4242424242424242,
    null,
  ])('rejects %j', (value) => {
    expect(cardNumber.safeParse(value).error?.issues[0]?.message).toBe('form_enter_card_number')
  })
})

describe('the expiry of a card', () => {
  it.each([
    [2, 2024, '2024-03-01T00:00:00.000Z'],
    [12, 2026, '2027-01-01T00:00:00.000Z'],
    [12, 9999, '9999-12-31T23:59:59.999Z'],
  ])('is the end of the month %i/%i', (month, year, end) => {
    expect(cardExpiry(month, year).toISOString()).toBe(end)
  })

  const bothExpired = { expireMonth: 'form_card_expired', expireYear: 'form_card_expired' }
  const pastYear = { expireYear: 'form_enter_expiry_year' }
  it.each([
    ['in the last moment of its month', 11, 2026, '2026-11-30T23:59:59.999Z', null],
    ['in the first moment after its month', 11, 2026, '2026-12-01T00:00:00.000Z', bothExpired],
    ['in the last moment of its year', 12, 2026, '2026-12-31T23:59:59.999Z', null],
    ['in the first moment after its year', 12, 2026, '2027-01-01T00:00:00.000Z', pastYear],
    ['in the month after it', 10, 2026, '2026-11-01T00:00:00.000Z', bothExpired],
    ['on the last day of its February', 2, 2028, '2028-02-29T23:59:59.999Z', null],
    ['on the day after its February', 2, 2028, '2028-03-01T00:00:00.000Z', bothExpired],
    ['in the year after it', 12, 2025, '2026-11-21T00:00:00.000Z', pastYear],
    ['in a year long before it', 1, 9999, '2026-11-21T00:00:00.000Z', null],
  ])('is checked %s: %i/%i', (_when, expireMonth, expireYear, now, problems) => {
    expect(expiryProblems({ expireMonth, expireYear }, new Date(now))).toEqual(problems)
  })
})
