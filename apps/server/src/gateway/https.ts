import type { IncomingMessage, ServerResponse } from 'node:http'
import { defaultPorts } from '../env/public-ports.ts'
import type { SiteRoute } from './exchange.ts'
import { hasBody, projectHeader } from './headers.ts'
import { isChallenge } from './own-paths.ts'
import type { Protocol, Target } from './target.ts'

/** How visitors reach the gateway. */
export type Addresses = {
  ports: Record<Protocol, number>
  /** True for a host that visitors may use with https. */
  hasHttps(host: string): boolean
}

/** How long browsers store HSTS, in milliseconds: two years, by Mozilla's guideline 6.0. */
export const hstsMaxAgeMs = 730 * 24 * 3_600_000

/** Without subdomains, which may be on other hosts. Zero removes it (RFC 6797 §6.1.1). */
const hstsValues = { on: `max-age=${hstsMaxAgeMs / 1000}`, off: 'max-age=0' }

const originOf = (host: string, { ports, hasHttps }: Addresses) => {
  const protocol = hasHttps(host) ? 'https' : 'http'
  const port = ports[protocol] === defaultPorts[protocol] ? '' : `:${ports[protocol]}`
  return `${protocol}://${host}${port}`
}

/**
 * Encodes a path for a Location header. It follows a complete origin, so no path can lead to
 * another host.
 */
const encodePath = (path: string) =>
  path.replace(/[^\x21-\x7e]/g, (character) =>
    [...Buffer.from(character, 'latin1')]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )

/** The URL that a request is redirected to; undefined if it is not redirected. */
export function redirectOf(
  { host, path, protocol }: Pick<Target, 'host' | 'path' | 'protocol'>,
  route: Pick<SiteRoute, 'redirect'> | undefined,
  addresses: Addresses,
): { status: 301 | 308; location: string } | undefined {
  if (route?.redirect) {
    const { host: to, status } = route.redirect
    return { status, location: originOf(to, addresses) + encodePath(path) }
  }
  if (protocol === 'https' || isChallenge(path) || !addresses.hasHttps(host)) return undefined
  return { status: 308, location: originOf(host, addresses) + encodePath(path) }
}

export function sendRedirect(
  request: IncomingMessage,
  response: ServerResponse,
  { status, location }: { status: number; location: string },
  key: string | undefined,
) {
  // The request body stays unread, so the connection cannot be reused.
  if (hasBody(request)) response.shouldKeepAlive = false
  response.writeHead(status, {
    location,
    'content-length': 0,
    // A cached redirect would outlive a change of the domain.
    'cache-control': 'no-cache',
    ...(key === undefined ? {} : { [projectHeader]: key }),
  })
  response.end()
}

/**
 * Sets the HSTS header (RFC 6797) of the domain: `on` makes browsers use https only, `off` ends
 * that. A site may override it.
 */
export function setHsts(
  response: ServerResponse,
  { protocol }: Pick<Target, 'protocol'>,
  route: Pick<SiteRoute, 'hsts'> | undefined,
) {
  // RFC 6797 §7.2: not over http.
  if (route?.hsts && protocol === 'https')
    response.setHeader('strict-transport-security', hstsValues[route.hsts])
}
