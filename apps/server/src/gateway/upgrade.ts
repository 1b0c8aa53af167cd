import {
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import type { Log } from '../log.ts'
import type { SiteRoute } from './exchange.ts'
import { hasBody, requestHeaders, responseHeaders } from './headers.ts'
import { sendProblem } from './problem-pages.ts'
import type { Target } from './target.ts'

const keepAliveMs = 30_000
const halfOpenMs = 30_000

/**
 * True for a request to forward as an upgrade. `h2c` and `TLS` are ignored, as RFC 9110 §7.8
 * allows: the gateway could not see the requests within.
 */
export const isUpgrade = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  !hasBody(request) &&
  !/\b(?:h2c?|tls)\b/i.test(request.headers.upgrade ?? '')

const statusLine = (status: number, headers: readonly string[]): string => {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  for (let index = 0; index < headers.length; index += 2) {
    text += `${headers[index]}: ${headers[index + 1]}\r\n`
  }
  return `${text}\r\n`
}

const tuneUpgradedSocket = (socket: Duplex) => {
  const { setTimeout, setKeepAlive, setNoDelay } = socket as Partial<Socket>
  setTimeout?.call(socket, 0)
  setKeepAlive?.call(socket, true, keepAliveMs)
  setNoDelay?.call(socket, true)
}

/** Pipes both directions. After one side ends, the other is closed once idle for `halfOpenMs`. */
const pipeSockets = (visitor: Duplex, site: Duplex, key: string, log: Log) => {
  const pass = (from: Duplex, to: Duplex) =>
    pipeline(from, to, (error) => {
      if (error) log.info({ key, reason: error.message }, 'An upgraded connection was aborted')
      else (to as Socket).setTimeout(halfOpenMs, () => to.destroy())
    })
  pass(visitor, site)
  pass(site, visitor)
}

/** The site of an upgrade, its response timeout in milliseconds, and the parent domain of sites. */
export type UpgradedSite = {
  route: SiteRoute
  address: { socketPath: string } | { host: string; port: number }
  responseTimeoutMs: number
  sitesDomain: string | null
}

/** Forwards an upgrade request and, when the site accepts, connects both sockets. */
export const upgrade = (
  request: IncomingMessage,
  response: ServerResponse,
  visitor: Duplex,
  head: Buffer,
  target: Target,
  { route, address, responseTimeoutMs, sitesDomain }: UpgradedSite,
  log: Log,
): void => {
  const headers = requestHeaders(request, target)
  headers.push('connection', 'Upgrade', 'upgrade', request.headers.upgrade ?? '')
  const outgoing = openRequest({
    ...address,
    path: target.path,
    method: 'GET',
    headers,
    agent: false,
  })
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    outgoing.destroy()
  }, responseTimeoutMs)
  outgoing.once('close', () => clearTimeout(timer))
  const abort = () => outgoing.destroy()
  visitor.once('close', abort)

  outgoing.once('upgrade', (siteResponse, site, siteHead) => {
    visitor.off('close', abort)
    clearTimeout(timer)
    const switchingHeaders = responseHeaders(siteResponse.headers, route.key, sitesDomain)
    switchingHeaders.push('connection', 'Upgrade', 'upgrade', siteResponse.headers.upgrade ?? '')
    response.detachSocket(visitor as Socket)
    visitor.write(statusLine(101, switchingHeaders), 'latin1')
    if (siteHead.length > 0) visitor.write(siteHead)
    if (head.length > 0) site.write(head)
    tuneUpgradedSocket(visitor)
    tuneUpgradedSocket(site)
    pipeSockets(visitor, site, route.key, log)
  })

  outgoing.once('response', (siteResponse) => {
    clearTimeout(timer)
    const { statusCode = 502, statusMessage } = siteResponse
    response.writeHead(
      statusCode,
      statusMessage,
      responseHeaders(siteResponse.headers, route.key, sitesDomain),
    )
    pipeline(siteResponse, response, (error) => {
      if (error) visitor.destroy()
    })
  })

  outgoing.once('error', () => {
    if (visitor.destroyed) return
    if (response.headersSent) visitor.destroy()
    else {
      const unreachable = route.state === 'starting' ? 'site_starting' : 'site_unreachable'
      sendProblem(request, response, timedOut ? 'site_timeout' : unreachable, target.host)
    }
  })
  outgoing.end()
}
