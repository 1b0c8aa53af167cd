import { hour, minute } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { staleLogins } from './login-state.ts'

const now = Date.parse('2026-11-01T12:00:00Z')
const recordFrom = (timestamp: number) => JSON.stringify({ timestamp })

describe('staleLogins', () => {
  it('drops logins more than an hour away from now, and keeps one that expired recently', () => {
    const stored = new Map([
      ['now', recordFrom(now)],
      ['expired', recordFrom(now - 6 * minute)],
      ['too old', recordFrom(now - hour - 1)],
      ['in the future', recordFrom(now + hour + 1)],
    ])
    expect(staleLogins(stored, now)).toEqual(['too old', 'in the future'])
  })

  it('keeps the nine newest logins, so that the new one is the tenth', () => {
    const ages = [3, 11, 1, 9, 2, 10, 4, 8, 5, 7, 6]
    const stored = new Map(ages.map((age) => [`${age}`, recordFrom(now - age * minute)]))
    expect(staleLogins(stored, now)).toEqual(['11', '10'])
  })

  it('drops unreadable records', () => {
    expect(staleLogins(new Map([['broken', '{']]), now)).toEqual(['broken'])
  })
})
