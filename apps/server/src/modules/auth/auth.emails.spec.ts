import { describe, expect, it } from 'vitest'
import { noPasswordEmail, tokenEmail } from './auth.emails.ts'

describe('the emails of an account', () => {
  it('do not turn a name chosen by a stranger into a link', () => {
    const input = {
      locale: 'en',
      user: { name: 'https://evil.example/win', createdAt: new Date(0), loginKind: 'Google' },
      publicUrl: 'https://console.example.com',
      token: 'token',
    } as const
    const emails = [tokenEmail('verify', input), tokenEmail('reset', input), noPasswordEmail(input)]
    for (const { paragraphs } of emails) {
      expect(paragraphs[0]?.replaceAll('\u200a', '')).toBe('Hello https://evil.example/win,')
      expect(paragraphs.join('\n')).not.toMatch(/https:\/\/evil|evil\.example/)
    }
  })
})
