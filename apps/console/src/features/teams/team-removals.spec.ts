import type { UserId } from '@slipway/contract/account'
import { describe, expect, it } from 'vitest'
import { hasRemovals } from './team-removals.ts'

const createdAt = '2026-11-20T10:00:00.000Z'
const user = (name: string) => ({ id: name as UserId, name, username: name, createdAt })
const invited = (email: string) => ({ email, createdAt })
const team = { users: [user('alan')], invited: [invited('mary@example.com')] }

describe('somebodyGone', () => {
  it('is true when an invitation was accepted or cancelled, and when somebody was removed', () => {
    for (const now of [
      { users: [...team.users, user('mary')], invited: [] },
      { ...team, invited: [] },
      { ...team, users: [] },
    ])
      expect(hasRemovals(team, now)).toBe(true)
  })

  it('is false when people came, and when all is as it was', () => {
    expect(
      hasRemovals(team, { ...team, invited: [invited('new@example.com'), ...team.invited] }),
    ).toBe(false)
    expect(hasRemovals(team, { ...team, users: [user('new'), ...team.users] })).toBe(false)
    expect(hasRemovals(team, team)).toBe(false)
  })
})
