import { captchaExpiry } from '@slipway/contract/captcha'
import { limits } from '@slipway/contract/limits'

/**
 * How long a challenge received at `now` is valid, in milliseconds: until the expiry in its salt,
 * at most the service's lifetime. An expiry in the past means a wrong device clock, so the full
 * lifetime applies.
 */
export function captchaLifetime(challenge: { salt: string }, now: number) {
  const remaining = (captchaExpiry(challenge) ?? Number.POSITIVE_INFINITY) - now
  return remaining > 0 ? Math.min(remaining, limits.captchaLifetime) : limits.captchaLifetime
}
