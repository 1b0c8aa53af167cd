// How long `npm start` takes when everything is made, and what the parts hold in memory at rest.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createLayout } from '../apps/server/src/engines/hosting/local/files/layout.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { startBareSite } from './baselines/bare-site.ts'
import { createAccount } from './harness/account.ts'
import { type Program, startProgram } from './harness/child-process.ts'
import { childrenOf, proportionalBytes, residentBytes } from './harness/process-memory.ts'
import { createDataDir } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { megabytes, printFigures, seconds, times } from './harness/table.ts'

const startBudget = 2000
const memoryBudget = 200e6
const rounds = 7
const restMilliseconds = 15_000
const root = fileURLToPath(new URL('..', import.meta.url))

const { dataDir, remove } = await createDataDir()

/** Starts the service and gives the time to the first page it hands out. */
async function start(command: string, args: readonly string[]) {
  const port = await freePort()
  const sitesPort = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = performance.now()
  const program = startProgram(command, args, {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      SITES_PORT: String(sitesPort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  await program.unlessItEnds(
    until(async () => (await fetch(url).catch(() => undefined))?.status === 200),
  )
  return { ...program, url, took: performance.now() - started }
}

/** Stops the server that npm started, as Ctrl-C does, and waits until npm has seen it end. */
async function stopBehindNpm({ child }: Program) {
  const exit = once(child, 'exit')
  let innermost = child.pid ?? 0
  for (let [next] = childrenOf(innermost); next !== undefined; [next] = childrenOf(next))
    innermost = next
  process.kill(innermost, 'SIGTERM')
  await exit
}

/** The same without npm around it: the process that is started is the server. */
const startServer = () => start(process.execPath, ['tools/run.mjs', 'apps/server/src/main.ts'])

const warmUp = await start('npm', ['start'])
await stopBehindNpm(warmUp)

const ours: number[] = []
const bare: number[] = []
for (let round = 0; round < rounds; round++) {
  const server = await start('npm', ['start'])
  ours.push(server.took)
  await stopBehindNpm(server)
  const site = await startBareSite()
  bare.push(site.took)
  await site.stop()
}

const server = await startServer()
const account = await createAccount(server.url)
const { key } = await account.create('Example shop')
await until(async () => (await account.view(key)).state === 'ready')
// At rest means after the work: what the start and the sign-up left over has been given back.
await setTimeout(restMilliseconds)
const memory = residentBytes(server.child.pid ?? 0)
const postmaster = Number(
  readFileSync(join(dataDir, 'database/postmaster.pid'), 'utf8').split('\n')[0],
)
const database = proportionalBytes([postmaster, ...childrenOf(postmaster)])
const record = JSON.parse(readFileSync(createLayout(dataDir).site(key).process, 'utf8'))
const site = residentBytes(record.pid)
const bareSite = await startBareSite()
const bareMemory = residentBytes(bareSite.pid)
await bareSite.stop()

printFigures([
  {
    what: 'warm `npm start` to its first page',
    figure: `${seconds(median(ours))} (${range(ours, seconds)})`,
    budget: `≤ ${seconds(startBudget)}`,
    met: median(ours) <= startBudget,
    ratio: `${times(median(ours) / median(bare))} a bare Node server (${seconds(median(bare))})`,
  },
  {
    what: 'server at rest, resident',
    figure: megabytes(memory),
    budget: `≤ ${megabytes(memoryBudget)}`,
    met: memory <= memoryBudget,
    ratio: `${times(memory / bareMemory)} a bare Node server (${megabytes(bareMemory)})`,
  },
  {
    what: 'PostgreSQL at rest, all processes',
    figure: database === undefined ? 'told on Linux only' : megabytes(database),
  },
  {
    what: 'a site at rest, resident',
    figure: megabytes(site),
    ratio: `${times(site / bareMemory)} a bare Node server`,
  },
])

await server.stop()
await remove()
