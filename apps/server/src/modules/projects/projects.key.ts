import { randomInt } from 'node:crypto'

const letters: Record<string, string> = { ı: 'i', ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l' }
/** No vowels and no look-alikes: six of these spell no word and are not misread. */
const alphabet = 'bcdfghjkmnpqrstvwxz23456789'
const suffixLength = 6
/** A DNS label has at most 63 characters (RFC 1035 §2.3.4). */
const slugLength = 63 - 1 - suffixLength

/** The name in the letters of a host name: `Gümüş Kaşık` is `gumus-kasik`; empty when none remain. */
const slug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[ıßæøđł]/g, (letter) => letters[letter] ?? '')
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLength)
    .replace(/^-+|-+$/g, '')

/** A new key for a project of that name: a DNS label of the name and six random characters. */
export function newKey(name: string) {
  let suffix = ''
  while (suffix.length < suffixLength) suffix += alphabet[randomInt(alphabet.length)]
  return `${slug(name) || 'site'}-${suffix}`
}
