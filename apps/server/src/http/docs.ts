import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { limitByAddress } from './rate-limit.ts'

export const docsPath = '/api/docs'

const swaggerUiFolder = dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui'))

/** Replaces the logo of Swagger UI. */
const emptyImage = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

/** Documentation of the contract: a page at `/api/docs`, OpenAPI 3.0 at `/api/docs/json`. */
export async function mountDocs(app: FastifyInstance, publicUrl: string, callsPerMinute: number) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Slipway',
        version: '1',
        description: 'Every error response has the form `{ code, error, context?, root? }`.',
      },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  })
  await app.register(async (docs) => {
    limitByAddress(docs, callsPerMinute)
    // The plugin serializes and encodes the whole document for each request.
    let document: Buffer | undefined
    docs.addHook('preHandler', (request, reply, done) => {
      if (request.routeOptions.url !== `${docsPath}/json`) return done()
      document ??= Buffer.from(JSON.stringify(app.swagger()))
      reply.type('application/json; charset=utf-8').send(document)
    })
    await docs.register(swaggerUi, {
      routePrefix: docsPath,
      baseDir: join(swaggerUiFolder, 'static'),
      staticCSP: true,
      logo: { type: 'image/svg+xml', content: Buffer.from(emptyImage) },
      theme: { title: 'Slipway API' },
      uiConfig: { docExpansion: 'list', deepLinking: true },
    })
  })
}
