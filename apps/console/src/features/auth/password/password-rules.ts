import { limits } from '@slipway/contract/limits'

/** The parts of `isStrongPassword`, so that a form can say which one is still missing. */
export const passwordRules = {
  length: (value: string) =>
    value.length >= limits.passwordMin && value.length <= limits.passwordMax,
  lower: (value: string) => /\p{Ll}/u.test(value),
  upper: (value: string) => /\p{Lu}/u.test(value),
  digit: (value: string) => /\d/.test(value),
  symbol: (value: string) => /[^\p{L}\d\s]/u.test(value),
}

export type PasswordRule = keyof typeof passwordRules

/** Each rule, and whether a password keeps it; trimmed first, as the forms do. */
export function checkPassword(value: string) {
  const rules = Object.keys(passwordRules) as PasswordRule[]
  return rules.map((rule) => ({ rule, met: passwordRules[rule](value.trim()) }))
}
