import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { createRateLimit } from '../../http/rate-limit.ts'
import * as pictures from './site-pictures.service.ts'

type Address = { Params: { name: string } }

/** Pictures of sites, which are public: an address that cannot be guessed, without a session. */
export function pages(app: FastifyInstance, ctx: Context) {
  const options = { onRequest: createRateLimit(app, ctx.env.RATE_LIMIT) }
  app.get<Address>(`${pictures.picturesPath}/:name`, options, async (request, reply) => {
    // Drawn by a browser that read a hostile page: nothing in it may run.
    reply.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    const image = await pictures.load(ctx, request.params.name)
    if (!image) return reply.code(404).header('Cache-Control', 'no-store').send()
    return reply
      .header('Cache-Control', 'private, max-age=31536000, immutable')
      .type('image/webp')
      .send(image)
  })
}
