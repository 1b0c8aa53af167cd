import { createServer } from 'node:http'
import type { Build } from './build.ts'
import type { Metrics } from './metrics.ts'

/**
 * `/metrics` and `/version` on a separate address, so that neither is public: both show an
 * attacker the running version and its load.
 */
export function createMetricsServer(
  metrics: Metrics,
  build: Build,
  log: { error(fields: object, message: string): void },
) {
  const bodies: Record<string, () => Promise<{ type: string; body: string }>> = {
    '/metrics': async () => ({ type: metrics.contentType, body: await metrics.render() }),
    '/version': async () => ({ type: 'application/json', body: JSON.stringify(build) }),
  }
  const server = createServer({ requestTimeout: 10_000 }, async (request, response) => {
    const body = bodies[request.url?.split('?')[0] ?? '']
    if (!body) return void response.writeHead(404).end()
    try {
      const content = await body()
      response.writeHead(200, { 'Content-Type': content.type }).end(content.body)
    } catch (err) {
      log.error({ err }, 'the metrics could not be written')
      response.writeHead(500).end()
    }
  })

  return {
    listen: (port: number, host: string) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host }, resolve)
      }),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await metrics.close()
    },
  }
}
