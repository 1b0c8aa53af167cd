import { passesLuhn } from './luhn.ts'

/** True if the first digits are in a range. Both ends of the range have equally many digits. */
export const startsInRange = (digits: string, from: string, to: string) => {
  const start = digits.slice(0, from.length)
  return start.length === from.length && start >= from && start <= to
}

/**
 * Lengths of the numbers in each range of first digits (ISO/IEC 7812): Visa, MasterCard, American
 * Express, troy, Diners Club, JCB, UnionPay, Discover and Maestro.
 */
const lengths: [from: string, to: string, digitCounts: number[]][] = [
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
    ([from, to, digitCounts]) =>
      digitCounts.includes(digits.length) && startsInRange(digits, from, to),
  ) && passesLuhn(digits)

/** Separators within one number: spaces, hyphens, dots and zero-width characters. */
const separator = '[\\s.\\-\\u2010-\\u2015\\u00b7_\\u200c\\u200d]'
const groupsOfDigits = new RegExp(`\\d+(?:${separator}{1,3}\\d+)*`, 'g')

/** An IBAN: a country, two check digits, and up to 30 characters (ISO 13616). */
const ibans = new RegExp(
  `(?<![A-Z0-9])[A-Z]{2}\\d{2}(?:${separator}?[A-Z0-9]){11,30}(?![A-Z0-9])`,
  'g',
)

/** ISO 13616-1 §6: with the first four characters last and letters as 10 to 35, modulo 97 is 1. */
function isIban(text: string) {
  const [start, rest] = [text.slice(0, 4), text.slice(4)]
  let remainder = 0
  for (const character of rest + start)
    for (const digit of String(Number.parseInt(character, 36)))
      remainder = (remainder * 10 + Number(digit)) % 97
  return remainder === 1
}

const removeIbans = (text: string) =>
  text.replace(ibans, (match) => (isIban(match.replace(/[^A-Z0-9]/g, '')) ? ' / ' : match))

/** Every number that consecutive groups of digits form, up to the longest card number. */
function* joinGroups(groups: readonly string[]) {
  for (let first = 0; first < groups.length; first++) {
    let digits = ''
    for (let last = first; last < groups.length && digits.length < longest; last++) {
      digits += groups[last]
      yield digits
    }
  }
}

/** How often an encoding may be repeated. Each round reads the whole text. */
const encodings = 4

/** Decodes percent-encoding (RFC 3986 §2.1), repeated encoding too: `%20`, `%2520`. */
function decodePercent(text: string): string {
  let plain = text
  for (let round = 0; round < encodings && plain.includes('%'); round++)
    plain = plain.replace(/(?:%[0-9a-f]{2})+/gi, decodeEscapes)
  return plain
}

function decodeEscapes(escaped: string) {
  try {
    return decodeURIComponent(escaped)
  } catch {
    // Text that is not UTF-8 still separates digits, as one or more characters would.
    return ' '
  }
}

/**
 * True for a text with a card number in it, in any grouping: a card number belongs only in its
 * own field. Not card numbers: one that no association issues, one with a wrong check digit, an
 * IBAN, a part of a longer number. Its time grows with the length of the text, so a schema checks
 * the length first.
 */
export const containsCardNumber = (text: string) =>
  hasPlainCardNumber(text) || hasPlainCardNumber(decodePercent(text))

const hasPlainCardNumber = (text: string) =>
  [...removeIbans(text.normalize('NFKC')).matchAll(groupsOfDigits)].some(([match]) =>
    [...joinGroups(match.split(/\D+/))].some(isCardNumber),
  )
