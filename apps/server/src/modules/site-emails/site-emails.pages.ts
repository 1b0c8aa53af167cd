import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { createRateLimit } from '../../http/rate-limit.ts'
import { problem } from '../../problem.ts'
import { createArrivals } from './site-emails.arrivals.ts'
import * as siteEmails from './site-emails.service.ts'
import { isSiteAuthorized } from './site-emails.tokens.ts'

type Address = { Params: { key: string }; Body: Buffer | undefined }

/** The maximum size of an email, in bytes; the same as in the local engine. */
const maxEmailBytes = 2 * 2 ** 20

/** Receives emails from sites on Kubernetes, whose pods cannot reach the engine's socket. */
export function pages(app: FastifyInstance, ctx: Context) {
  if (!ctx.env.ENGINE.includes('kubernetes')) return
  const keyOf = (request: FastifyRequest) => (request.params as Address['Params']).key
  const count = createRateLimit(app, ctx.env.RATE_LIMIT, keyOf)
  const arrivals = createArrivals()
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('message/rfc822', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    // Runs before the body is read, so that invalid tokens cost no memory and no database write.
    scope.addHook('onRequest', async (request, reply) => {
      const key = keyOf(request)
      if (!(await isSiteAuthorized(ctx, key, request.headers.authorization)))
        throw problem('route_not_found')
      await count(request)
      // The client is gone: `close`, which would end its arrival, has passed.
      if (reply.raw.closed) throw problem('unavailable')
      if (!arrivals.begin(key)) throw problem('unavailable')
      reply.raw.once('close', () => arrivals.end(key))
    })
    scope.post<Address>(
      '/site-emails/:key',
      { bodyLimit: maxEmailBytes },
      async (request, reply) => {
        const reason = await siteEmails.send(ctx, keyOf(request), request.body ?? Buffer.alloc(0))
        return reply.type('text/plain').send(`${reason ?? 'sent'}\n`)
      },
    )
  })
}
