import type { UserId } from '@slipway/contract/account'
import { describe, expect, it } from 'vitest'
import { hasRemovals } from './team-removals.ts'

const createdAt = '2026-11-20T10:00:00.000Z'
const user = (name: string) => ({ id: name as UserId, name, username: name, createdAt })
const invited = (email: string) => ({ email, createdAt })
const team = { users: [user('alan')], invited: [invited('mary@example.com')] }

describe('hasRemovals', () => {
  it('is true after an invitation is accepted or canceled, or a user is removed', () => {
    for (const now of [
      { users: [...team.users, user('mary')], invited: [] },
      { ...team, invited: [] },
      { ...team, users: [] },
    ])
      expect(hasRemovals(team, now)).toBe(true)
  })

  it('is false after additions and without changes', () => {
    expect(
      hasRemovals(team, { ...team, invited: [invited('new@example.com'), ...team.invited] }),
    ).toBe(false)
    expect(hasRemovals(team, { ...team, users: [user('new'), ...team.users] })).toBe(false)
    expect(hasRemovals(team, team)).toBe(false)
  })
})
