import { randomUUID } from 'node:crypto'
import { maxHeaderSize } from 'node:http'
import cookie from '@fastify/cookie'
import type { Endpoint } from '@slipway/contract/endpoint'
import { limits } from '@slipway/contract/limits'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { ConnectionLimits } from '../connection-limits.ts'
import type { Context } from '../context.ts'
import type { Modules } from '../modules.ts'
import { problem } from '../problem.ts'
import type { ProxyWatch } from '../untrusted-proxy.ts'
import type { Authenticate } from './access.ts'
import { createBinder } from './binder.ts'
import { limitBodyTime } from './body-timeout.ts'
import { checkHeaders } from './check-headers.ts'
import { compressResponses } from './compress.ts'
import { mountConsole, readConsolePage } from './console.ts'
import { mountDocs } from './docs.ts'
import { sendError } from './errors.ts'
import { createEventStreams } from './event-stream.ts'
import { mountHealth } from './health.ts'
import { measureRequests } from './http.metrics.ts'
import { closeConnectionsAfter, createHttpServer, endRejectedUpgrades } from './http-server.ts'
import { redirectToPublicHost } from './own-host.ts'
import { limitByAddress, prepareRateLimits } from './rate-limit.ts'
import { apiBase, protect } from './server-headers.ts'
import { mountSocket, type SocketHub } from './socket.ts'

export type Server = {
  app: FastifyInstance
  hub: SocketHub | undefined
  /** Reports as not ready, and ends each connection after its current request. */
  drain(): void
  /** All mounted endpoints. */
  endpoints: ReadonlySet<Endpoint>
}

/** The HTTP server: API, socket, pages and console for `web`, health checks for every role. */
export async function createServer(
  ctx: Context,
  modules: Modules,
  authenticate: Authenticate,
  options: {
    web: boolean
    worker: boolean
    consoleDir: string
    connections?: ConnectionLimits
    proxies?: ProxyWatch
  },
): Promise<Server> {
  const app = Fastify({
    loggerInstance: ctx.log,
    bodyLimit: limits.bodyBytes,
    trustProxy: ctx.env.TRUST_PROXY.length > 0 ? ctx.env.TRUST_PROXY : false,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: ctx.env.LOG_LEVEL !== 'debug' }),
    serverFactory: (handler) => createHttpServer(handler, ctx, options),
    // `createHttpServer` handles them.
    clientErrorHandler: () => undefined,
    forceCloseConnections: 'idle',
    // Our handler sends the error body.
    return503OnClosing: false,
    // Requests that cannot be routed, such as undecodable paths.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    // A key of any length reaches its route, whose own error says that it does not exist. Node
    // limits the size of a path.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
  })
  app.decorateRequest('caller', undefined)
  app.decorateRequest('hasLateBody', false)
  // Only bodies of type JSON are parsed as JSON, not `text/plain`.
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    options.proxies?.observe(request.raw)
    done()
  })
  app.setErrorHandler(sendError)
  measureRequests(app)
  await protect(app, ctx, options.consoleDir)
  closeConnectionsAfter(app)
  endRejectedUpgrades(app)
  rejectWhileClosing(app)
  let draining = false
  const drain = () => {
    draining = true
  }
  app.addHook('onRequest', (_request, reply, done) => {
    if (draining) reply.header('Connection', 'close')
    done()
  })
  checkHeaders(app)
  limitBodyTime(app)
  await prepareRateLimits(app, ctx.env.RATE_LIMIT)
  if (options.web) redirectToPublicHost(app, ctx.env.PUBLIC_URL)
  mountHealth(app, ctx, { ...options, isDraining: () => draining })
  const page = options.web ? readConsolePage(options.consoleDir) : undefined
  app.setNotFoundHandler((request, reply) => {
    if (page !== undefined && wantsPage(request))
      return reply.header('Cache-Control', 'no-cache').sendFile('index.html')
    throw problem('route_not_found')
  })
  if (!options.web) return { app, hub: undefined, drain, endpoints: new Set() }

  const endpoints = new Set<Endpoint>()
  await mountDocs(app, ctx.env.PUBLIC_URL + apiBase, ctx.env.RATE_LIMIT)
  let hub: SocketHub | undefined
  await app.register(
    async (api) => {
      limitByAddress(api, ctx.env.RATE_LIMIT)
      compressResponses(api)
      await api.register(cookie)
      const streams = createEventStreams()
      api.addHook('preClose', async () => streams.close())
      ctx.sessions.onEnd((ended) => {
        if ('tokenId' in ended) streams.end(ended.tokenId)
        else if ('sessionId' in ended) streams.end(ended.sessionId)
      })
      const on = createBinder(api, ctx, authenticate, endpoints, streams)
      for (const mount of modules.routes) mount(on)
      hub = await mountSocket(api, ctx)
    },
    { prefix: apiBase },
  )
  for (const mount of modules.pages) mount(app, ctx)
  if (page !== undefined) {
    await mountConsole(app, options.consoleDir)
    // Browsers request it for pages without an icon, such as the mailbox.
    app.get('/favicon.ico', (_request, reply) => reply.sendFile('favicon.svg'))
  }
  return { app, hub, drain, endpoints }
}

/** Rejects new requests on open connections while the server closes. */
function rejectWhileClosing(app: FastifyInstance) {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    if (closing) done(problem('unavailable'))
    else done()
  })
}

/** True for a page view: it gets the console, which has a page for unknown paths. */
function wantsPage({ method, url, headers }: FastifyRequest) {
  if ((method !== 'GET' && method !== 'HEAD') || /^\/(?:api|assets)(?:[/?]|$)/.test(url))
    return false
  const accept = headers.accept ?? '*/*'
  const namesFile = /\.[a-z0-9]+$/i.test(url.split('?')[0] ?? '')
  return accept.includes('text/html') || (accept.includes('*/*') && !namesFile)
}
