import { hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { checkExternalLogin } from './external-login-return.ts'

const state = '0123456789abcdef0123456789abcdef'
const other = 'fedcba9876543210fedcba9876543210'
const begun = Date.parse('2026-11-01T12:00:00Z')
const record = (changes = {}) => JSON.stringify({ timestamp: begun, ...changes })
const stored = (text = record()) => new Map([[state, text]])
const query = (given: Record<string, string> = { state, token: 'secret' }) =>
  new URLSearchParams(given)

describe('the return of an outside login', () => {
  it('gives the token, and where to go', () => {
    expect(checkExternalLogin(stored(), query(), begun + second)).toEqual({ token: 'secret' })
    expect(checkExternalLogin(stored(record({ next: '/teams' })), query(), begun)).toEqual({
      token: 'secret',
      next: '/teams',
    })
  })

  it('is one of several that are under way, each with its own record', () => {
    const logins = new Map([
      [state, record({ next: '/teams' })],
      [other, record({ timestamp: begun + minute, next: '/projects' })],
    ])
    expect(checkExternalLogin(logins, query(), begun + 2 * minute)).toHaveProperty('next', '/teams')
    expect(
      checkExternalLogin(logins, query({ state: other, token: 'b' }), begun + 2 * minute),
    ).toHaveProperty('next', '/projects')
  })

  it('is refused where none was begun', () => {
    expect(checkExternalLogin(new Map(), query(), begun)).toEqual({ error: 'state_not_found' })
  })

  it.each([
    '',
    'null',
    '"text"',
    '{}',
    '{"timestamp":',
    record({ timestamp: '1' }),
    record({ timestamp: null }),
    record({ next: 1 }),
  ])('is refused where the record reads %j', (text) => {
    expect(checkExternalLogin(stored(text), query(), begun)).toEqual({ error: 'invalid_state' })
  })

  it('does not mind that the record of another one cannot be read', () => {
    const logins = new Map([[other, '{'], ...stored()])
    expect(checkExternalLogin(logins, query(), begun)).toHaveProperty('token')
  })

  it('is accepted for five minutes', () => {
    expect(checkExternalLogin(stored(), query(), begun + 5 * minute)).toHaveProperty('token')
    expect(checkExternalLogin(stored(), query(), begun + 5 * minute + 1)).toEqual({
      error: 'expired_state',
    })
  })

  it('bears a clock that was set back by up to a minute meanwhile', () => {
    expect(checkExternalLogin(stored(), query(), begun - minute)).toHaveProperty('token')
    expect(checkExternalLogin(stored(), query(), begun - minute - 1)).toEqual({
      error: 'expired_state',
    })
  })

  it('does not mind a clock that is an hour off, only one that jumped by an hour', () => {
    const off = stored(record({ timestamp: begun + hour }))
    expect(checkExternalLogin(off, query(), begun + hour + second)).toHaveProperty('token')
    expect(checkExternalLogin(stored(), query(), begun + hour)).toEqual({ error: 'expired_state' })
    expect(checkExternalLogin(stored(), query(), begun - hour)).toEqual({ error: 'expired_state' })
  })

  it.each([
    ['another state', query({ state: other, token: 'secret' })],
    ['no state', query({ token: 'secret' })],
    ['the state twice', new URLSearchParams(`state=${state}&state=${state}&token=secret`)],
  ])('is refused with %s', (_, given) => {
    expect(checkExternalLogin(stored(), given, begun)).toEqual({ error: 'mismatched_state' })
  })

  it.each([
    ['no token', query({ state })],
    ['an empty token', query({ state, token: '' })],
    ['two tokens', new URLSearchParams(`state=${state}&token=a&token=b`)],
  ])('is refused with %s, and says what was wanted', (_, given) => {
    expect(checkExternalLogin(stored(record({ next: '/teams' })), given, begun)).toEqual({
      error: 'missing_token_in_query',
      next: '/teams',
    })
  })

  it('names the first of several things that are wrong', () => {
    const bare = query({ state })
    expect(checkExternalLogin(new Map(), bare, begun + hour)).toEqual({ error: 'state_not_found' })
    expect(checkExternalLogin(stored('{}'), query({}), begun)).toEqual({
      error: 'mismatched_state',
    })
    expect(checkExternalLogin(stored('{}'), bare, begun + hour)).toEqual({ error: 'invalid_state' })
    expect(checkExternalLogin(stored(), bare, begun + hour)).toEqual({ error: 'expired_state' })
  })
})
