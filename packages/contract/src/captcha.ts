import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/**
 * A proof-of-work challenge, the ALTCHA scheme with base64: find `number` from 0 to `maxnumber` so that
 * SHA-256(salt + number) is `challenge`. The salt ends in `?expires=<unix seconds>`.
 */
export const captchaChallenge = z.object({
  algorithm: z.string(),
  salt: z.string(),
  challenge: z.string(),
  maxnumber: z.number(),
  signature: z.string(),
})
export type CaptchaChallenge = z.output<typeof captchaChallenge>

const part = z.string().check(z.maxLength(256))

/** The challenge as it was given, and the number found. */
export const captchaSolution = z.object(
  {
    algorithm: part,
    salt: part,
    challenge: part,
    signature: part,
    maxnumber: z.number(),
    number: z.int().check(z.minimum(0), z.maximum(limits.captchaMaxNumber)),
  },
  'form_verify_not_robot',
)
export type CaptchaSolution = z.output<typeof captchaSolution>

export const getCaptchaChallenge = endpoint('GET /guest/captcha/challenge', {
  summary: 'A new captcha challenge',
  access: 'public',
  answer: captchaChallenge,
})

/** When a challenge ends, in milliseconds since 1970; null when its salt does not say. */
export function captchaExpiry(challenge: { salt: string }) {
  const expires = /[?&]expires=(\d{1,12})(?:&|$)/.exec(challenge.salt)?.[1]
  return expires === undefined ? null : Number(expires) * 1000
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function fromBase64(text: string) {
  const bytes = new Uint8Array(Math.floor((text.replace(/=+$/, '').length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (const character of text.replace(/=+$/, '')) {
    held = (held << 6) | alphabet.indexOf(character)
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >> bits) & 255
  }
  return bytes
}

/**
 * The number from `first` to `last` (both included) that solves the challenge, or null. Takes the whole
 * time of the search: call it in a worker, where each worker can take a part of the range.
 */
export function solveCaptcha(
  challenge: { salt: string; challenge: string },
  first = 0,
  last: number = limits.captchaMaxNumber,
) {
  const wanted = fromBase64(challenge.challenge)
  const salt = new TextEncoder().encode(challenge.salt)
  const started = sha256.create().update(salt)
  const digits = new TextEncoder()
  for (let number = first; number <= last; number++) {
    const digest = started
      .clone()
      .update(digits.encode(String(number)))
      .digest()
    let place = 0
    while (place < 32 && digest[place] === wanted[place]) place++
    if (place === 32 && wanted.length === 32) return number
  }
  return null
}
