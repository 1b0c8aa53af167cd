import { describe, expect, it } from 'vitest'
import { caaPermits } from './domains.caa.ts'

const issuers = ['letsencrypt.org', 'pki.goog']
const issue = (value: string) => ({ tag: 'issue', value })

describe('CAA records', () => {
  it.each([
    ['no record', []],
    ['one of the authorities', [issue('letsencrypt.org')]],
    ['an authority in another case', [{ tag: 'ISSUE', value: 'LetsEncrypt.ORG' }]],
    ['an authority beside another', [issue('ca.example'), issue('pki.goog')]],
    ['an authority beside a prohibition', [issue(';'), issue('pki.goog')]],
    [
      'an authority for an account, which only the authority knows',
      [issue('letsencrypt.org; accounturi=https://acme.example/acct/1')],
    ],
    [
      'an authority with our way of validation',
      [issue('letsencrypt.org;validationmethods=dns-01,http-01')],
    ],
    ['reports only', [{ tag: 'iodef', value: 'mailto:security@example.com' }]],
    ['wildcards only, which we do not have', [{ tag: 'issuewild', value: ';' }]],
    ['an unknown property', [{ tag: 'future', value: 'x' }]],
    ['a critical property that is known', [{ ...issue('pki.goog'), flags: 128 }]],
  ])('permit %s', (_, records) => {
    expect(caaPermits(records, issuers)).toBe(true)
  })

  it.each([
    ['other authorities', [issue('ca.example')]],
    ['names below an authority', [issue('sub.letsencrypt.org')]],
    ['every authority', [issue(';')]],
    ['every authority, with blanks', [issue('  ')]],
    ['a malformed authority', [issue('letsencrypt.org%')]],
    ['malformed parameters', [issue('letsencrypt.org; accounturi')]],
    ['another way of validation', [issue('letsencrypt.org; validationmethods=dns-01')]],
    [
      'an unknown critical property',
      [issue('letsencrypt.org'), { tag: 'future', value: 'x', flags: 128 }],
    ],
  ])('forbid %s', (_, records) => {
    expect(caaPermits(records, issuers)).toBe(false)
  })
})
