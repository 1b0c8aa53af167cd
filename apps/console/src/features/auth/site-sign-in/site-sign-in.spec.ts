import { describe, expect, it } from 'vitest'
import { readSiteSignIn, responseUrl } from './site-sign-in.ts'

const parameters = {
  client_id: 'blog-x7k2p1',
  redirect_uri: 'http://blog-x7k2p1.localhost:8080/callback',
  state: 'a b+c',
  response_type: 'code',
}

describe('readSiteSignIn', () => {
  it('returns the call’s body and the state to send back', () => {
    const { state, ...request } = parameters
    expect(readSiteSignIn(parameters)).toEqual({ request, state })
  })

  it('passes on PKCE and OpenID Connect parameters and no others', () => {
    const extra = {
      scope: 'openid email',
      nonce: 'n',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      // The server rejects these by name instead of ignoring them.
      prompt: 'login',
      max_age: '0',
      request: 'e30.e30.',
      request_uri: 'https://example.com/r',
      response_mode: 'fragment',
    }
    const read = readSiteSignIn({ ...parameters, ...extra, display: 'popup' })
    expect(read).toHaveProperty('request', expect.objectContaining(extra))
    expect(read).not.toHaveProperty('request.display')
  })

  it.each(['client_id', 'redirect_uri', 'state', 'response_type'])('requires %s', (name) => {
    expect(readSiteSignIn({ ...parameters, [name]: undefined })).toEqual({ invalidParameter: name })
  })

  it.each([
    ...Object.keys(parameters),
    'scope',
    'nonce',
    'code_challenge',
    'code_challenge_method',
  ])('rejects a repeated %s', (name) => {
    expect(readSiteSignIn({ ...parameters, [name]: ['a', 'b'] })).toEqual({
      invalidParameter: name,
    })
  })

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
