import { hour, minute, second } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { checkReturn } from './external-login-return.ts'

const state = '0123456789abcdef0123456789abcdef'
const begun = Date.parse('2026-11-01T12:00:00Z')
const record = (changes = {}) => JSON.stringify({ state, timestamp: begun, ...changes })
const query = (given: Record<string, string> = { state, token: 'secret' }) =>
  new URLSearchParams(given)

describe('the return of an outside login', () => {
  it('gives the token, and where to go', () => {
    expect(checkReturn(record(), query(), begun + second)).toEqual({ token: 'secret' })
    expect(checkReturn(record({ next: '/teams' }), query(), begun)).toEqual({
      token: 'secret',
      next: '/teams',
    })
  })

  it('is refused where none was begun', () => {
    expect(checkReturn(null, query(), begun)).toEqual({ error: 'state_not_found' })
  })

  it.each([
    '',
    'null',
    '"text"',
    '{}',
    '{"state":',
    record({ state: state.toUpperCase() }),
    record({ state: state.slice(1) }),
    record({ state: `${state}0` }),
    record({ state: `${state}\n` }),
    record({ state: 1 }),
    record({ timestamp: '1' }),
    record({ timestamp: null }),
    record({ next: 1 }),
  ])('is refused where the record reads %j', (stored) => {
    expect(checkReturn(stored, query(), begun)).toEqual({ error: 'invalid_state' })
  })

  it('is accepted for five minutes', () => {
    expect(checkReturn(record(), query(), begun + 5 * minute)).toHaveProperty('token')
    expect(checkReturn(record(), query(), begun + 5 * minute + 1)).toEqual({
      error: 'expired_state',
    })
  })

  it('bears a clock that was set back by up to a minute meanwhile', () => {
    expect(checkReturn(record(), query(), begun - minute)).toHaveProperty('token')
    expect(checkReturn(record(), query(), begun - minute - 1)).toEqual({ error: 'expired_state' })
  })

  it('does not mind a clock that is an hour off, only one that jumped by an hour', () => {
    const off = record({ timestamp: begun + hour })
    expect(checkReturn(off, query(), begun + hour + second)).toHaveProperty('token')
    expect(checkReturn(record(), query(), begun + hour)).toEqual({ error: 'expired_state' })
    expect(checkReturn(record(), query(), begun - hour)).toEqual({ error: 'expired_state' })
  })

  it.each([
    ['another state', query({ state: state.replace('0', '1'), token: 'secret' })],
    ['no state', query({ token: 'secret' })],
    ['the state twice', new URLSearchParams(`state=${state}&state=${state}&token=secret`)],
  ])('is refused with %s', (_, given) => {
    expect(checkReturn(record({ next: '/teams' }), given, begun)).toEqual({
      error: 'mismatched_state',
      next: '/teams',
    })
  })

  it.each([
    ['no token', query({ state })],
    ['an empty token', query({ state, token: '' })],
    ['two tokens', new URLSearchParams(`state=${state}&token=a&token=b`)],
  ])('is refused with %s', (_, given) => {
    expect(checkReturn(record(), given, begun)).toEqual({ error: 'missing_token_in_query' })
  })

  it('names the first of several things that are wrong', () => {
    const nothing = query({})
    expect(checkReturn(null, nothing, begun + hour)).toEqual({ error: 'state_not_found' })
    expect(checkReturn('{}', nothing, begun + hour)).toEqual({ error: 'invalid_state' })
    expect(checkReturn(record(), nothing, begun + hour)).toEqual({ error: 'expired_state' })
    expect(checkReturn(record(), nothing, begun)).toEqual({ error: 'mismatched_state' })
  })
})
