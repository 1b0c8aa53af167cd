import { parseArgs } from 'node:util'
import { createLog, type Log } from './log.ts'
import { createSiteServer } from './server.ts'
import { openSite } from './site.ts'

const drainMs = 5_000

/**
 * `--socket` is the path of a Unix socket to listen on, or the descriptor of a listening socket.
 * Containers use `--port`.
 */
const usage = 'main.ts --settings <file> --data <folder> (--socket <path or number> | --port <n>)'

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      settings: { type: 'string' },
      data: { type: 'string' },
      socket: { type: 'string' },
      port: { type: 'string' },
    },
  })
  const { settings, data, socket, port } = values
  if (!settings || !data) throw new Error(usage)
  if (port) return { settings, data, socket: { port: Number(port) } }
  if (!socket) throw new Error(usage)
  return { settings, data, socket: /^\d+$/.test(socket) ? { fd: Number(socket) } : socket }
}

const run = async (log: Log): Promise<void> => {
  const { settings, data, socket } = readArguments()
  const site = await openSite({ settings, data }, log)
  const server = createSiteServer(site)

  const stop = () => {
    server.close()
    setTimeout(() => server.closeAllConnections(), drainMs).unref()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)

  server.once('error', (error) => {
    log.error({ reason: String(error) }, 'The site cannot listen')
    process.exitCode = 1
  })
  server.listen(socket, () =>
    log.info({ pid: process.pid, version: site.version }, 'The site listens'),
  )
}

const log = createLog()
try {
  await run(log)
} catch (error) {
  log.error({ reason: String(error) }, 'The site cannot start')
  process.exitCode = 1
}
