import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { PhpRuntime } from '../fastcgi/php-layout.ts'
import type { Log } from '../log.ts'
import { hasBody, requestHeaders, responseHeaders } from './headers.ts'
import { type OfflineState, type Problem, sendProblem } from './problem-pages.ts'
import type { NextAttempt } from './replacement-waits.ts'
import type { Target } from './target.ts'

export type SiteRoute = {
  key: string
  /** The cluster that runs the site. The key and the cluster decide where its requests go. */
  cluster: string
  state: 'starting' | 'ready' | OfflineState
  /**
   * The artifact whose files the gateway serves itself; null for any site before its first release;
   * undefined for a site with a process.
   */
  artifact?: string | null
  php?: { artifact: string; runtime: PhpRuntime }
  /** HSTS: browsers must use https only (`on`), or delete that policy (`off`). */
  hsts?: 'on' | 'off'
  /** Redirects a name to another one, with path and query. */
  redirect?: { host: string; status: 301 | 308 } | null
}

type Controller = Dispatcher.DispatchController

const errorCode = (error: Error): string => (error as NodeJS.ErrnoException).code ?? ''

/** The errors of a connection that no process has accepted: nothing of the request was sent. */
export const notListening = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'EACCES',
  'UND_ERR_CONNECT_TIMEOUT',
  // The error for a pod that has ended.
  'EHOSTUNREACH',
])
const connectionLost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

const problemOf = (code: string, route: SiteRoute): Problem => {
  if (notListening.has(code)) {
    return route.state === 'starting' ? 'site_starting' : 'site_unreachable'
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return 'site_timeout'
  return code === 'UND_ERR_INVALID_ARG' ? 'malformed_request' : 'site_failed'
}

/**
 * One proxied request and its response. A class instead of closures: one allocation per request
 * besides the two header lists.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly request: IncomingMessage
  private readonly response: ServerResponse
  private readonly target: Target
  private readonly route: SiteRoute
  private readonly pool: () => Dispatcher
  private readonly beginWait: () => NextAttempt
  private readonly sitesDomain: string | null
  private readonly log: Log
  private controller: Controller | null = null
  private visitorLeft = false
  private ended = false
  private ignoresBody = false
  private retried = false
  private nextAttempt: NextAttempt | null = null
  /** Remaining bytes of the body; -1 without a Content-Length. */
  private remaining = -1

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    route: SiteRoute,
    pool: () => Dispatcher,
    beginWait: () => NextAttempt,
    sitesDomain: string | null,
    log: Log,
  ) {
    this.request = request
    this.response = response
    this.target = target
    this.route = route
    this.pool = pool
    this.beginWait = beginWait
    this.sitesDomain = sitesDomain
    this.log = log
  }

  send(): void {
    const { request } = this
    this.pool().dispatch(
      {
        path: this.target.path,
        method: request.method as Dispatcher.HttpMethod,
        headers: requestHeaders(request, this.target),
        body: hasBody(request) ? request : null,
      },
      this,
    )
  }

  /** Aborts the request to the site if the visitor disconnected before the response was sent. */
  onVisitorClose(): void {
    if (this.ended) return
    this.visitorLeft = true
    this.controller?.abort(new Error('The visitor left'))
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller
    if (this.visitorLeft) controller.abort(new Error('The visitor left'))
  }

  onResponseStart(_controller: Controller, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return
    const length = headers['content-length']
    this.remaining = length === undefined ? -1 : Number(length)
    // RFC 9110 §15.3.6: it has no content, and Node ends the response without it.
    this.ignoresBody = statusCode === 205
    const received = this.ignoresBody ? { ...headers, 'content-length': '0' } : headers
    const forwarded = responseHeaders(received, this.route.key, this.sitesDomain)
    // Without the site's reason, whose bytes Node may reject. Clients ignore it (RFC 9112 §4).
    this.response.writeHead(statusCode, forwarded)
    if (this.ignoresBody) {
      this.response.end()
      return
    }
    // Headers and a body that arrived with them go out in one packet. Without a body yet, as in an
    // event stream, the headers are flushed at once.
    process.nextTick(flushHeaders, this.response)
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    // Sent when a connection ends during a pause.
    if (chunk.length === 0 || this.ignoresBody) return
    if (this.remaining === chunk.length) {
      this.remaining = 0
      this.response.end(chunk)
      return
    }
    this.remaining -= chunk.length
    if (this.response.write(chunk)) return
    controller.pause()
    this.response.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.ended = true
    if (!this.response.writableEnded) this.response.end()
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.visitorLeft) return
    const { request, response, route } = this
    const code = errorCode(error)
    if (response.headersSent) {
      // The status is already sent: a closed connection marks the response as incomplete.
      this.log.warn({ key: route.key, code }, 'A site aborted its response')
      response.destroy()
      return
    }
    if (connectionLost.has(code) && this.mayRetry()) {
      this.retried = true
      this.controller = null
      this.send()
      return
    }
    const problem = problemOf(code, route)
    if (problem === 'site_failed') {
      this.log.warn({ key: route.key, code, err: error }, 'A site did not respond')
    }
    // Linux reports EHOSTUNREACH of a connection that was accepted, too.
    if (notListening.has(code) && this.controller === null) void this.tryAgain(problem)
    else sendProblem(request, response, problem, this.target.host, route.key)
  }

  /** Sends a request that no process accepted to the site's next pod. */
  private async tryAgain(problem: Problem): Promise<void> {
    const { request, response, route, target } = this
    this.controller = null
    this.nextAttempt ??= this.beginWait()
    if (await this.nextAttempt()) this.send()
    else if (!this.visitorLeft) sendProblem(request, response, problem, target.host, route.key)
  }

  /** RFC 9110 §9.2.2: safe methods may be retried when the site closed an idle connection. */
  private mayRetry(): boolean {
    const { method } = this.request
    return !this.retried && (method === 'GET' || method === 'HEAD') && !hasBody(this.request)
  }
}

const flushHeaders = (response: ServerResponse) => {
  if (!response.writableEnded && !response.destroyed) response.flushHeaders()
}
