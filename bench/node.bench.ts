// Deployments of a Node app while visits continue, and the memory of 50 awake Node sites.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createProject } from '@slipway/contract/projects'
import { createArtifactStore } from '../apps/server/src/artifacts/artifact-store.ts'
import { instance } from '../apps/server/src/engines/hosting/local/fixtures/local-engine.fixture.ts'
import { createLocalEngine } from '../apps/server/src/engines/hosting/local/local-engine.ts'
import { zipOf } from '../apps/server/src/testing/archives.ts'
import { sitePage } from '../apps/server/src/testing/site-page.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { createAccount } from './harness/account.ts'
import { deployZip, startVisits } from './harness/deployment.ts'
import { proportionalBytes } from './harness/process-memory.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import {
  megabytes,
  milliseconds,
  print,
  printMeasurements,
  seconds,
  times,
} from './harness/table.ts'

const deployBudget = 2_000
const rounds = 20
const sites = 50
const memoryBudget = 1.3

const program = (text: string) =>
  `require('node:http').createServer((q, s) => s.end('${text}')).listen(process.env.PORT)`
const appOf = (text: string) =>
  zipOf({ 'package.json': '{"scripts":{"start":"node server.js"}}', 'server.js': program(text) })

const { dataDir, remove } = await createDataDir()

async function measureDeployments() {
  const server = await startServer(join(dataDir, 'service'))
  const account = await createAccount(server.url)
  const { id, key } = await account.call(createProject, {
    body: {
      name: 'Example',
      teamId: account.teamId,
      regionId: 'eu',
      domain: null,
      runtime: 'node',
    },
  })

  async function deploy(text: string) {
    const sentAt = await deployZip(server.url, account, id, appOf(text))
    await until(async () => (await sitePage(server.sitesPort, `${key}.localhost`)).body === text)
    return performance.now() - sentAt
  }

  await deploy('first')
  const visiting = startVisits(server.sitesPort, `${key}.localhost`)
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) samples.push(await deploy(`release ${round}`))
  const visitCounts = await visiting.stop()
  await server.stop()
  return { samples, ...visitCounts }
}

const listPids = () => readdirSync('/proc').map(Number).filter(Boolean)
const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function measureSites() {
  const folder = join(dataDir, 'sites')
  const limits = { archiveBytes: 1e8, unpackedBytes: 1e9, files: 50_000 }
  const engine = createLocalEngine({
    dataDir: folder,
    gateway: { host: '127.0.0.1', port: 1 },
    log: { info() {}, warn() {}, error() {} },
  })
  await engine.start()
  const artifacts = createArtifactStore(folder, limits)
  const { digest: artifact } = await artifacts.receive(Readable.from([appOf('bench')]))
  await artifacts.unpack(artifact)
  const before = new Set(listPids())
  for (let site = 0; site < sites; site++)
    await engine.apply(instance(`bench-${site}`, { runtime: 'node', artifact }), {
      mayCreate: true,
    })
  const started = () => listPids().filter((pid) => !before.has(pid))
  // Once a site has started, three processes have this file in their command line.
  await until(
    () => started().filter((pid) => commandOf(pid).includes('server.js')).length >= sites * 3,
  )
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const memory = proportionalBytes(started().filter((pid) => /server\.js/.test(commandOf(pid))))
  await engine.close({ stopSites: true })
  return memory
}

async function measureBare() {
  const file = join(dataDir, 'bare.js')
  await writeFile(file, program('bench'))
  const children = Array.from({ length: sites }, () =>
    spawn(process.execPath, [file], { env: { PORT: '0' }, stdio: 'ignore' }),
  )
  await new Promise((resolve) => setTimeout(resolve, 8_000))
  const memory = proportionalBytes(children.map(({ pid }) => pid ?? 0))
  for (const child of children) child.kill('SIGKILL')
  return memory
}

const { samples, failed, visits } = await measureDeployments()
const p95 = percentile(samples, 0.95)
print(`${sites} sites ...`)
const bare = (await measureBare()) ?? 0
const awake = (await measureSites()) ?? 0
printMeasurements([
  {
    measure: `Node app without dependencies, last byte → live, ${rounds} in a row`,
    value: `p95 ${milliseconds(p95)}, median ${milliseconds(median(samples))} (${range(samples, milliseconds)})`,
    budget: `p95 ≤ ${seconds(deployBudget)}`,
    met: p95 <= deployBudget,
  },
  {
    measure: 'failed visits meanwhile, at 100 a second',
    value: `${failed} of ${visits}`,
    budget: '0',
    met: failed === 0,
  },
  {
    measure: `memory of ${sites} awake Node sites`,
    value: `${megabytes(awake)}, bare ${megabytes(bare)}`,
    budget: `≤ ${times(memoryBudget)} bare`,
    met: awake / bare <= memoryBudget,
    ratio: `${times(awake / bare)} bare`,
  },
])
await remove()
