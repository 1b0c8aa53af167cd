import { hour, minute } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { staleLogins } from './login-state.ts'

const now = Date.parse('2026-11-01T12:00:00Z')
const recordFrom = (timestamp: number) => JSON.stringify({ timestamp })

describe('staleLogins', () => {
  it('keeps logins for an hour, so that a late return is reported as expired', () => {
    const stored = new Map([
      ['now', recordFrom(now)],
      ['late', recordFrom(now - 6 * minute)],
      ['yesterday', recordFrom(now - hour - 1)],
      ['tomorrow', recordFrom(now + hour + 1)],
    ])
    expect(staleLogins(stored, now)).toEqual(['yesterday', 'tomorrow'])
  })

  it('keeps at most ten logins with the new one and drops the oldest', () => {
    const ages = [3, 11, 1, 9, 2, 10, 4, 8, 5, 7, 6]
    const stored = new Map(ages.map((age) => [`${age}`, recordFrom(now - age * minute)]))
    expect(staleLogins(stored, now)).toEqual(['11', '10'])
  })

  it('drops unreadable records', () => {
    expect(staleLogins(new Map([['broken', '{']]), now)).toEqual(['broken'])
  })
})
