import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { confineCookie } from './cookies.ts'
import type { Target } from './target.ts'

/** The project whose site responded. Only the gateway sets it. */
export const projectHeader = 'x-slipway-project'

// RFC 9110 §7.6.1: hop-by-hop headers, dropped from requests and responses.
export const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const droppedFromRequest = new Set([
  ...hopByHop,
  'host',
  'via',
  // Node has already handled it (RFC 9110 §10.1.1).
  'expect',
  // Only the gateway knows the client address.
  'forwarded',
  'x-real-ip',
  projectHeader,
])

const droppedFromResponse = new Set([...hopByHop, projectHeader])

/**
 * True for a response header that a proxy in front obeys: nginx and others would send files of the
 * machine or another address instead of the site's response.
 */
export const isForProxy = (name: string): boolean =>
  /^x-(?:accel-|reproxy-|sendfile|lighttpd-send)/.test(name)

const noHeaders: ReadonlySet<string> = new Set()

/** The headers that the Connection headers of a message mark as hop-by-hop. */
export const namedByConnection = (
  value: string | readonly string[] | undefined,
): ReadonlySet<string> => {
  if (value === undefined || value === 'keep-alive' || value === 'close') return noHeaders
  const names = [value].flat().join(',').split(',')
  return new Set(names.map((name) => name.trim().toLowerCase()))
}

const ipv4MappedPrefix = '::ffff:'

/** The address that opened the connection; IPv4 without the prefix of a dual-stack socket. */
export const connectedAddress = ({ socket }: IncomingMessage): string => {
  const address = socket.remoteAddress ?? 'unknown'
  return address.startsWith(ipv4MappedPrefix) ? address.slice(ipv4MappedPrefix.length) : address
}

/**
 * The visitor's address: the last of X-Forwarded-For that is no trusted proxy. Earlier addresses
 * may be forged.
 */
export const clientAddress = (
  request: IncomingMessage,
  isProxy: (address: string) => boolean,
): string => {
  const forwardedFor = request.headers['x-forwarded-for']
  const connected = connectedAddress(request)
  if (typeof forwardedFor !== 'string' || !isProxy(connected)) return connected
  let client = connected
  for (const hop of forwardedFor.split(',').reverse()) {
    const address = hop.trim()
    if (isIP(address) === 0) return client
    client = address
    if (!isProxy(address)) return client
  }
  return client
}

/**
 * The number of Host headers. Node keeps only the first; more than one is malformed (RFC 9112
 * §3.2).
 */
export const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}

/** True for a request with a body (RFC 9112 §6). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/**
 * True for a header of the visitor that the site gets, by its lower-case name. `hopByHopHeaders`
 * are those `namedByConnection`.
 */
export const isForwarded = (name: string, hopByHopHeaders: ReadonlySet<string>): boolean =>
  !droppedFromRequest.has(name) && !hopByHopHeaders.has(name) && !name.startsWith('x-forwarded-')

/** The headers for the site, as a flat list of names and values. */
export const requestHeaders = (
  request: IncomingMessage,
  { authority, protocol, client }: Pick<Target, 'authority' | 'protocol' | 'client'>,
): string[] => {
  const { rawHeaders, headers } = request
  const result = [
    'host',
    authority,
    'x-forwarded-for',
    client,
    'x-forwarded-host',
    authority,
    'x-forwarded-proto',
    protocol,
    'via',
    headers.via
      ? `${headers.via}, ${request.httpVersion} slipway`
      : `${request.httpVersion} slipway`,
  ]
  const hopByHopHeaders = namedByConnection(headers.connection)
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const lower = name.toLowerCase()
    if (!isForwarded(lower, hopByHopHeaders)) continue
    result.push(lower, rawHeaders[index + 1] ?? '')
  }
  return result
}

/**
 * The headers for the visitor, as a flat list of names and values. `sitesDomain` is null for the
 * console, which is no site and may set any cookie.
 */
export const responseHeaders = (
  headers: IncomingHttpHeaders,
  key: string,
  sitesDomain: string | null,
): string[] => {
  const connectionHeaders = namedByConnection(headers.connection)
  const result = sitesDomain === null ? [] : [projectHeader, key]
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || droppedFromResponse.has(name) || connectionHeaders.has(name))
      continue
    if (isForProxy(name)) continue
    if (name === 'set-cookie' && sitesDomain !== null)
      for (const cookie of [value].flat()) result.push(name, confineCookie(cookie, sitesDomain))
    else if (typeof value === 'string') result.push(name, value)
    else for (const line of value) result.push(name, line)
  }
  return result
}
