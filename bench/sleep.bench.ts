// The first request to a site that sleeps.
import { existsSync } from 'node:fs'
import type { Project } from '@slipway/contract/projects'
import { createLayout } from '../apps/server/src/engines/hosting/local/files/layout.ts'
import { processesOf } from '../apps/server/src/testing/processes.ts'
import { sitePage } from '../apps/server/src/testing/site-page.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { startBareSite } from './baselines/bare-site.ts'
import { createAccount } from './harness/account.ts'
import { watchProjects } from './harness/project-watch.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import { milliseconds, printFigures, times } from './harness/table.ts'

const wakeRounds = 25
const wakeBudget = 500
const wakeRatio = 2.5

const { dataDir, remove } = await createDataDir()
const layout = createLayout(dataDir)
const settings = { SLEEP_AFTER: '1' }
const server = await startServer(dataDir, settings)
const account = await createAccount(server.url)
const projects = await watchProjects(server.url, account)

async function createReady(): Promise<Project> {
  const project = await account.create('Example shop')
  await projects.waitForState(project, 'ready')
  return project
}

/** Waits until the site is marked as asleep and its process has ended. */
async function untilAsleep({ key }: Project) {
  const { asleep, folder } = layout.site(key)
  await until(async () => existsSync(asleep) && (await processesOf(folder)).length === 0)
}

async function firstVisit(project: Project) {
  const startedAt = performance.now()
  const { status } = await sitePage(server.sitesPort, `${project.key}.localhost`)
  if (status !== 200) throw new Error(`the site responded ${status}`)
  return performance.now() - startedAt
}

const wakes: number[] = []
const bare: number[] = []
const sleeper = await createReady()
for (let round = 0; round < wakeRounds; round++) {
  await untilAsleep(sleeper)
  wakes.push(await firstVisit(sleeper))
  const site = await startBareSite()
  bare.push(site.duration)
  await site.stop()
}

projects.close()
await server.stop()
const p95 = percentile(wakes, 0.95)
const ratio = median(wakes) / median(bare)

printFigures([
  {
    measure: `wake of a starter site, ${wakeRounds} in a row`,
    figure: `p95 ${milliseconds(p95)}, median ${milliseconds(median(wakes))} (${range(wakes, milliseconds)})`,
    budget: `p95 ≤ ${milliseconds(wakeBudget)}, ≤ ${wakeRatio}x`,
    met: p95 <= wakeBudget && ratio <= wakeRatio,
    ratio: `${times(ratio)} a bare site`,
  },
])
await remove()
