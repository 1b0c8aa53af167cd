import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { captchaExpiry, solveCaptcha } from './captcha.ts'
import { limits } from './limits.ts'

const salt = '00112233445566778899aabb?expires=1800000000'
const hiding = (number: number, of = salt) => ({
  salt: of,
  challenge: createHash('sha256').update(`${of}${number}`).digest('base64'),
})

describe('solveCaptcha', () => {
  it.each([0, 9, 10, 99, 100, 999, 1000, 9999, 10_000, 31_415, 49_999, 50_000])(
    'finds %i in the whole range',
    (number) => {
      expect(solveCaptcha(hiding(number))).toBe(number)
    },
  )

  it.each([0, 1, 40, 54, 55, 56, 63, 64, 65, 200])('solves a salt of %i bytes', (length) => {
    const long = 'x'.repeat(length)
    expect(solveCaptcha(hiding(1234, long), 1200, 1300)).toBe(1234)
  })

  it('encodes a salt as UTF-8', () => {
    expect(solveCaptcha(hiding(7, 'şifre'), 0, 20)).toBe(7)
  })

  it('searches a range with both its ends', () => {
    expect(solveCaptcha(hiding(100), 100, 110)).toBe(100)
    expect(solveCaptcha(hiding(110), 100, 110)).toBe(110)
    expect(solveCaptcha(hiding(99), 100, 110)).toBe(null)
    expect(solveCaptcha(hiding(111), 100, 110)).toBe(null)
  })

  it('is null if the number is above the maximum', () => {
    expect(solveCaptcha(hiding(limits.captchaMaxNumber + 1))).toBe(null)
  })

  it('is null for a part of a digest', () => {
    const { challenge } = hiding(5)
    const beginning = Buffer.from(challenge, 'base64').subarray(0, 16).toString('base64')
    expect(solveCaptcha({ salt, challenge: beginning }, 0, 10)).toBe(null)
    expect(solveCaptcha({ salt, challenge: '' }, 0, 10)).toBe(null)
  })

  it('throws for a challenge that is not base64', () => {
    expect(() => solveCaptcha({ salt, challenge: '%' }, 0, 10)).toThrow(DOMException)
  })
})

describe('captchaExpiry', () => {
  it('is the time in the salt, in milliseconds', () => {
    expect(captchaExpiry({ salt: 'ab?expires=1800000000' })).toBe(1_800_000_000_000)
    expect(captchaExpiry({ salt: 'ab?edk=1&expires=1800000000&x=2' })).toBe(1_800_000_000_000)
  })

  it('is null for a salt without a time', () => {
    expect(captchaExpiry({ salt: 'ab' })).toBe(null)
    expect(captchaExpiry({ salt: 'ab?expires=' })).toBe(null)
    expect(captchaExpiry({ salt: 'ab?expires=soon' })).toBe(null)
  })
})
