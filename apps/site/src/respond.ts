import type { ServerResponse } from 'node:http'
import { lookStyle } from './designs/designs.ts'
import { contentSecurityPolicy } from './layout.ts'
import type { Visit } from './visit.ts'

type Headers = Record<string, string | string[]>

export const send = (
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Headers = {},
): void => {
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? `${type}; charset=utf-8` : type,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  // Node omits the body of a response to HEAD.
  response.end(body)
}

/** A page that explains something, such as an error. */
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

/** A page in the site's design: its style and pictures, and no script at all. */
export const sendPublicPage = (
  visit: Visit,
  status: number,
  body: string,
  headers: Headers = {},
): void => {
  const { look } = visit.site.website.current()
  sendPage(visit, status, body, {
    'content-security-policy': publicPolicy(lookStyle(look).hash, "'none'"),
    ...headers,
  })
}

/** The policy of a page with this style, which `ancestors` may frame. */
export const publicPolicy = (styleHash: string, ancestors: "'none'" | "'self'"): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "img-src 'self'",
    // There is no script; auditors fetch robots.txt from within the page.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ')

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

/** Redirects to the page's own address, such as from one with capitals or a trailing slash. */
export const redirectPermanently = ({ response }: Visit, location: string): void => {
  response.writeHead(308, { location, 'content-length': 0, 'cache-control': 'no-cache' })
  response.end()
}
