import * as z from 'zod/mini'
import type { CardAssociation } from './card-associations.ts'
import { startsInRange } from './card-numbers.ts'
import type { FormMessage } from './form-messages.ts'
import { limits } from './limits.ts'
import { passesLuhn } from './luhn.ts'

/**
 * First digits of the numbers of each association, as ranges (issuer identification numbers,
 * ISO/IEC 7812, as the associations publish them). 65 is shared: troy issues it in Turkey, Discover
 * in America, where no customer's card is from.
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

/** The association of a number or of its first digits; `other` until the digits decide. */
export function cardAssociationOf(digits: string): CardAssociation {
  for (const [association, from, to] of ranges)
    if (startsInRange(digits, from, to)) return association
  return 'other'
}

/** A card number without spaces and hyphens. */
export const normalizeCardNumber = (text: string) => text.replace(/[\s-]/g, '')

/**
 * True for 16 digits that a card can have: no issuer's numbers start with 0 (ISO/IEC 7812-1 §5).
 */
const isCardNumber = (digits: string) =>
  digits.length === limits.cardNumberLength && !digits.startsWith('0') && passesLuhn(digits)

/** A card number: 16 digits that pass the Luhn check. Spaces and hyphens are removed. */
export const cardNumber = z.string('form_enter_card_number' satisfies FormMessage).check(
  z.maxLength(limits.cardNumberTextMax, {
    error: 'form_enter_card_number' satisfies FormMessage,
    abort: true,
  }),
  z.overwrite(normalizeCardNumber),
  z.refine(isCardNumber, 'form_enter_card_number' satisfies FormMessage),
)

/** The end of the last year of four digits. */
const maxTime = Date.parse('9999-12-31T23:59:59.999Z')

/** When a card expires: the end of the month printed on it, in UTC. `month` is 1 to 12. */
export const cardExpiry = (month: number, year: number) => {
  const end = new Date(0)
  // Not Date.UTC, for which the years 0 to 99 are 1900 to 1999.
  end.setUTCFullYear(year, month, 1)
  return new Date(Math.min(end.getTime(), maxTime))
}

type ExpiryMessages = { expireMonth?: FormMessage; expireYear?: FormMessage }

/**
 * The errors of a card's expiry at a time; null if the card has not expired. A card is valid until
 * the end of its month. In a past month of this year both fields have an error, in a past year only
 * the year.
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
