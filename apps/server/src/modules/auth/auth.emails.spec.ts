import { describe, expect, it } from 'vitest'
import { noPasswordEmail, tokenEmail } from './auth.emails.ts'

describe('a letter of an account', () => {
  it('makes no address of the name, which a stranger may have given', () => {
    const given = {
      locale: 'en',
      user: { name: 'https://evil.example/win', createdAt: new Date(0), loginKind: 'Google' },
      publicUrl: 'https://console.example.com',
      token: 'token',
    } as const
    const letters = [tokenEmail('verify', given), tokenEmail('reset', given)]
    for (const { paragraphs } of [...letters, noPasswordEmail(given)]) {
      expect(paragraphs[0]?.replaceAll('\u200a', '')).toBe('Hello https://evil.example/win,')
      expect(paragraphs.join('\n')).not.toMatch(/https:\/\/evil|evil\.example/)
    }
  })
})
