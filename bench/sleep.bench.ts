// The first request to a site that sleeps, and the memory of projects that sleep.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createProject, type Project } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import { createLayout } from '../apps/server/src/engines/hosting/local/files/layout.ts'
import { zipOf } from '../apps/server/src/testing/archives.ts'
import { processesOf } from '../apps/server/src/testing/processes.ts'
import { sitePage } from '../apps/server/src/testing/site-page.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { startBareSite } from './baselines/bare-site.ts'
import { prepareSandboxedSite } from './baselines/sandboxed-site.ts'
import { type Account, createAccount } from './harness/account.ts'
import { watchProjects } from './harness/project-watch.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import {
  type Measurement,
  megabytes,
  milliseconds,
  print,
  printMeasurements,
  times,
} from './harness/table.ts'

const wakeRounds = 25
const wakeBudget = 500
const wakeRatio = 2.5
const sleepers = 200
const memoryBudget = 20e6

const { dataDir, remove } = await createDataDir()
const serviceDir = join(dataDir, 'service')
const layout = createLayout(serviceDir)
const settings = { SLEEP_AFTER: '1', PROJECT_LIMIT: '300', SITE_LIMIT: '300' }

/** Waits until the site is marked as asleep and its process has ended. */
async function untilAsleep({ key }: Project) {
  const { asleep, folder } = layout.site(key)
  await until(async () => existsSync(asleep) && (await processesOf(folder)).length === 0)
}

async function firstVisit(project: Project, sitesPort: number) {
  const startedAt = performance.now()
  const { status } = await sitePage(sitesPort, `${project.key}.localhost`)
  if (status !== 200) throw new Error(`the site responded ${status}`)
  return performance.now() - startedAt
}

async function createNodeApp({ call, teamId }: Account): Promise<Project> {
  const project = await call(createProject, {
    body: { name: 'Example', teamId, regionId: 'eu', domain: null, runtime: 'node' },
  })
  const archive = zipOf({
    'package.json': '{"main":"server.js"}',
    'server.js':
      "require('node:http').createServer((q, s) => s.end('ok')).listen(process.env.PORT)",
  })
  const body = new Blob([new Uint8Array(archive)], { type: 'application/zip' })
  const { number } = await call(createRelease, { params: { id: project.id }, query: {}, body })
  const params = { id: project.id, number: String(number) }
  await until(async () => (await call(viewRelease, { params })).state === 'live')
  return project
}

/** Wakes a site and starts the baseline alternately. `startBaseline` returns milliseconds. */
async function measureWakes(
  measure: string,
  project: Project,
  sitesPort: number,
  startBaseline: () => Promise<number>,
  baseline: string,
): Promise<Measurement> {
  const wakes: number[] = []
  const bare: number[] = []
  for (let round = 0; round < wakeRounds; round++) {
    await untilAsleep(project)
    wakes.push(await firstVisit(project, sitesPort))
    bare.push(await startBaseline())
  }
  const p95 = percentile(wakes, 0.95)
  const ratio = median(wakes) / median(bare)
  return {
    measure: `${measure}, ${wakeRounds} in a row`,
    value: `p95 ${milliseconds(p95)}, median ${milliseconds(median(wakes))} (${range(wakes, milliseconds)})`,
    budget: `p95 ≤ ${milliseconds(wakeBudget)}, ≤ ${wakeRatio}x`,
    met: p95 <= wakeBudget && ratio <= wakeRatio,
    ratio: `${times(ratio)} ${baseline} (${milliseconds(median(bare))})`,
  }
}

async function startBare() {
  const site = await startBareSite()
  await site.stop()
  return site.duration
}

/** The memory of a server that has just started, after a garbage collection. */
async function residentWhenIdle() {
  const server = await startServer(serviceDir, settings)
  const { rss } = await server.memory()
  await server.stop()
  return rss
}

const server = await startServer(serviceDir, settings)
const account = await createAccount(server.url)
const watch = await watchProjects(server.url, account)
const createReady = async () => {
  const project = await account.createProject('Example shop')
  await watch.waitForState(project, 'ready')
  return project
}
const measurements = [
  await measureWakes(
    'wake of a starter site',
    await createReady(),
    server.sitesPort,
    startBare,
    'a bare site',
  ),
]
const startSandboxed = await prepareSandboxedSite(dataDir)
if (startSandboxed)
  measurements.push(
    await measureWakes(
      'wake of a Node app',
      await createNodeApp(account),
      server.sitesPort,
      startSandboxed,
      'a bare start in the same sandbox',
    ),
  )
else print('Node apps need a sandbox, which this machine does not have.')
printMeasurements(measurements)

const memoryBefore: number[] = []
watch.close()
await server.stop()
for (let round = 0; round < 3; round++) memoryBefore.push(await residentWhenIdle())
const restarted = await startServer(serviceDir, settings)
const secondAccount = await createAccount(restarted.url)
const secondWatch = await watchProjects(restarted.url, secondAccount)
/** Creates projects, five at once, each of which sleeps, is visited once and sleeps again. */
async function createSleepers(count: number) {
  for (let created = 0; created < count; created += 5)
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const project = await secondAccount.createProject('Example shop')
        await secondWatch.waitForState(project, 'ready')
        await untilAsleep(project)
        await firstVisit(project, restarted.sitesPort)
        await untilAsleep(project)
      }),
    )
}
const firstSleepers = 5
await createSleepers(firstSleepers)
const { rss: withFirst } = await restarted.memory()
await createSleepers(sleepers - firstSleepers)
const { rss: withAll } = await restarted.memory()
secondWatch.close()
await restarted.stop()
const memoryAfter: number[] = []
for (let round = 0; round < 3; round++) memoryAfter.push(await residentWhenIdle())
const growth = median(memoryAfter) - median(memoryBefore)
printMeasurements([
  {
    measure: `memory of ${sleepers} sleeping projects, the server just started`,
    value: `${megabytes(growth)} (${megabytes(median(memoryAfter))} instead of ${megabytes(median(memoryBefore))})`,
    budget: `≤ ${megabytes(memoryBudget)}`,
    met: growth <= memoryBudget,
  },
  {
    measure: `the server that woke each of them and put it to sleep, after ${sleepers} instead of ${firstSleepers}`,
    value: `${megabytes(withAll - withFirst)} (${megabytes(withAll)} instead of ${megabytes(withFirst)})`,
  },
])
await remove()
