import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { isDomainName, isHostName } from './domain-name.ts'
import { isEmailAddress, isSignUpEmail } from './email.ts'
import {
  emailAddress,
  isStrongPassword,
  multilineText,
  newPassword,
  optionalDomain,
  signUpEmail,
  singleLineText,
} from './field-schemas.ts'
import { formMessage } from './form-messages.ts'
import { idInput } from './id.ts'

const message = (schema: z.ZodMiniType, value: unknown) => {
  const result = schema.safeParse(value)
  return result.success ? result.data : result.error.issues[0]?.message
}

describe('multilineText', () => {
  const text = multilineText('form_enter_message', 20)

  it('keeps line breaks as one character, and markup as plain text', () => {
    expect(message(text, '  one\r\ntwo\rthree\n ')).toBe('one\ntwo\nthree')
    expect(message(text, '<b>bold</b>')).toBe('<b>bold</b>')
  })

  it('removes control characters and lone surrogates', () => {
    expect(message(text, 'log \u001b[31mred\u0000')).toBe('log [31mred')
    expect(message(text, 'half \ud83d pair')).toBe('half \ufffd pair')
  })

  it('rejects text with too few visible characters', () => {
    for (const invalid of ['ab', '  a b  ', 'a\u200bb\u200b\u200b', '\n\n\n', 7, undefined])
      expect(message(text, invalid), String(invalid)).toBe('form_enter_message')
    expect(message(text, 'çok')).toBe('çok')
    expect(message(text, 'x'.repeat(21))).toBe('form_too_long')
  })
})

describe('singleLineText', () => {
  it('is trimmed before its length is checked', () => {
    const name = singleLineText('form_enter_name')
    expect(message(name, '  abc  ')).toBe('abc')
    expect(message(name, '  ab  ')).toBe('form_enter_name')
    expect(message(name, 'x'.repeat(101))).toBe('form_too_long')
    expect(message(name, 7)).toBe('form_enter_name')
    expect(message(name, undefined)).toBe('form_enter_name')
  })
})

/** Lower case in Unicode turns each into `kate@example.com` or `iris@example.com`. */
const foreignLetters = ['\u212aate@example.com', '\u0130ris@example.com', 'kate@e\uff38ample.com']

describe('an email address', () => {
  const invited = emailAddress('form_enter_invitation_email')

  it('has its letters A to Z in lower case', () => {
    expect(message(signUpEmail, ' Kate@Example.COM ')).toBe('kate@example.com')
    expect(message(invited, ' Kate+1@Example.COM ')).toBe('kate+1@example.com')
  })

  it.each(foreignLetters)('is rejected, not converted, with a foreign letter: %j', (email) => {
    expect(message(signUpEmail, email)).toBe('form_enter_email')
    expect(message(invited, email)).toBe('form_enter_invitation_email')
  })

  it.each([
    'x@example.com.',
    'x@.example.com',
    'x@münchen.example',
    'x@example\u3002com',
    'x@example.com\u200b',
  ])('has one spelling: %j is rejected', (email) => {
    expect(isEmailAddress(email)).toBe(false)
    expect(message(signUpEmail, email)).toBe('form_enter_email')
    expect(message(invited, email)).toBe('form_enter_invitation_email')
  })

  it('may have an internationalized domain in its ASCII form', () => {
    expect(message(signUpEmail, 'x@xn--mnchen-3ya.example')).toBe('x@xn--mnchen-3ya.example')
  })
})

describe('isSignUpEmail', () => {
  it.each([
    'ada@example.com',
    'a.b_c9@mail.example.co.uk',
    'x@a-b.io',
    'ada+shop@example.com',
    'ada-byron@example.com',
  ])('accepts %s', (email) => {
    expect(isSignUpEmail(email)).toBe(true)
  })
  it.each([
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'a!b@example.com',
    "o'hara@example.com",
    'ada@exa mple.com',
    'ada@-example.com',
    'ada@example.123',
    'ada@10.0.0.1',
    'Ada@example.com',
    'ç@example.com',
    `${'a'.repeat(65)}@example.com`,
    'ada@example.com\nbcc:x@example.com',
  ])('rejects %j', (email) => {
    expect(isSignUpEmail(email)).toBe(false)
  })
  it('signUpEmail converts an address to lower case', () => {
    expect(message(signUpEmail, ' Ada@Example.COM ')).toBe('ada@example.com')
  })
})

