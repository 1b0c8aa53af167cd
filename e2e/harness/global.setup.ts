import { join } from 'node:path'
import type { FullConfig } from '@playwright/test'
import { createOperator } from './operator.ts'
import { createServer } from './server.ts'

/** Starts the server that the tests share; the returned function stops it, also after failures. */
export default async function setUp(config: FullConfig) {
  const outputDir = config.projects[0]?.outputDir ?? 'test-results'
  const server = await createServer({ logFile: join(outputDir, 'server.log') })
  try {
    await server.start()
    // The tests run in other processes, which inherit this environment.
    process.env.E2E_OPERATOR_TOKEN = (await createOperator(server.url)).token
  } catch (error) {
    await server.remove()
    throw error
  }
  process.env.E2E_URL = server.url
  process.env.E2E_SITES_PORT = String(server.sitesPort)
  process.env.E2E_DATA_DIR = server.dataDir
  return () => server.remove()
}
