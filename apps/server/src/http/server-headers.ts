import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { inlineHashes, readConsolePages } from './console.ts'
import { docsPath } from './docs.ts'

/** Paths below it are no pages, except the documentation. */
export const apiBase = '/api'

/**
 * The endpoints of the login provider that a client in a browser calls. They read no cookie: a page
 * gets only the data that its own code or token permits.
 */
const openToPages =
  /^\/(?:\.well-known\/(?:openid-configuration|oauth-authorization-server)|api\/auth\/project\/(?:jwks|token|userinfo|revoke))(?:\?|$)/

/** Features that no page uses. Only names that every browser knows: others cause a warning. */
const permissionsPolicy = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * Sets the security headers (pages of the console have a full policy, responses of the API a few
 * fixed headers) and the headers of CORS.
 */
export async function protect(app: FastifyInstance, ctx: Context, consoleDir: string) {
  const pages = readConsolePages(consoleDir)
  const https = ctx.env.PUBLIC_URL.startsWith('https:')
  await app.register(helmet, {
    global: false,
    frameguard: { action: 'deny' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...inlineHashes(pages, 'script')],
        styleSrc: ["'self'", ...inlineHashes(pages, 'style')],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        // Older browsers do not include WebSockets of the same host in 'self'.
        connectSrc: ["'self'", ctx.env.PUBLIC_URL.replace(/^http/, 'ws')],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // No path in the Referer: some paths contain emailed tokens.
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
  })
  // Responses that are no page need only a few fixed headers.
  const headersOf = (source: string) => ({
    'Content-Security-Policy': `default-src ${source}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  })
  const apiHeaders = { ...headersOf("'none'"), 'Cache-Control': 'no-store' }
  // A screen loads a dozen files, some smaller than a page's headers. A worker has the policy of
  // its own file.
  const fileHeaders = headersOf("'self'")
  app.addHook('onRequest', async ({ url }, reply) => {
    if (url.startsWith(`${apiBase}/`) && !url.startsWith(docsPath)) reply.headers(apiHeaders)
    else if (url.startsWith('/assets/')) reply.headers(fileHeaders)
    else {
      reply.header('Permissions-Policy', permissionsPolicy)
      await reply.helmet()
    }
  })
  const consoles = {
    origin: ctx.env.CONSOLE_ORIGINS.length > 0 ? ctx.env.CONSOLE_ORIGINS : false,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Accept-Language', 'Time-Zone'],
    exposedHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: 600,
  }
  await app.register(cors, {
    delegator: ({ url = '' }, callback) =>
      callback(null, openToPages.test(url) ? { ...consoles, origin: '*' } : consoles),
  })
}
