import { startDatabase } from '../../bench/harness/seed.ts'
import { createDataDir, startServer } from '../../bench/harness/server.ts'
import { operatorEmail } from '../../e2e/harness/operator.ts'
import { uploadLimit } from './requests/uploads.ts'

export type Product = Awaited<ReturnType<typeof startProduct>>

/**
 * Small, so that a run reaches a team's limit of projects. With fewer, no creation would succeed.
 */
const projectLimit = '6'

/**
 * The product on its own folders and ports: one server without a rate limit, and a web server
 * beside it with the usual one.
 */
export async function startProduct() {
  const { dataDir, remove } = await createDataDir()
  const database = await startDatabase(dataDir)
  const env = {
    DATABASE_URL: database.url,
    OPERATOR_EMAILS: operatorEmail,
    PROJECT_LIMIT: projectLimit,
    RELEASE_MAX_MB: String(uploadLimit),
    // No server listens there: DNS checks fail at once.
    DNS_SERVERS: '127.0.0.1:9',
  }
  const server = await startServer(dataDir, env)
  const rateLimitedServer = await startServer(dataDir, { ...env, ROLE: 'web', RATE_LIMIT: '1200' })
  return {
    dataDir,
    database,
    server,
    rateLimitedServer,
    async stop() {
      await rateLimitedServer.stop()
      await server.stop()
      await database.stop()
      await remove()
    },
  }
}
