import { describe, expect, it } from 'vitest'
import { invitedEmail } from './invited-email.ts'

describe('invitedEmail', () => {
  it('is the address in the emailed link', () => {
    expect(invitedEmail('/teams/invitations?email=ada%40example.com')).toBe('ada@example.com')
    expect(invitedEmail('/teams/invitations?email=a%2Bb%40example.com#top')).toBe('a+b@example.com')
  })

  it.each([
    undefined,
    '/',
    '/teams/invitations',
    '/teams/invitations?email=',
    '/teams/invitations?email=Your account is locked',
    '/teams/invitations#?email=ada@example.com',
    '/projects?email=ada@example.com',
    '//teams/invitations?email=ada@example.com',
  ])('is null for %s', (next) => {
    expect(invitedEmail(next)).toBeNull()
  })
})
