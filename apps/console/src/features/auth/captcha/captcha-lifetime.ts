import { captchaExpiry } from '@slipway/contract/captcha'
import { limits } from '@slipway/contract/limits'

/**
 * How long a challenge that came at `now` can be used, in milliseconds. By its salt, but never longer
 * than the service lets one live; and for that long when its end has passed already, for then it is the
 * clock of the device that is wrong.
 */
export function captchaLifetime(challenge: { salt: string }, now: number) {
  const left = (captchaExpiry(challenge) ?? Number.POSITIVE_INFINITY) - now
  return left > 0 ? Math.min(left, limits.captchaLifetime) : limits.captchaLifetime
}
