import { describe, expect, it } from 'vitest'
import {
  externalLoginPage,
  tokenPage,
  userInfoPage,
} from '../../../apps/server/src/testing/oauth-pages.ts'
import { problemOfPage } from './page-shape.ts'

const reply = (status: number, body: unknown, headers = {}) => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(body)),
  milliseconds: 1,
})
const invalid = { error: 'invalid_grant', error_description: 'the code is unknown' }

describe('the shape of a page of OAuth 2.0', () => {
  it.each([
    [tokenPage, reply(400, invalid)],
    [userInfoPage, reply(401, {}, { 'www-authenticate': 'Bearer' })],
    [userInfoPage, reply(200, { sub: '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee' })],
    [externalLoginPage, reply(303, '', { location: 'http://localhost:3000/stand-in/google' })],
    [tokenPage, reply(413, { code: 413, error: 'request_too_large' })],
  ])('follows the standard, or is that of our errors', (page, response) => {
    expect(problemOfPage(page, response)).toBeUndefined()
  })

  it.each([
    ['an error with another status', tokenPage, reply(401, invalid)],
    ['an error with more fields', tokenPage, reply(400, { ...invalid, stack: 'x' })],
    ['an unknown error', tokenPage, reply(400, { ...invalid, error: 'oops' })],
    ['a token without a type', tokenPage, reply(200, { access_token: 'x' })],
    ['no credentials and no challenge', userInfoPage, reply(401, {})],
    [
      'a redirect to another host',
      externalLoginPage,
      reply(303, '', { location: 'https://evil.example.com/' }),
    ],
  ])('is wrong with %s', (_what, page, response) => {
    expect(problemOfPage(page, response)).toBeDefined()
  })
})
