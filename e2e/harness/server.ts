import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  cardNumberMatcher,
  rowsWithCardNumber,
} from '../../apps/server/src/testing/card-numbers.ts'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { expectNoProcesses } from '../../apps/server/src/testing/processes.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { databaseOf } from './database.ts'
import { operatorEmail } from './operator.ts'

const main = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url))
const endWithParent = new URL('../../tools/end-with-parent.mjs', import.meta.url).href

export type Server = Awaited<ReturnType<typeof createServer>>

/**
 * A server as `npm start` runs it, on free ports and with a new data folder. The caller calls
 * `start`, and `remove` at the end. `env` extends its environment; `mainFile` replaces its main
 * file, and `node` the command that runs it.
 */
export async function createServer(
  overrides: {
    logFile?: string
    env?: Record<string, string>
    mainFile?: string
    node?: readonly string[]
  } = {},
) {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'slipway-e2e-')))
  // As root, the database and the sites run as other users, who must enter the folder.
  await chmod(dataDir, 0o711)
  const { logFile = join(dataDir, 'server.log'), env, mainFile = main } = overrides
  const [program = '', ...options] = overrides.node ?? [process.execPath]
  await mkdir(dirname(logFile), { recursive: true })
  const [port, sitesPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  let child: ChildProcess | undefined

  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const isReady = async () => {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    return response?.status === 200
  }

  async function stop(signal: 'SIGINT' | 'SIGKILL') {
    if (!child || !isAlive()) return
    const exit = once(child, 'exit')
    child.kill(signal)
    const [code] = await exit
    if (signal === 'SIGINT' && code !== 0)
      throw new Error(`the server exited with ${code}: ${await readFile(logFile, 'utf8')}`)
  }

  return {
    url,
    sitesPort,
    dataDir,
    /** Starts the server and waits until it is ready. */
    async start() {
      const log = openSync(logFile, 'a')
      child = spawn(
        program,
        [...options, '--enable-source-maps', '--import', endWithParent, mainFile],
        {
          env: {
            PATH: process.env.PATH,
            NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
            CONSOLE_DIR: process.env.CONSOLE_DIR,
            DATA_DIR: dataDir,
            PORT: String(port),
            SITES_PORT: String(sitesPort),
            RATE_LIMIT: '0',
            PICTURES_BROWSER: 'off',
            // No server listens there: DNS checks fail at once.
            DNS_SERVERS: '127.0.0.1:9',
            OPERATOR_EMAILS: operatorEmail,
            ...env,
          },
          stdio: ['ignore', log, log],
        },
      )
      await until(async () => {
        if (!isAlive()) throw new Error(await readFile(logFile, 'utf8'))
        return isReady()
      })
    },
    /** Kills the server with SIGKILL. Its database and its sites keep running. */
    kill: () => stop('SIGKILL'),
    /**
     * Stops the server with its sites, as Ctrl-C does, and removes its data. Throws for an exit
     * code other than 0, a logged error, and a stored or logged card number.
     */
    async remove() {
      const database = databaseOf(dataDir)
      const leaks = database ? await rowsWithCardNumber(database) : []
      await stop('SIGINT')
      const logged = await readFile(logFile, 'utf8').catch(() => '')
      await expectNoProcesses(dataDir)
      await rm(dataDir, { recursive: true, force: true })
      const lines = logged.split('\n')
      leaks.push(...lines.filter(cardNumberMatcher()))
      if (leaks.length > 0)
        throw new Error(`card numbers were stored or logged:\n${leaks.join('\n')}`)
      const errors = lines.filter(
        (line) =>
          /"level":"(error|fatal)"/.test(line) &&
          // Projects that tests insert into the database have no site.
          !line.includes('"msg":"a site has lost its data"'),
      )
      if (errors.length > 0) throw new Error(`the server logged errors:\n${errors.join('\n')}`)
    },
  }
}
