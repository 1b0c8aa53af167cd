import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { docsPage, docsScript } from './docs.page.ts'
import { docsStyle } from './docs.style.ts'
import { withCodeSamples } from './openapi/code-samples.ts'
import { openApiDocument } from './openapi/document.ts'
import { limitByAddress } from './rate-limit.ts'

export const docsPath = '/api/docs'

const swaggerUiFolder = dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
)

/** Documentation of the contract: a page at `/api/docs`, OpenAPI 3.1 at `/api/docs/json`. */
export async function mountDocs(app: FastifyInstance, apiUrl: string, callsPerMinute: number) {
  await app.register(
    async (docs) => {
      limitByAddress(docs, callsPerMinute)
      let document: Buffer | undefined
      docs.get('/json', (_request, reply) => {
        document ??= Buffer.from(JSON.stringify(withCodeSamples(openApiDocument(apiUrl), apiUrl)))
        return reply.type('application/json; charset=utf-8').send(document)
      })
      const files = [
        ['', 'text/html', docsPage],
        ['/page.css', 'text/css', docsStyle],
        ['/page.js', 'text/javascript', docsScript],
      ] as const
      for (const [path, type, content] of files)
        docs.get(path, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(content))
      await docs.register(fastifyStatic, {
        root: swaggerUiFolder,
        prefix: '/swagger-ui/',
        // One route per file, of the two that the page loads.
        wildcard: false,
        globIgnore: ['!(swagger-ui-bundle.js|swagger-ui.css)'],
        decorateReply: false,
      })
    },
    { prefix: docsPath },
  )
}
