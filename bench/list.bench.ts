// Responses per second of a list, against a bare handler.

import { startScript } from './harness/child-process.ts'
import { type Load, measureLoad, runInterleaved } from './harness/load.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { microseconds, perSecond, print, printMeasurements, times } from './harness/table.ts'
import { usageReader } from './harness/usage.ts'

const budget = 0.7
const rounds = 7

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const tenant = await seedTeam(database.db, 1)
await seedProjects(database.db, tenant, 20)

// `ROLE=web` starts no sites for these projects.
const server = await startServer(`${dataDir}/server`, { DATABASE_URL: database.url, ROLE: 'web' })
const bare = await startScript<{ url: string }>(
  import.meta.resolve('./baselines/project-list.ts'),
  [database.url, tenant.userId],
)

const list = `${server.url}/api/management/project/all`
const headers = { authorization: `Bearer ${tenant.token}` }
const bytes = async (url: string) =>
  (await (await fetch(url, { headers })).arrayBuffer()).byteLength
print(
  `Responses of ${await bytes(list)} bytes, of the bare handler ${await bytes(bare.firstMessage.url)}.`,
)

const samples = await runInterleaved(
  {
    ours: () => measureLoad(server.cpuTime, list, { headers }),
    bare: () => measureLoad(usageReader(bare).cpuTime, bare.firstMessage.url),
  },
  rounds,
)
const rates = (loads: readonly Load[]) => loads.map((load) => load.perSecond)
const cpuTime = (loads: readonly Load[]) => median(loads.map((load) => load.cpuTime))
const show = (loads: readonly Load[]) =>
  `${perSecond(median(rates(loads)))} (${range(rates(loads), perSecond)})`
const ratio = median(rates(samples.ours)) / median(rates(samples.bare))
printMeasurements([
  {
    measure: 'GET /management/project/all, 20 rows, 50 connections',
    value: show(samples.ours),
    budget: `≥ ${times(budget)} the bare handler`,
    met: ratio >= budget,
    ratio: times(ratio),
  },
  {
    measure: 'bare Fastify + pg, the same prepared query',
    value: show(samples.bare),
    ratio: times(1),
  },
  {
    // Other load on the machine slows the responses, but adds no CPU time.
    measure: 'CPU time of the server per response',
    value: `${microseconds(cpuTime(samples.ours))}, bare ${microseconds(cpuTime(samples.bare))}`,
    ratio: `${times(cpuTime(samples.bare) / cpuTime(samples.ours))} by CPU time`,
  },
])

await bare.stop()
await server.stop()
await database.stop()
await remove()
