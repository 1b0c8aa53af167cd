import { parseArgs } from 'node:util'
import { createLog, type Log } from './log.ts'
import { createSiteServer } from './server.ts'
import { openSite } from './site.ts'

const drainMs = 5_000

const usage = 'main.ts --settings <file> --data <folder> --socket <path> [--await-start]'

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      settings: { type: 'string' },
      data: { type: 'string' },
      socket: { type: 'string' },
      'await-start': { type: 'boolean', default: false },
    },
  })
  const { settings, data, socket } = values
  if (!settings || !data || !socket) throw new Error(usage)
  return { settings, data, socket, awaitStart: values['await-start'] }
}

/**
 * Waits until the engine has recorded this process and confirms it on standard input. If the engine
 * dies before, the input ends and the site must exit, or it would run unrecorded.
 */
const mayStart = (): Promise<boolean> =>
  new Promise((resolve, reject) => {
    process.stdin.once('error', reject)
    process.stdin.once('end', () => resolve(false))
    process.stdin.once('data', () => {
      resolve(true)
      process.stdin.destroy()
    })
  })

const run = async (log: Log): Promise<void> => {
  const { settings, data, socket, awaitStart } = readArguments()
  if (awaitStart && !(await mayStart())) return

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