describe('isStrongPassword', () => {
  it.each(['Aa1!aaaa', 'Correct-horse7', 'Şifre_123', `Aa1!${'x'.repeat(60)}`])(
    'accepts %s',
    (value) => {
      expect(isStrongPassword(value)).toBe(true)
    },
  )
  it.each([
    ['too short', 'Aa1!aaa'],
    ['too long', `Aa1!${'x'.repeat(61)}`],
    ['no lower case', 'AA1!AAAA'],
    ['no upper case', 'aa1!aaaa'],
    ['no digit', 'Aa!!aaaa'],
    ['no symbol', 'Aa11aaaa'],
    ['a space for a symbol', 'Aa1 aaaa'],
  ])('rejects: %s', (_why, value) => {
    expect(isStrongPassword(value)).toBe(false)
    expect(message(newPassword, value)).toBe('form_enter_strong_password')
  })

  it('keeps and counts the blanks around a password', () => {
    expect(message(newPassword, ' Aa1!aaaa ')).toBe(' Aa1!aaaa ')
    expect(message(newPassword, ' Aa1!aaa')).toBe(' Aa1!aaa')
    expect(message(newPassword, ` Aa1!${'x'.repeat(60)}`)).toBe('form_enter_strong_password')
  })
})

describe('isDomainName', () => {
  it.each(['example.com', 'a.b.c.example.co', 'xn--kkta-1na.com', `${'a'.repeat(63)}.com`])(
    'accepts %s',
    (domain) => {
      expect(isDomainName(domain)).toBe(true)
    },
  )
  it.each([
    'http://example.com',
    'example.com/',
    'example.com:80',
    'example.com.',
    'example',
    '127.0.0.1',
    '1.2.3.0x7f',
    '[::1]',
    'exa_mple.com',
    'köşk.com',
    'EXAMPLE.com',
    '.example.com',
    'a..b.com',
    `${'a.'.repeat(126)}abc`,
  ])('rejects %s', (domain) => {
    expect(isDomainName(domain)).toBe(false)
  })
  it('optionalDomain is null for an empty value', () => {
    const domain = optionalDomain('form_enter_domain')
    for (const empty of ['', '  ', null, undefined]) expect(message(domain, empty)).toBeNull()
    expect(message(domain, ' WWW.Example.com ')).toBe('www.example.com')
    expect(message(domain, 'https://example.com')).toBe('form_enter_domain')
  })
  it('isHostName accepts at most 253 characters', () => {
    const label = 'a'.repeat(61)
    expect(isHostName(`${label}.${label}.${label}.${label}.co`.padEnd(253, 'm'))).toBe(true)
    expect(isHostName(`${label}.${label}.${label}.${label}.co`.padEnd(254, 'm'))).toBe(false)
  })
})

describe('idInput', () => {
  it('is the nil UUID for a malformed id', () => {
    const id = idInput<'Team'>('form_select_team')
    const nil = '00000000-0000-0000-0000-000000000000'
    expect(message(id, 'nonsense')).toBe(nil)
    expect(message(id, "1' or '1'='1")).toBe(nil)
    const known = '01A1FA60-A84F-7750-89D9-1CFF8658AE14'
    expect(message(id, known)).toBe(known.toLowerCase())
    expect(message(id, '')).toBe('form_select_team')
  })
})

describe('formMessage', () => {
  it('is "form_invalid" for a text that is not a key', () => {
    expect(formMessage('Invalid input: expected string')).toBe('form_invalid')
    expect(formMessage('form_enter_email')).toBe('form_enter_email')
  })
})
