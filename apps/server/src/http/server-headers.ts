import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { inlineHashes, readConsolePages } from './console.ts'
import { docsPath } from './docs.ts'

/** Below it are answers and no pages, but for the documentation. */
export const apiBase = '/api'

/**
 * Security headers for everything: the console's page with the policy that fits what stands in it, an
 * answer of the API with a fixed few. And who may call from other origins.
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
  // What is no page needs a fixed few headers, which say all there is to say and cost nothing.
  const headersOf = (source: string) => ({
    'Content-Security-Policy': `default-src ${source}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  })
  const answerHeaders = { ...headersOf("'none'"), 'Cache-Control': 'no-store' }
  // A screen asks for a dozen files, of which some are smaller than a page's headers. A worker lives by
  // the policy of its own file.
  const fileHeaders = headersOf("'self'")
  app.addHook('onRequest', async ({ url }, reply) => {
    if (url.startsWith(`${apiBase}/`) && !url.startsWith(docsPath)) reply.headers(answerHeaders)
    else if (url.startsWith('/assets/')) reply.headers(fileHeaders)
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
