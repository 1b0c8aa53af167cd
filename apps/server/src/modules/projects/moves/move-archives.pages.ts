import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import * as archives from './move-archives.ts'

type Address = { Params: { id: string }; Querystring: Record<string, unknown> }

const path = '/move-archives/:id'

/**
 * The files of sites that move to another cluster, for the pods that send and fetch them: an
 * address with a signature, for one move.
 */
export function archivePages(app: FastifyInstance, ctx: Context) {
  app.get<Address>(path, async (request, reply) => {
    const archive = await archives.open(ctx, request.params.id, request.query)
    if (!archive) return reply.code(404).send()
    return reply
      .header('Cache-Control', 'no-store')
      .header('Content-Length', archive.size)
      .type('application/octet-stream')
      .send(archive.content)
  })
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
      done(null, payload),
    )
    scope.put<Address & { Body: Readable }>(
      path,
      { config: { upload: true } },
      async (request, reply) => {
        const { params, query, body } = request
        const stored = body && (await archives.receive(ctx, params.id, query, body))
        return stored ? reply.send(stored) : reply.code(404).send()
      },
    )
  })
}
