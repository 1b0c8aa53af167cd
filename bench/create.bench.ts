// From the request for a project to its state `ready`, compared with the start of a bare Node site.
import { deleteProject, type Project } from '@slipway/contract/projects'
import { startBareSite } from './baselines/bare-site.ts'
import { createAccount } from './harness/account.ts'
import { watchProjects } from './harness/project-watch.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import { milliseconds, printMeasurements, seconds, times } from './harness/table.ts'

const sequential = { count: 50, budget: 1000 }
const concurrent = { count: 20, rounds: 3, budget: 15_000 }

const { dataDir, remove } = await createDataDir()
const server = await startServer(dataDir, { PROJECT_LIMIT: '200' })
const account = await createAccount(server.url)
const projects = await watchProjects(server.url, account)

async function timed<Result>(work: () => Promise<Result>) {
  const started = performance.now()
  const result = await work()
  return { result, duration: performance.now() - started }
}

async function createUntilReady(): Promise<Project> {
  const project = await account.createProject('Example shop')
  await projects.waitForState(project, 'ready')
  return project
}

async function removeAll(all: readonly Project[]) {
  await Promise.all(
    all.map(async (project) => {
      await account.call(deleteProject, { params: { id: project.id } })
      await projects.waitForState(project, 'deleted')
    }),
  )
}

async function timeBareSites(count: number) {
  const { result, duration } = await timed(() =>
    Promise.all(Array.from({ length: count }, () => startBareSite())),
  )
  await Promise.all(result.map((site) => site.stop()))
  return duration
}

const single = { ours: [] as number[], bare: [] as number[] }
const created: Project[] = []
// The first project also unpacks the starter site and the runtime.
const first = await timed(createUntilReady)
for (let number = 0; number < sequential.count; number++) {
  const { result, duration } = await timed(createUntilReady)
  created.push(result)
  single.ours.push(duration)
  single.bare.push(await timeBareSites(1))
}
await removeAll([first.result, ...created])

const together = { ours: [] as number[], bare: [] as number[] }
for (let round = 0; round < concurrent.rounds; round++) {
  const { result, duration } = await timed(() =>
    Promise.all(Array.from({ length: concurrent.count }, createUntilReady)),
  )
  together.ours.push(duration)
  together.bare.push(await timeBareSites(concurrent.count))
  await removeAll(result)
}

const p95 = percentile(single.ours, 0.95)
const slowest = Math.max(...together.ours)
printMeasurements([
  {
    measure: `create → ready, ${sequential.count} in a row`,
    value: `p95 ${milliseconds(p95)}, median ${milliseconds(median(single.ours))} (${range(single.ours, milliseconds)})`,
    budget: `p95 ≤ ${milliseconds(sequential.budget)}`,
    met: p95 <= sequential.budget,
    ratio: `${times(median(single.ours) / median(single.bare))} a bare site`,
  },
  { measure: 'the first one of a new data folder', value: milliseconds(first.duration) },
  {
    measure: `${concurrent.count} at once, slowest of ${concurrent.rounds} rounds`,
    value: `${seconds(slowest)} (${range(together.ours, seconds)})`,
    budget: `≤ ${seconds(concurrent.budget)}`,
    met: slowest <= concurrent.budget,
    ratio: `${times(median(together.ours) / median(together.bare))} bare sites`,
  },
  {
    measure: 'bare Node site, start to first response',
    value: `p95 ${milliseconds(percentile(single.bare, 0.95))}, median ${milliseconds(median(single.bare))}`,
  },
  { measure: `${concurrent.count} bare Node sites at once`, value: seconds(median(together.bare)) },
])

projects.close()
await server.stop()
await remove()
