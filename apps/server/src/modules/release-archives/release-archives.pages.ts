import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { receivePackages, type UploadResult } from './release-archives.packages.ts'
import * as archives from './release-archives.service.ts'

type Address = { Params: { artifact: string }; Querystring: Record<string, unknown> }

const uploadStatus: Record<UploadResult, number> = {
  stored: 204,
  not_signed: 404,
  exists: 409,
  busy: 409,
  too_large: 413,
}

/** The files of releases for the pods that run them: an address with a signature. */
export function pages(app: FastifyInstance, ctx: Context) {
  if (!ctx.env.ENGINE.includes('kubernetes')) return
  app.get<Address>('/release-archives/:artifact', async (request, reply) => {
    const archive = await archives.open(ctx, request.params.artifact, request.query)
    if (!archive) return reply.code(404).send()
    return reply
      .header('Cache-Control', 'no-store')
      .header('Content-Length', archive.size)
      .type('application/gzip')
      .send(archive.content)
  })
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/gzip', (_request, body, done) => done(null, body))
    scope.put<Address & { Body: Readable | undefined }>(
      '/release-archives/:artifact/packages',
      { config: { upload: true } },
      async ({ params, query, body }, reply) => {
        const result = await receivePackages(ctx, params.artifact, query, body ?? Readable.from([]))
        // The rest of a rejected upload is not read.
        if (result !== 'stored') reply.header('Connection', 'close')
        return reply.code(uploadStatus[result]).send()
      },
    )
  })
}
