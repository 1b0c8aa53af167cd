import * as z from 'zod/mini'
import { startsInRange } from './card-numbers.ts'
import type { FormMessage } from './form-messages.ts'
import { limits } from './limits.ts'
import { passesLuhn } from './luhn.ts'

export const cardAssociations = [
  'visa',
  'master_card',
  'american_express',
  'troy',
  'other',
] as const
export type CardAssociation = (typeof cardAssociations)[number]

/**
 * First digits of the numbers that each association issues, as ranges of equally many digits (ISO/IEC 7812
 * issuer identification numbers, as the associations publish them). 65 is shared: troy issues it in Turkey
 * for its cards that Discover takes abroad, and Discover in America, where nobody of ours has a card from.
 */
const ranges: [CardAssociation, from: string, to: string][] = [
  ['visa', '4', '4'],
  ['master_card', '51', '55'],
  ['master_card', '2221', '2720'],
  ['american_express', '34', '34'],
  ['american_express', '37', '37'],
  ['troy', '9792', '9792'],
  ['troy', '65', '65'],
]

/** Whose card it is, as far as the digits tell; `other` until they do. */
export function cardAssociationOf(digits: string): CardAssociation {
  for (const [association, from, to] of ranges)
    if (startsInRange(digits, from, to)) return association
  return 'other'
}

/** The card's number without what people put between its digits. */
export const normalizeCardNumber = (text: string) => text.replace(/[\s-]/g, '')

/** A card's number: exactly 16 digits that pass the Luhn check; spaces and hyphens do not count. */
export const cardNumber = z.string('form_enter_card_number' satisfies FormMessage).check(
  z.overwrite(normalizeCardNumber),
  z.refine(
    (digits) => digits.length === limits.cardNumberLength && passesLuhn(digits),
    'form_enter_card_number' satisfies FormMessage,
  ),
)

/** The last moment of the calendar that has four digits for a year. */
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

/** The moment a card expires: the end of the month printed on it, in UTC. */
export const cardExpiry = (month: number, year: number) => {
  const end = new Date(0)
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  end.setUTCFullYear(year, month, 1)
  return new Date(Math.min(end.getTime(), lastMoment))
}

type ExpiryMessages = { expireMonth?: FormMessage; expireYear?: FormMessage }

/**
 * What is wrong with the expiry of a card at that moment; null when it is still good. A card is good to the
 * end of its month: of one that is over both month and year are named, of a year that is over the year.
 */
export function expiryProblems(
  { expireMonth, expireYear }: { expireMonth: number; expireYear: number },
  now: Date,
): ExpiryMessages | null {
  if (expireYear < now.getUTCFullYear()) return { expireYear: 'form_enter_expiry_year' }
  if (cardExpiry(expireMonth, expireYear) <= now)
    return { expireMonth: 'form_card_expired', expireYear: 'form_card_expired' }
  return null
}
