import { getProfile, updateProfileName } from '@slipway/contract/account'
import { logout } from '@slipway/contract/sessions'
import { describe, expect, it } from 'vitest'
import { shapeProblem } from './shape.ts'

const profile = { id: 'x', name: 'Ada', username: 'ada', email: 'a@b.c', loginKind: 'Email' }
const responseWith = (status: number, body: unknown, headers = {}) => ({
  status,
  headers,
  body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
  milliseconds: 1,
})

describe('the shape of a response', () => {
  it.each([
    [getProfile, responseWith(200, profile)],
    [logout, responseWith(204, undefined)],
    [getProfile, responseWith(401, { code: 401, error: 'unauthorized' })],
    [
      updateProfileName,
      responseWith(422, { code: 422, error: 'validation_error', root: { name: 'Enter a name' } }),
    ],
    [
      getProfile,
      responseWith(429, { code: 429, error: 'too_many_requests' }, { 'retry-after': '7' }),
    ],
  ])('is as declared', (endpoint, response) => {
    expect(shapeProblem(endpoint, response, false)).toBeUndefined()
  })

  it.each([
    ['a missing field', getProfile, responseWith(200, { ...profile, email: undefined })],
    ['an undeclared field', getProfile, responseWith(200, { ...profile, passwordHash: 'x' })],
    ['another status', getProfile, responseWith(201, profile)],
    ['a body with 204', logout, responseWith(204, {})],
    ['no JSON', getProfile, { ...responseWith(200, 0), body: Buffer.from('<html>') }],
    [
      'an undeclared error',
      getProfile,
      responseWith(404, { code: 404, error: 'ticket_not_found' }),
    ],
    ['an unknown error', getProfile, responseWith(400, { code: 400, error: 'oops' })],
    [
      'a code that is not the status',
      getProfile,
      responseWith(401, { code: 403, error: 'unauthorized' }),
    ],
    [
      '429 without Retry-After',
      getProfile,
      responseWith(429, { code: 429, error: 'too_many_requests' }),
    ],
    ['a stack', getProfile, responseWith(401, { code: 401, error: 'unauthorized', stack: 'at x' })],
  ])('is wrong with %s', (_, endpoint, response) => {
    expect(shapeProblem(endpoint, response, false)).toBeDefined()
  })
})
