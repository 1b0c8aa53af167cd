// The creation of a WordPress, its home page, and the first request after it has slept.
import { existsSync } from 'node:fs'
import { createProject, type Project } from '@slipway/contract/projects'
import { createArtifactLayout } from '../apps/server/src/artifacts/artifact-layout.ts'
import { createLayout } from '../apps/server/src/engines/hosting/local/files/layout.ts'
import { processesOf } from '../apps/server/src/testing/processes.ts'
import { sitePage } from '../apps/server/src/testing/site-page.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { findWordPress, wordPressArtifact } from '../apps/server/src/testing/wordpress.ts'
import { operatorEmail } from '../e2e/harness/operator.ts'
import { operatorToken, uploadVersion } from '../e2e/harness/wordpress.ts'
import { startBareWordPress } from './baselines/bare-wordpress.ts'
import { createAccount } from './harness/account.ts'
import { watchProjects } from './harness/project-watch.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import { milliseconds, print, printMeasurements, seconds, times } from './harness/table.ts'

const creations = 5
const pages = 100
const wakes = 15

const sources = await findWordPress()
if (!sources) {
  print('This machine cannot run WordPress.')
  process.exit()
}
const { dataDir, remove } = await createDataDir()
const layout = createLayout(dataDir)
const server = await startServer(dataDir, { SLEEP_AFTER: '2', OPERATOR_EMAILS: operatorEmail })
const artifact = await wordPressArtifact(sources)
await artifact.install(dataDir)
await uploadVersion(server.url, await operatorToken(server.url), artifact)
const account = await createAccount(server.url)

const hostOf = ({ key }: Project) => `${key}.localhost`

async function timed(work: () => Promise<unknown>) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function visit(project: Project) {
  const { status } = await sitePage(server.sitesPort, hostOf(project))
  if (status !== 200) throw new Error(`the site responded ${status}`)
}

const created: number[] = []
let project: Project | undefined
for (let number = 0; number < creations; number++) {
  const projects = await watchProjects(server.url, account)
  created.push(
    await timed(async () => {
      const body = { name: 'Blog', teamId: account.teamId, regionId: 'eu', domain: null }
      project = await account.call(createProject, { body: { ...body, runtime: 'wordpress' } })
      await projects.waitForState(project, 'ready')
      await visit(project)
    }),
  )
  projects.close()
}
if (!project) throw new Error('there is no project')
const site = project

const core = createArtifactLayout(dataDir).artifact(artifact.digest).files
const bare = await startBareWordPress(layout, site.key, core)
const [ours, theirs]: [number[], number[]] = [[], []]
const host = `${hostOf(site)}:${server.sitesPort}`
for (let page = 0; page < pages + 10; page++) {
  const [ourTime, bareTime] = [
    await timed(() => visit(site)),
    await timed(async () => {
      if ((await bare.page(host, '/')) < 10_000) throw new Error('the bare site has no page')
    }),
  ]
  // The first requests fill the caches.
  if (page < 10) continue
  ours.push(ourTime)
  theirs.push(bareTime)
}
await bare.stop()

const woken: number[] = []
const { asleep, folder } = layout.site(site.key)
for (let round = 0; round < wakes; round++) {
  await until(async () => existsSync(asleep) && (await processesOf(folder)).length === 0)
  woken.push(await timed(() => visit(site)))
}

await server.stop()
const ratio = median(ours) / median(theirs)
const [slowest, p95] = [Math.max(...created), percentile(woken, 0.95)]
printMeasurements([
  {
    measure: `WordPress, created → its page, ${creations} in a row`,
    value: `slowest ${seconds(slowest)}, median ${seconds(median(created))} (${range(created, seconds)})`,
    budget: '≤ 10 s',
    met: slowest <= 10_000,
  },
  {
    measure: `a warm page of WordPress, ${pages} in a row`,
    value: `median ${milliseconds(median(ours))}, p95 ${milliseconds(percentile(ours, 0.95))}`,
    budget: '≤ 1.3x',
    met: ratio <= 1.3,
    ratio: `${times(ratio)} the same php-fpm without sandbox and gateway (median ${milliseconds(median(theirs))})`,
  },
  {
    measure: `wake of a WordPress, ${wakes} in a row`,
    value: `p95 ${milliseconds(p95)}, median ${milliseconds(median(woken))} (${range(woken, milliseconds)})`,
    budget: '≤ 1 s',
    met: p95 <= 1_000,
  },
])
await remove()
