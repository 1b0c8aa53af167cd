// The time of a warm `npm start`, and the memory of each idle part.
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
import { type RunningProcess, startProcess } from './harness/child-process.ts'
import { childrenOf, proportionalBytes, residentBytes } from './harness/process-memory.ts'
import { createDataDir } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { megabytes, printMeasurements, seconds, times } from './harness/table.ts'

const startBudget = 2000
const memoryBudget = 200e6
const rounds = 7
const idleMilliseconds = 15_000
const root = fileURLToPath(new URL('..', import.meta.url))

const { dataDir, remove } = await createDataDir()

/** Starts the service, and measures the time to its first page. */
async function start(command: string, args: readonly string[]) {
  const port = await freePort()
  const sitesPort = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = performance.now()
  const processHandle = startProcess(command, args, {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PICTURES_BROWSER: 'off',
      PORT: String(port),
      SITES_PORT: String(sitesPort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A new process group, as in a terminal.
    detached: true,
    shell: process.platform === 'win32',
  })
  await processHandle.orExit(
    until(async () => (await fetch(url).catch(() => undefined))?.status === 200),
  )
  return { ...processHandle, url, duration: performance.now() - started }
}

/** Sends SIGINT to npm's process group, as Ctrl-C does, and waits until npm exits. */
async function interruptNpm({ child }: RunningProcess) {
  const exit = once(child, 'exit')
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await exit
}

const startServer = () =>
  start(process.execPath, ['--enable-source-maps', 'apps/server/dist/main.js'])

const warmUp = await start('npm', ['start'])
await interruptNpm(warmUp)

const ours: number[] = []
const bare: number[] = []
for (let round = 0; round < rounds; round++) {
  const server = await start('npm', ['start'])
  ours.push(server.duration)
  await interruptNpm(server)
  const site = await startBareSite()
  bare.push(site.duration)
  await site.stop()
}

const server = await startServer()
const account = await createAccount(server.url)
const { key } = await account.createProject('Example shop')
await until(async () => (await account.viewProject(key)).state === 'ready')
// Idle: the garbage of the start and the sign-up has been freed.
await setTimeout(idleMilliseconds)
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

printMeasurements([
  {
    measure: 'warm `npm start` to its first page',
    value: `${seconds(median(ours))} (${range(ours, seconds)})`,
    budget: `≤ ${seconds(startBudget)}`,
    met: median(ours) <= startBudget,
    ratio: `${times(median(ours) / median(bare))} a bare Node server (${seconds(median(bare))})`,
  },
  {
    measure: 'server idle, resident',
    value: megabytes(memory),
    budget: `≤ ${megabytes(memoryBudget)}`,
    met: memory <= memoryBudget,
    ratio: `${times(memory / bareMemory)} a bare Node server (${megabytes(bareMemory)})`,
  },
  {
    measure: 'PostgreSQL idle, all processes',
    value: database === undefined ? 'measured on Linux only' : megabytes(database),
  },
  {
    measure: 'a site idle, resident',
    value: megabytes(site),
    ratio: `${times(site / bareMemory)} a bare Node server`,
  },
])

await server.stop()
await remove()
