import { isStrongPassword } from '@slipway/contract/field-schemas'
import { describe, expect, it } from 'vitest'
import { isCommonPassword } from './auth.common-passwords.ts'

describe('isCommonPassword', () => {
  it.each([
    'P@ssw0rd',
    '1qaz!QAZ',
    'Password1!',
    'Qwerty123!',
    'Welcome1!',
    '#1Dragon',
    'Admin@123',
  ])('is true for %s, which satisfies the rule of a strong password', (password) => {
    expect(isStrongPassword(password)).toBe(true)
    expect(isCommonPassword(password)).toBe(true)
  })

  it.each(['123456', 'password', 'iloveyou', 'qwertyuiop', 'PASSWORD'])(
    'is true for %s',
    (password) => {
      expect(isCommonPassword(password)).toBe(true)
    },
  )

  it.each(['Correct-horse7', 'Love!7429#5108', 'Aa1!aaaaQ', 'Şifre_123x', '!!!!1111Aa'])(
    'is false for %s',
    (password) => {
      expect(isCommonPassword(password)).toBe(false)
    },
  )
})
