import { isHostName } from './domain-name.ts'
import { limits } from './limits.ts'

/**
 * An address as accounts compare it: only A-Z are lowercased. Unicode's case mapping would turn
 * other characters into ASCII letters, such as the Kelvin sign into `k`, and merge two addresses.
 */
export const lowercaseEmail = (value: string) =>
  value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** True for an address that can sign up: `[a-z0-9._+-]+` at a host name. */
export function isSignUpEmail(value: string) {
  if (value.length > limits.emailMax) return false
  const atIndex = value.lastIndexOf('@')
  return (
    atIndex > 0 &&
    atIndex <= 64 &&
    /^[a-z0-9._+-]+$/.test(value.slice(0, atIndex)) &&
    isHostName(value.slice(atIndex + 1))
  )
}

/**
 * True for an address that email can be sent to: a lowercase dot-atom at a host name (RFC 5321
 * §4.1.2). ASCII only, because addresses with I, İ and ı look alike; an internationalized domain is
 * written with `xn--`. So each account has one spelling.
 */
export function isEmailAddress(value: string) {
  if (value.length > limits.emailMax) return false
  const atIndex = value.lastIndexOf('@')
  return (
    atIndex > 0 &&
    atIndex <= 64 &&
    /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(
      value.slice(0, atIndex),
    ) &&
    isHostName(value.slice(atIndex + 1))
  )
}
