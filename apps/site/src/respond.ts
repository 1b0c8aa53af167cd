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
  // Node leaves the body out of the answer to a HEAD request by itself.
  response.end(body)
}

/** A page that everybody sees alike. */
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

/** A page for one visitor, which nobody keeps. */
export const sendPrivatePage = (
  visit: Visit,
  status: number,
  body: string,
  headers: Headers = {},
): void =>
  // Forms need an Origin to be told from foreign ones, which `no-referrer` would take away.
  sendPage(visit, status, body, { 'referrer-policy': 'same-origin', ...privateHeaders, ...headers })

/** Leads the visitor's browser on with a GET (RFC 9110 §15.4.4), whatever it came with. */
export const redirect = ({ response }: Visit, location: string, cookies: string[] = []): void => {
  response.writeHead(303, {
    location,
    'content-length': 0,
    // An authorization code in the address must not be told to the next page (RFC 9700 §4.2.4).
    'referrer-policy': 'no-referrer',
    ...privateHeaders,
    'set-cookie': cookies,
  })
  response.end()
}
