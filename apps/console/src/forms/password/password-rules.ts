import { limits } from '@slipway/contract/limits'

/** The parts of `isStrongPassword`, so that a form can name the missing ones. */
export const passwordRules = {
  length: (value: string) =>
    value.length >= limits.passwordMin && value.length <= limits.passwordMax,
  lower: (value: string) => /\p{Ll}/u.test(value),
  upper: (value: string) => /\p{Lu}/u.test(value),
  digit: (value: string) => /\d/.test(value),
  symbol: (value: string) => /[^\p{L}\d\s]/u.test(value),
}

export type PasswordRule = keyof typeof passwordRules

/** Checks each rule against the trimmed password. */
export function checkPassword(value: string) {
  const rules = Object.keys(passwordRules) as PasswordRule[]
  return rules.map((rule) => ({ rule, met: passwordRules[rule](value.trim()) }))
}
