import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * The 49,000 most common passwords of public leaks, in lower case: a JSON array, searched as text.
 * Parsed, its strings would take 25 MB instead of 0.4.
 */
const common = readFileSync(
  require.resolve('@zxcvbn-ts/language-common/src/passwords.json'),
  'utf8',
)

const isListed = (password: string) => common.includes(JSON.stringify(password))

/**
 * True for a common password, in any case and with up to its own length of digits and symbols
 * around it: `Password1!` satisfies the password rule, but is guessed early.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  const core = lower.replace(/^\P{L}+/u, '').replace(/\P{L}+$/u, '')
  return isListed(lower) || (2 * core.length >= lower.length && isListed(core))
}
