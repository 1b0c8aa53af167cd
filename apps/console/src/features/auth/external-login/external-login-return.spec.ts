import { hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { checkExternalLogin } from './external-login-return.ts'

const state = '0123456789abcdef0123456789abcdef'
const other = 'fedcba9876543210fedcba9876543210'
const startedAt = Date.parse('2026-11-01T12:00:00Z')
const record = (changes = {}) => JSON.stringify({ timestamp: startedAt, ...changes })
const stored = (text = record()) => new Map([[state, text]])
const query = (parameters: Record<string, string> = { state, token: 'secret' }) =>
  new URLSearchParams(parameters)

describe('checkExternalLogin', () => {
  it('returns the code, the state and the path to open', () => {
    expect(checkExternalLogin(stored(), query(), startedAt + second)).toEqual({
      code: 'secret',
      state,
    })
    expect(checkExternalLogin(stored(record({ next: '/teams' })), query(), startedAt)).toEqual({
      code: 'secret',
      state,
      next: '/teams',
    })
  })

  it('finds the record of each of several concurrent logins', () => {
    const logins = new Map([
      [state, record({ next: '/teams' })],
      [other, record({ timestamp: startedAt + minute, next: '/projects' })],
    ])
    expect(checkExternalLogin(logins, query(), startedAt + 2 * minute)).toHaveProperty(
      'next',
      '/teams',
    )
    expect(
      checkExternalLogin(logins, query({ state: other, token: 'b' }), startedAt + 2 * minute),
    ).toHaveProperty('next', '/projects')
  })

  it('rejects a login that this device did not start', () => {
    expect(checkExternalLogin(new Map(), query(), startedAt)).toEqual({ error: 'state_not_found' })
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
  ])('rejects the stored record %j', (text) => {
    expect(checkExternalLogin(stored(text), query(), startedAt)).toEqual({ error: 'invalid_state' })
  })

  it('ignores an unreadable record of another login', () => {
    const logins = new Map([[other, '{'], ...stored()])
    expect(checkExternalLogin(logins, query(), startedAt)).toHaveProperty('code')
  })

  it('accepts a login for five minutes', () => {
    expect(checkExternalLogin(stored(), query(), startedAt + 5 * minute)).toHaveProperty('code')
    expect(checkExternalLogin(stored(), query(), startedAt + 5 * minute + 1)).toEqual({
      error: 'expired_state',
    })
  })

  it('tolerates a clock that was set back by up to a minute', () => {
    expect(checkExternalLogin(stored(), query(), startedAt - minute)).toHaveProperty('code')
    expect(checkExternalLogin(stored(), query(), startedAt - minute - 1)).toEqual({
      error: 'expired_state',
    })
  })

  it('accepts a clock that is an hour off and rejects one that jumped by an hour', () => {
    const recordFromFastClock = stored(record({ timestamp: startedAt + hour }))
    expect(
      checkExternalLogin(recordFromFastClock, query(), startedAt + hour + second),
    ).toHaveProperty('code')
    expect(checkExternalLogin(stored(), query(), startedAt + hour)).toEqual({
      error: 'expired_state',
    })
    expect(checkExternalLogin(stored(), query(), startedAt - hour)).toEqual({
      error: 'expired_state',
    })
  })

  it.each([
    ['another state', query({ state: other, token: 'secret' })],
    ['no state', query({ token: 'secret' })],
    ['the state twice', new URLSearchParams(`state=${state}&state=${state}&token=secret`)],
  ])('rejects a query with %s', (_, parameters) => {
    expect(checkExternalLogin(stored(), parameters, startedAt)).toEqual({
      error: 'mismatched_state',
    })
  })

  it.each([
    ['no token', query({ state })],
    ['an empty token', query({ state, token: '' })],
    ['two tokens', new URLSearchParams(`state=${state}&token=a&token=b`)],
  ])('rejects a query with %s and keeps the path to open', (_, parameters) => {
    expect(checkExternalLogin(stored(record({ next: '/teams' })), parameters, startedAt)).toEqual({
      error: 'missing_token_in_query',
      next: '/teams',
    })
  })

  it('returns the first of several errors', () => {
    const queryWithoutToken = query({ state })
    expect(checkExternalLogin(new Map(), queryWithoutToken, startedAt + hour)).toEqual({
      error: 'state_not_found',
    })
    expect(checkExternalLogin(stored('{}'), query({}), startedAt)).toEqual({
      error: 'mismatched_state',
    })
    expect(checkExternalLogin(stored('{}'), queryWithoutToken, startedAt + hour)).toEqual({
      error: 'invalid_state',
    })
    expect(checkExternalLogin(stored(), queryWithoutToken, startedAt + hour)).toEqual({
      error: 'expired_state',
    })
  })
})
