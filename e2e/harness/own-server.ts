import { createServer, type Server } from './server.ts'
import { test as base } from './test.ts'

/** The browser's errors when the server of an open page is killed, also while a chunk loads. */
export const connectionErrors =
  /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|Failed to fetch dynamically imported module/

/** The test function with a server for each test, which may be killed. */
export const test = base.extend<{ server: Server; serverEnv: Record<string, string> }>({
  serverEnv: [{}, { option: true }],

  server: async ({ serverEnv: env }, use, testInfo) => {
    const server = await createServer({ logFile: testInfo.outputPath('server.log'), env })
    try {
      await server.start()
      await use(server)
    } finally {
      await server.remove()
    }
  },
})
