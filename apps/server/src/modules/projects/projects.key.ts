import { randomInt } from 'node:crypto'
import { keySuffixLength, projectSlug } from '@slipway/contract/project-slug'

/** No vowels and no look-alikes: six of these spell no word and are easy to read. */
const alphabet = 'bcdfghjkmnpqrstvwxz23456789'
/** A new project key: a DNS label of the name's slug and six random characters. */
export function newKey(name: string) {
  let suffix = ''
  while (suffix.length < keySuffixLength) suffix += alphabet[randomInt(alphabet.length)]
  return `${projectSlug(name)}-${suffix}`
}

/** False for a text that cannot be a key; PostgreSQL rejects text with a NUL. */
export const isKey = (text: string) => /^[a-z0-9-]{1,63}$/.test(text)
