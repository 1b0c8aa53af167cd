import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { Endpoint } from '@slipway/contract/endpoint'
import { limits } from '@slipway/contract/limits'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Context } from '../context.ts'
import type { Modules } from '../modules.ts'
import { problem } from '../problem.ts'
import type { Authenticate } from './access.ts'
import { createBinder } from './binder.ts'
import { inlineHashes, mountConsole, readConsolePage } from './console.ts'
import { docsPath, mountDocs } from './docs.ts'
import { answerError } from './errors.ts'
import { mountHealth } from './health.ts'
import { limitRate } from './rate-limit.ts'
import { mountSocket, type SocketHub } from './socket.ts'

export type Server = {
  app: FastifyInstance
  hub: SocketHub | undefined
  /** Every endpoint that is mounted. */
  endpoints: ReadonlySet<Endpoint>
}

const apiBase = '/api'

/** The HTTP server: for `web` the API, the socket, the pages and the console; for every role its health. */
export async function createServer(
  ctx: Context,
  modules: Modules,
  authenticate: Authenticate,
  options: { web: boolean; worker: boolean; consoleDir: string },
): Promise<Server> {
  const app = Fastify({
    loggerInstance: ctx.log,
    bodyLimit: limits.bodyBytes,
    trustProxy: ctx.env.TRUST_PROXY.length > 0 ? ctx.env.TRUST_PROXY : false,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: ctx.env.LOG_LEVEL !== 'debug' }),
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    // What cannot even be routed, such as a path that does not decode.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  })
  app.decorateRequest('caller', undefined)
  // `text/plain` bodies are not JSON: only what says that it is JSON is read as such.
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
  })
  app.setErrorHandler(answerError)
  await protect(app, ctx, options.consoleDir)
  mountHealth(app, ctx, options)
  const page = options.web ? readConsolePage(options.consoleDir) : undefined
  app.setNotFoundHandler((request, reply) => {
    if (page !== undefined && wantsPage(request))
      return reply.header('Cache-Control', 'no-cache').sendFile('index.html')
    throw problem('route_not_found')
  })
  if (!options.web) return { app, hub: undefined, endpoints: new Set() }

  const endpoints = new Set<Endpoint>()
  await mountDocs(app, ctx.env.PUBLIC_URL + apiBase)
  let hub: SocketHub | undefined
  await app.register(
    async (api) => {
      await limitRate(api, ctx.env.RATE_LIMIT)
      const on = createBinder(api, ctx, authenticate, endpoints)
      for (const mount of modules.routes) mount(on)
      hub = await mountSocket(api, ctx, authenticate)
    },
    { prefix: apiBase },
  )
  for (const mount of modules.pages) mount(app, ctx)
  if (page !== undefined) await mountConsole(app, options.consoleDir)
  return { app, hub, endpoints }
}

/** True for whoever opens an address to read it: they get the page, which says what is not there. */
function wantsPage({ method, url, headers }: FastifyRequest) {
  if ((method !== 'GET' && method !== 'HEAD') || /^\/(?:api|assets)(?:[/?]|$)/.test(url))
    return false
  const accept = headers.accept ?? '*/*'
  const namesFile = /\.[a-z0-9]+$/i.test(url.split('?')[0] ?? '')
  return accept.includes('text/html') || (accept.includes('*/*') && !namesFile)
}

/** Security headers for everything, and who may call from other origins. */
async function protect(app: FastifyInstance, ctx: Context, consoleDir: string) {
  const page = readConsolePage(consoleDir) ?? ''
  const https = ctx.env.PUBLIC_URL.startsWith('https:')
  await app.register(helmet, {
    global: false,
    frameguard: { action: 'deny' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...inlineHashes(page, 'script')],
        styleSrc: ["'self'", ...inlineHashes(page, 'style')],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        // WebSockets of the same host, which older browsers do not count as 'self'.
        connectSrc: ["'self'", ctx.env.PUBLIC_URL.replace(/^http/, 'ws')],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // Links from the console carry no path: some of its own hold mailed tokens.
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
  })
  // An answer of the API is no page: a fixed few headers say all there is to say, and cost nothing.
  const answerHeaders = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  }
  app.addHook('onRequest', async (request, reply) => {
    const isAnswer = request.url.startsWith(`${apiBase}/`) && !request.url.startsWith(docsPath)
    if (isAnswer) reply.headers(answerHeaders)
    else await reply.helmet()
  })
  if (ctx.env.CONSOLE_ORIGINS.length > 0)
    await app.register(cors, {
      origin: ctx.env.CONSOLE_ORIGINS,
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'Accept-Language'],
      exposedHeaders: ['X-Request-Id', 'Retry-After'],
      maxAge: 600,
    })
}
