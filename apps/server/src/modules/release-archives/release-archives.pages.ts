import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import * as archives from './release-archives.service.ts'

type Address = { Params: { artifact: string }; Querystring: Record<string, unknown> }

/** The files of releases for the pods that run them: an address with a signature. */
export function pages(app: FastifyInstance, ctx: Context) {
  if (ctx.env.ENGINE !== 'kubernetes') return
  app.get<Address>('/release-archives/:artifact', async (request, reply) => {
    const archive = await archives.open(ctx, request.params.artifact, request.query)
    if (!archive) return reply.code(404).send()
    return reply
      .header('Cache-Control', 'no-store')
      .header('Content-Length', archive.size)
      .type('application/gzip')
      .send(archive.content)
  })
}
