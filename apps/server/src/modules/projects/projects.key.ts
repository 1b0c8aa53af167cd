import { randomInt } from 'node:crypto'

const letters: Record<string, string> = { ı: 'i', ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l' }
/** No vowels and no look-alikes: six of these spell no word and are easy to read. */
const alphabet = 'bcdfghjkmnpqrstvwxz23456789'
const suffixLength = 6
/** A DNS label has at most 63 characters (RFC 1035 §2.3.4). */
const slugLength = 63 - 1 - suffixLength

/** The name as part of a DNS label: `Gümüş Kaşık` is `gumus-kasik`. Empty when nothing is left. */
const slug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[ıßæøđł]/g, (letter) => letters[letter] ?? '')
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLength)
    .replace(/^-+|-+$/g, '')

/** A new project key: a DNS label of the name's slug and six random characters. */
export function newKey(name: string) {
  let suffix = ''
  while (suffix.length < suffixLength) suffix += alphabet[randomInt(alphabet.length)]
  return `${slug(name) || 'site'}-${suffix}`
}

/** False for a text that cannot be a key; PostgreSQL rejects text with a NUL. */
export const isKey = (text: string) => /^[a-z0-9-]{1,63}$/.test(text)
