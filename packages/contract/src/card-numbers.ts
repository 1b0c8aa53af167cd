import { passesLuhn } from './luhn.ts'

/** True for a number whose first digits are in a range of equally many digits. */
export const startsInRange = (digits: string, from: string, to: string) => {
  const start = digits.slice(0, from.length)
  return start.length === from.length && start >= from && start <= to
}

/** How long the numbers are that start so: those above, Diners Club, JCB, UnionPay, Discover and Maestro. */
const lengths: [from: string, to: string, digits: number[]][] = [
  ['4', '4', [16, 19]],
  ['51', '55', [16]],
  ['2221', '2720', [16]],
  ['34', '34', [15]],
  ['37', '37', [15]],
  ['9792', '9792', [16]],
  ['300', '305', [14]],
  ['36', '36', [14]],
  ['38', '39', [14]],
  ['3528', '3589', [16, 17, 18, 19]],
  ['50', '50', [16, 17, 18, 19]],
  ['56', '69', [16, 17, 18, 19]],
]

const longest = 19

const isCardNumber = (digits: string) =>
  lengths.some(
    ([from, to, all]) => all.includes(digits.length) && startsInRange(digits, from, to),
  ) && passesLuhn(digits)

/** What stands between the digits of one number: blanks, hyphens, dots, and characters that nobody sees. */
const between = '[\\s.\\-\\u2010-\\u2015\\u00b7_\\u200c\\u200d]'
const groupsOfDigits = new RegExp(`\\d+(?:${between}{1,3}\\d+)*`, 'g')

/** An account's number begins with a country and two check digits (ISO 13616); nothing else is so long. */
const accounts = new RegExp(
  `(?<![A-Z0-9])[A-Z]{2}\\d{2}(?:${between}?[A-Z0-9]){11,30}(?![A-Z0-9])`,
  'g',
)

/** ISO 13616-1 §6: with its start at its end and letters as numbers from 10, the rest by 97 is 1. */
function isAccount(text: string) {
  const [start, rest] = [text.slice(0, 4), text.slice(4)]
  let remainder = 0
  for (const character of rest + start)
    for (const digit of String(Number.parseInt(character, 36)))
      remainder = (remainder * 10 + Number(digit)) % 97
  return remainder === 1
}

const withoutAccounts = (text: string) =>
  text.replace(accounts, (found) => (isAccount(found.replace(/[^A-Z0-9]/g, '')) ? ' / ' : found))

/** Every number that some neighbouring groups of digits make together, up to the longest of cards. */
function* numbersOf(groups: readonly string[]) {
  for (let first = 0; first < groups.length; first++) {
    let digits = ''
    for (let last = first; last < groups.length && digits.length < longest; last++) {
      digits += groups[last]
      yield digits
    }
  }
}

/** Characters as they stand in an address (RFC 3986 §2.1), also when it stands in another one: `%20`, `%2520`. */
function unescaped(text: string): string {
  const plain = text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      // No UTF-8: it stands for something all the same.
      return ' '
    }
  })
  return plain === text ? text : unescaped(plain)
}

/**
 * True for a text in which somebody's card number stands, however it is grouped and whatever stands around
 * it: it belongs nowhere but in its own field. A number that no association issues, one with a wrong check
 * digit and the number of a bank account are none; nor is a part of a longer number.
 */
export const containsCardNumber = (text: string) => standsIn(text) || standsIn(unescaped(text))

const standsIn = (text: string) =>
  [...withoutAccounts(text.normalize('NFKC')).matchAll(groupsOfDigits)].some(([found]) =>
    [...numbersOf(found.split(/\D+/))].some(isCardNumber),
  )
