import { limits, minute } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { captchaLifetime } from './captcha-lifetime.ts'

const now = 1_800_000_000_000
const endingIn = (time: number) => ({ salt: `aa?expires=${(now + time) / 1000}` })

describe('captchaLifetime', () => {
  it('lasts until the time in the salt', () => {
    expect(captchaLifetime(endingIn(2 * minute), now)).toBe(2 * minute)
  })

  it('is the service’s lifetime when the salt has no expiry', () => {
    expect(captchaLifetime({ salt: 'aa' }, now)).toBe(limits.captchaLifetime)
  })

  it('is at most the service’s lifetime when the device clock is an hour behind', () => {
    expect(captchaLifetime(endingIn(65 * minute), now)).toBe(limits.captchaLifetime)
  })

  it('is the service’s lifetime when the device clock is an hour ahead', () => {
    expect(captchaLifetime(endingIn(-55 * minute), now)).toBe(limits.captchaLifetime)
  })
})
