import { ApiError } from '@slipway/contract/client'
import { describe, expect, it } from 'vitest'
import { isErrorForClient, readSiteSignIn, responseUrl, silentErrorOf } from './site-sign-in.ts'

const parameters = {
  client_id: 'blog-x7k2p1',
  redirect_uri: 'http://blog-x7k2p1.localhost:8080/callback',
  state: 'a b+c',
  response_type: 'code',
}

describe('readSiteSignIn', () => {
  it('returns the call’s body and the state to send back', () => {
    const { state, ...request } = parameters
    expect(readSiteSignIn(parameters)).toEqual({ request, state, repeated: undefined })
  })

  it('needs no state, as RFC 6749 only recommends it', () => {
    expect(readSiteSignIn({ ...parameters, state: undefined })).toHaveProperty('state', undefined)
    expect(readSiteSignIn({ ...parameters, state: '' })).toHaveProperty('state', '')
  })

  it('passes on PKCE and OpenID Connect parameters and no others', () => {
    const extra = {
      scope: 'openid email',
      nonce: 'n',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      prompt: 'login',
      max_age: '0',
      login_ticket: 't',
      // The server rejects these by name instead of ignoring them.
      request: 'e30.e30.',
      request_uri: 'https://example.com/r',
      response_mode: 'fragment',
    }
    const read = readSiteSignIn({ ...parameters, ...extra, display: 'popup' })
    expect(read).toHaveProperty('request', expect.objectContaining(extra))
    expect(read).not.toHaveProperty('request.display')
  })

  it.each(['client_id', 'redirect_uri'])('requires %s, given once', (name) => {
    for (const value of [undefined, ['a', 'b']])
      expect(readSiteSignIn({ ...parameters, [name]: value })).toEqual({ invalidParameter: name })
  })

  it.each(['state', 'response_type', 'scope', 'nonce', 'code_challenge', 'prompt'])(
    'names a repeated %s, which is an error for the client',
    (name) => {
      const read = readSiteSignIn({ ...parameters, [name]: ['a', 'b'] })
      expect(read).toMatchObject({ repeated: name })
      expect(read).not.toHaveProperty(`request.${name}`)
    },
  )

  it.each([
    'javascript:alert(1)',
    'JavaScript://blog.localhost/%0aalert(1)',
    'data:text/html,hello',
    'mailto:somebody@example.com',
    '/callback',
    '//blog.localhost/callback',
    'http://',
    '',
    'https://blog.example/?code=planted',
    'https://blog.example/?a=1&state=planted',
    'https://blog.example/?iss=planted',
    'https://blog.example/?error=planted',
  ])('rejects the redirect URI %j', (redirect_uri) => {
    expect(readSiteSignIn({ ...parameters, redirect_uri })).toEqual({
      invalidParameter: 'redirect_uri',
    })
  })
})

describe('responseUrl', () => {
  const response = { code: 'c-1_2', state: 'a b+c&d', iss: 'http://localhost:3000' }

  it('puts the response into the query of the redirect URI', () => {
    const url = new URL(responseUrl('https://blog.example/callback', response))
    expect(url.origin + url.pathname).toBe('https://blog.example/callback')
    expect(Object.fromEntries(url.searchParams)).toEqual(response)
  })

  it('keeps the existing query unchanged', () => {
    expect(responseUrl('https://blog.example/?a=b%20c&d&a=%C3%A7', response)).toBe(
      'https://blog.example/?a=b%20c&d&a=%C3%A7&code=c-1_2&state=a+b%2Bc%26d&iss=http%3A%2F%2Flocalhost%3A3000',
    )
  })
})

const apiError = (status: number, error: 'unauthorized', context?: string) =>
  new ApiError(status, { code: status, error, ...(context === undefined ? {} : { context }) })
const errorOf = (status: number, error: string, context?: string) =>
  apiError(status, error as 'unauthorized', context)

describe('isErrorForClient', () => {
  it('is true for an invalid request, except one with an invalid redirect URI', () => {
    expect(isErrorForClient(errorOf(400, 'invalid_params', 'prompt'))).toBe(true)
    expect(isErrorForClient(errorOf(400, 'request_not_supported'))).toBe(true)
    expect(isErrorForClient(errorOf(400, 'invalid_params', 'redirect_uri'))).toBe(false)
    expect(isErrorForClient(errorOf(404, 'project_not_found'))).toBe(false)
    expect(isErrorForClient(new Error('network'))).toBe(false)
  })
})

describe('silentErrorOf', () => {
  it.each([
    [401, 'unauthorized', 'login_required'],
    [400, 'login_required', 'login_required'],
    [403, 'user_not_verified', 'interaction_required'],
    [404, 'project_not_found', 'interaction_required'],
    [429, 'too_many_requests', 'temporarily_unavailable'],
    [503, 'unavailable', 'temporarily_unavailable'],
  ])('tells a client that %i %s is %s', (status, code, expected) => {
    expect(silentErrorOf(errorOf(status, code))).toBe(expected)
  })
})
