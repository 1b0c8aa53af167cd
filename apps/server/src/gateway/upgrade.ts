import {
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import type { Log } from '../log.ts'
import type { Route } from './exchange.ts'
import { hasBody, requestHeaders, responseHeaders } from './headers.ts'
import type { SiteAddress } from './pools.ts'
import { sendProblem } from './problem-pages.ts'
import type { Target } from './target.ts'

const keepAliveMs = 30_000
const halfOpenMs = 30_000

/**
 * Whether a request is led to the site as an upgrade. Not `h2c` and `TLS`: those would start a
 * protocol in which the gateway sees no request any more, and RFC 9110 §7.8 lets a server ignore them.
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

const ignoreTimeouts = (socket: Duplex) => {
  const { setTimeout, setKeepAlive, setNoDelay } = socket as Partial<Socket>
  setTimeout?.call(socket, 0)
  setKeepAlive?.call(socket, true, keepAliveMs)
  setNoDelay?.call(socket, true)
}

/** Passes on what either side says. Once one has ended, the other may go on as long as it has something to say. */
const join = (visitor: Duplex, site: Duplex, key: string, log: Log) => {
  const pass = (from: Duplex, to: Duplex) =>
    pipeline(from, to, (error) => {
      if (error) log.info({ key, reason: error.message }, 'An upgraded connection broke off')
      else (to as Socket).setTimeout(halfOpenMs, () => to.destroy())
    })
  pass(visitor, site)
  pass(site, visitor)
}

/** The site that an upgrade is for, how long it may take to answer, in milliseconds, and what sites are below. */
export type UpgradedSite = {
  route: Route
  address: SiteAddress
  answerTimeoutMs: number
  sitesDomain: string
}

/** Leads an upgrade to the site and, once the site agrees, joins the two connections. */
export const upgrade = (
  request: IncomingMessage,
  response: ServerResponse,
  visitor: Duplex,
  head: Buffer,
  target: Target,
  { route, address, answerTimeoutMs, sitesDomain }: UpgradedSite,
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
  }, answerTimeoutMs)
  outgoing.once('close', () => clearTimeout(timer))
  const giveUp = () => outgoing.destroy()
  visitor.once('close', giveUp)

  outgoing.once('upgrade', (answer, site, siteHead) => {
    visitor.off('close', giveUp)
    clearTimeout(timer)
    const answerHeaders = responseHeaders(answer.headers, route.key, sitesDomain)
    answerHeaders.push('connection', 'Upgrade', 'upgrade', answer.headers.upgrade ?? '')
    response.detachSocket(visitor as Socket)
    visitor.write(statusLine(101, answerHeaders), 'latin1')
    if (siteHead.length > 0) visitor.write(siteHead)
    if (head.length > 0) site.write(head)
    ignoreTimeouts(visitor)
    ignoreTimeouts(site)
    join(visitor, site, route.key, log)
  })

  outgoing.once('response', (answer) => {
    clearTimeout(timer)
    const { statusCode = 502, statusMessage } = answer
    response.writeHead(
      statusCode,
      statusMessage,
      responseHeaders(answer.headers, route.key, sitesDomain),
    )
    pipeline(answer, response, (error) => {
      if (error) visitor.destroy()
    })
  })

  outgoing.once('error', () => {
    if (visitor.destroyed) return
    if (response.headersSent) visitor.destroy()
    else {
      const away = route.state === 'starting' ? 'site_starting' : 'site_unreachable'
      sendProblem(request, response, timedOut ? 'site_timeout' : away, target.host)
    }
  })
  outgoing.end()
}
