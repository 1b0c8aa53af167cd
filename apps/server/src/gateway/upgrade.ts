import {
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Log } from '../log.ts'
import { notListening, type SiteRoute } from './exchange.ts'
import { hasBody, requestHeaders, responseHeaders } from './headers.ts'
import { connectTimeoutMs, type SiteAddress } from './pools.ts'
import { type Problem, sendProblem } from './problem-pages.ts'
import type { NextAttempt } from './replacement-waits.ts'
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

const tuneUpgradedSocket = (socket: Socket) => {
  socket.setTimeout(0)
  socket.setKeepAlive(true, keepAliveMs)
  socket.setNoDelay(true)
}

/** Pipes both directions. After one side ends, the other is closed once idle for `halfOpenMs`. */
const pipeSockets = (visitor: Socket, site: Socket, key: string, log: Log) => {
  const pass = (from: Socket, to: Socket) =>
    pipeline(from, to, (error) => {
      if (error) log.info({ key, reason: error.message }, 'An upgraded connection was aborted')
      else to.setTimeout(halfOpenMs, () => to.destroy())
    })
  pass(visitor, site)
  pass(site, visitor)
}

/** The site of an upgrade, its response timeout in milliseconds, and the parent domain of sites. */
export type UpgradedSite = {
  route: SiteRoute
  address: () => SiteAddress
  nextAttempt: NextAttempt
  responseTimeoutMs: number
  sitesDomain: string | null
}

/**
 * Forwards an upgrade request and, when the site accepts, connects both sockets. A request that no
 * pod of the site has accepted is sent to the next pod.
 */
export const upgrade = (
  request: IncomingMessage,
  response: ServerResponse,
  visitor: Socket,
  head: Buffer,
  target: Target,
  site: UpgradedSite,
  log: Log,
): void => {
  const { route, nextAttempt, sitesDomain } = site
  const unreachable = route.state === 'starting' ? 'site_starting' : 'site_unreachable'
  const fail = (problem: Problem) => {
    if (visitor.destroyed) return
    if (response.headersSent) visitor.destroy()
    else sendProblem(request, response, problem, target.host)
  }

  const connect = (siteResponse: IncomingMessage, siteSocket: Socket, siteHead: Buffer) => {
    const switchingHeaders = responseHeaders(siteResponse.headers, route.key, sitesDomain)
    switchingHeaders.push('connection', 'Upgrade', 'upgrade', siteResponse.headers.upgrade ?? '')
    response.detachSocket(visitor)
    visitor.write(statusLine(101, switchingHeaders), 'latin1')
    if (siteHead.length > 0) visitor.write(siteHead)
    if (head.length > 0) siteSocket.write(head)
    tuneUpgradedSocket(visitor)
    tuneUpgradedSocket(siteSocket)
    pipeSockets(visitor, siteSocket, route.key, log)
  }

  /** The site does not upgrade: its response is passed on. */
  const passOn = (siteResponse: IncomingMessage) => {
    const { statusCode = 0 } = siteResponse
    // Node accepts any three digits, and a 101 that names no protocol.
    if (statusCode < 200) {
      log.warn({ key: route.key, statusCode }, 'A site sent an invalid status')
      siteResponse.destroy()
      fail('site_failed')
      return
    }
    const headers = responseHeaders(siteResponse.headers, route.key, sitesDomain)
    response.writeHead(statusCode, headers)
    pipeline(siteResponse, response, (error) => {
      if (error) visitor.destroy()
    })
  }

  const tryAgain = async () => {
    if (await nextAttempt()) send()
    else fail(unreachable)
  }

  const send = () => {
    const address = site.address()
    if (address === null) return void tryAgain()
    const headers = requestHeaders(request, target)
    headers.push('connection', 'Upgrade', 'upgrade', request.headers.upgrade ?? '')
    const outgoing = openRequest({
      ...address,
      path: target.path,
      method: 'GET',
      headers,
      agent: false,
    })
    let timedOut: 'connection' | 'response' | null = null
    const startTimer = (awaited: typeof timedOut, ms: number) =>
      setTimeout(() => {
        timedOut = awaited
        outgoing.destroy()
      }, ms)
    let timer = startTimer('connection', connectTimeoutMs)
    outgoing.once('socket', (socket) =>
      socket.once('connect', () => {
        clearTimeout(timer)
        timer = startTimer('response', site.responseTimeoutMs)
      }),
    )
    const abort = () => outgoing.destroy()
    visitor.once('close', abort)
    outgoing.once('close', () => {
      clearTimeout(timer)
      visitor.off('close', abort)
    })

    outgoing.once('upgrade', (siteResponse, siteSocket, siteHead) => {
      visitor.off('close', abort)
      clearTimeout(timer)
      connect(siteResponse, siteSocket, siteHead)
    })
    outgoing.once('response', (siteResponse) => {
      clearTimeout(timer)
      passOn(siteResponse)
    })
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      const isNotAccepted = timedOut === 'connection' || notListening.has(error.code ?? '')
      if (timedOut === 'response') fail('site_timeout')
      else if (isNotAccepted && !response.headersSent) void tryAgain()
      else fail(unreachable)
    })
    outgoing.end()
  }
  send()
}
