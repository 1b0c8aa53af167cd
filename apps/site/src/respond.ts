import type { ServerResponse } from 'node:http'
import { contentSecurityPolicy } from './layout.ts'
import type { Visit } from './visit.ts'

type Headers = Record<string, string | string[]>

export const send = (
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Headers = {},
): void => {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  // Node omits the body of a response to HEAD.
  response.end(body)
}

/** A public page. */
export const sendPage = (
  { response }: Visit,
  status: number,
  body: string,
  headers: Headers = {},
): void =>
  send(response, status, 'text/html', body, {
    'cache-control': 'no-cache',
    vary: 'Accept-Language',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...headers,
  })

const privateHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

/** A page for one visitor, never cached. */
export const sendPrivatePage = (
  visit: Visit,
  status: number,
  body: string,
  headers: Headers = {},
): void =>
  // `no-referrer` would remove the Origin header of forms, which `isFromOrigin` needs.
  sendPage(visit, status, body, { 'referrer-policy': 'same-origin', ...privateHeaders, ...headers })

/** Redirects with 303, so that the browser continues with GET (RFC 9110 §15.4.4). */
export const redirect = ({ response }: Visit, location: string, cookies: string[] = []): void => {
  response.writeHead(303, {
    location,
    'content-length': 0,
    // The next page must not get an authorization code in the Referer (RFC 9700 §4.2.4).
    'referrer-policy': 'no-referrer',
    ...privateHeaders,
    'set-cookie': cookies,
  })
  response.end()
}
