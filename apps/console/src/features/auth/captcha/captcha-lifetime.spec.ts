import { limits, minute } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { captchaLifetime } from './captcha-lifetime.ts'

const now = 1_800_000_000_000
const endingIn = (time: number) => ({ salt: `aa?expires=${(now + time) / 1000}` })

describe('captchaLifetime', () => {
  it('lasts until the time in the salt', () => {
    expect(captchaLifetime(endingIn(2 * minute), now)).toBe(2 * minute)
  })

  it('lasts as long as the service lets a challenge live when the salt does not say', () => {
    expect(captchaLifetime({ salt: 'aa' }, now)).toBe(limits.captchaLifetime)
  })

  it('never lasts longer, with a clock that is an hour behind', () => {
    expect(captchaLifetime(endingIn(65 * minute), now)).toBe(limits.captchaLifetime)
  })

  it('does not end before it began, with a clock that is an hour ahead', () => {
    expect(captchaLifetime(endingIn(-55 * minute), now)).toBe(limits.captchaLifetime)
  })
})
