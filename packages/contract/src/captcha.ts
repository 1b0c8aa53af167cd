import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { FormMessage } from './form-messages.ts'
import { limits } from './limits.ts'

/**
 * A proof-of-work challenge, the ALTCHA scheme with base64: find `number` from 0 to `maxnumber`
 * so that SHA-256(salt + number) is `challenge`. The salt ends in `?expires=<unix seconds>`.
 */
export const captchaChallenge = z.object({
  algorithm: z.string(),
  salt: z.string(),
  challenge: z.string(),
  maxnumber: z.number(),
  signature: z.string(),
})
export type CaptchaChallenge = z.output<typeof captchaChallenge>

const unsolved = 'form_verify_not_robot' satisfies FormMessage
// Pure, so that tree shaking removes the schemas from the worker's bundle.
const part = /* @__PURE__ */ z.string(unsolved).check(z.maxLength(256, unsolved))

/** The challenge as received, and the number that solves it. */
export const captchaSolution = z.object(
  {
    algorithm: part,
    salt: part,
    challenge: part,
    signature: part,
    maxnumber: z.number(unsolved),
    number: /* @__PURE__ */ z
      .int(unsolved)
      .check(z.minimum(0, unsolved), z.maximum(limits.captchaMaxNumber, unsolved)),
  },
  unsolved,
)
export type CaptchaSolution = z.output<typeof captchaSolution>

export const getCaptchaChallenge = endpoint('GET /guest/captcha/challenge', {
  summary: 'Create a captcha challenge',
  access: 'public',
  response: captchaChallenge,
})

/** When a challenge expires, in milliseconds since 1970; null if its salt has no time. */
export function captchaExpiry(challenge: { salt: string }) {
  const expires = /[?&]expires=(\d{1,12})(?:&|$)/.exec(challenge.salt)?.[1]
  return expires === undefined ? null : Number(expires) * 1000
}

const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/**
 * The number from `first` to `last`, both included, that solves the challenge; null if none does.
 * Blocks until then: call it in workers, each with a part of the range. Throws a DOMException for a
 * challenge that is not base64.
 */
export function solveCaptcha(
  challenge: { salt: string; challenge: string },
  first = 0,
  last: number = limits.captchaMaxNumber,
) {
  const expected = fromBase64(challenge.challenge)
  const salted = sha256.create().update(new TextEncoder().encode(challenge.salt))
  // The loop reuses its buffers, which makes it three times as fast.
  const hash = salted.clone()
  const digest = new Uint8Array(hash.outputLen)
  const digits = new Uint8Array(String(last).length)
  for (let number = first; number <= last; number++) {
    // Writes the number in ASCII digits (48 is '0').
    let start = digits.length
    let rest = number
    do {
      digits[--start] = 48 + (rest % 10)
      rest = Math.trunc(rest / 10)
    } while (rest > 0)
    // Restores the salted state without allocating.
    salted._cloneInto(hash)
    hash.update(digits.subarray(start)).digestInto(digest)
    if (digest[0] === expected[0] && isSame(digest, expected)) return number
  }
  return null
}
