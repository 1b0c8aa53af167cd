import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ContentTooLargeError } from '../../engines/hosting/engine.ts'
import * as archives from './content-archives.service.ts'

type Address = { Params: { id: string }; Querystring: Record<string, unknown> }

const path = '/content-archives/:id'

/**
 * The files of sites that are moved, backed up or restored, for the pods that send and fetch them:
 * an address with a signature, for one transfer.
 */
export function pages(app: FastifyInstance, ctx: Context) {
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
        try {
          const stored = body && (await archives.receive(ctx, params.id, query, body))
          return stored ? reply.send(stored) : reply.code(404).send()
        } catch (error) {
          if (error instanceof ContentTooLargeError) return reply.code(413).send()
          throw error
        }
      },
    )
  })
}
