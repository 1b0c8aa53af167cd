import { dictionary } from '@zxcvbn-ts/language-common'

/** The 49,000 most common passwords of public leaks, in lower case. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/**
 * True for a common password in any case, also with digits and symbols around it that are no longer
 * than itself: `Password1!` satisfies the rule of a strong password and is guessed early.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  const core = lower.replace(/^\P{L}+/u, '').replace(/\P{L}+$/u, '')
  return common.has(lower) || (2 * core.length >= lower.length && common.has(core))
}
