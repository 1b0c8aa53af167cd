import { isStrongPassword } from '@slipway/contract/field-schemas'
import { describe, expect, it } from 'vitest'
import { checkPassword } from './password-rules.ts'

const missing = (value: string) =>
  checkPassword(value)
    .filter(({ met }) => !met)
    .map(({ rule }) => rule)

describe('checkPassword', () => {
  it.each([
    ['', ['length', 'lower', 'upper', 'digit', 'symbol']],
    ['passw0rd!', ['upper']],
    ['PASSW0RD!', ['lower']],
    ['Password!', ['digit']],
    ['Passw0rdd', ['symbol']],
    ['Passw0rd ', ['symbol']],
    ['Pass w0rd', ['symbol']],
    ['Pw0rd!', ['length']],
    [`Pw0!${'x'.repeat(61)}`, ['length']],
    ['Passw0rd!', []],
    ['  Passw0rd!  ', []],
    ['Şifre123!', []],
    ['Passw0rd_', []],
  ])('reports for "%s" the unmet rules %j', (value, rules) => {
    expect(missing(value)).toEqual(rules)
  })

  it.each([
    '',
    'Pw0rd!',
    'Passw0rd',
    'Passw0rd!',
    'password1!',
    'PASSWORD1!',
    'Password!',
    'ŞİFRE123!',
    'şifre123!',
    'Şifre123!',
    'Passw0rd\t',
    'Aa1!Aa1!',
    'Aa1!Aa1',
    'Aa1😀aaaa',
    '1234567!',
    `Pw0!${'x'.repeat(60)}`,
    `Pw0!${'x'.repeat(61)}`,
  ])('meets every rule exactly when the contract accepts "%s"', (value) => {
    expect(missing(value).length === 0).toBe(isStrongPassword(value.trim()))
  })
})
