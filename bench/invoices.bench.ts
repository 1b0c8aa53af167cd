// The cost of computing an active invoice, against a bare handler that reads the same rows.
import { day } from '@slipway/contract/limits'
import { newId } from '../apps/server/src/db/ids.ts'
import { monthStart } from '../apps/server/src/modules/usage/usage.policy.ts'
import { billingAccounts, usageIntervals } from '../apps/server/src/modules/usage/usage.schema.ts'
import { startScript } from './harness/child-process.ts'
import { type Load, measureLoad, runInterleaved } from './harness/load.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { microseconds, perSecond, print, printMeasurements, times } from './harness/table.ts'
import { usageReader } from './harness/usage.ts'

const rounds = 5

/** Measures an owner whose projects have run since before this month, each with a pause. */
async function measure(count: number) {
  const { dataDir, remove } = await createDataDir()
  const database = await startDatabase(dataDir)
  const tenant = await seedTeam(database.db, 1)
  const seeded = await seedProjects(database.db, tenant, count)
  const now = new Date()
  const start = monthStart(now)
  const { userId } = tenant
  await database.db.insert(billingAccounts).values({ userId, billedUntil: start, createdAt: start })
  const middle = (start.getTime() + now.getTime()) / 2
  const intervals = [
    { startedAt: new Date(start.getTime() - 3 * day), endedAt: new Date(middle) },
    { startedAt: new Date(middle + 1000), endedAt: null },
  ]
  await database.db.insert(usageIntervals).values(
    seeded.flatMap(({ id: projectId }) =>
      intervals.map((interval) => ({
        ...interval,
        id: newId<'UsageInterval'>(),
        projectId,
        userId,
        productId: 'website',
        createdAt: start,
      })),
    ),
  )

  const server = await startServer(`${dataDir}/server`, { DATABASE_URL: database.url, ROLE: 'web' })
  const bare = await startScript<{ url: string }>(import.meta.resolve('./baselines/invoices.ts'), [
    database.url,
    userId,
  ])
  const url = `${server.url}/api/account/invoice/active`
  const headers = { authorization: `Bearer ${tenant.token}` }
  const samples = await runInterleaved(
    {
      ours: () => measureLoad(server.cpuTime, url, { headers }),
      bare: () => measureLoad(usageReader(bare).cpuTime, bare.firstMessage.url),
    },
    rounds,
  )
  await bare.stop()
  await server.stop()
  await database.stop()
  await remove()
  return samples
}

const rates = (loads: readonly Load[]) => loads.map((load) => load.perSecond)
const cpuTime = (loads: readonly Load[]) => median(loads.map((load) => load.cpuTime))
const show = (loads: readonly Load[]) =>
  `${perSecond(median(rates(loads)))} (${range(rates(loads), perSecond)})`

for (const count of [10, 100]) {
  const { ours, bare } = await measure(count)
  print(`An owner of ${count} projects, 50 connections:`)
  printMeasurements([
    {
      measure: 'GET /account/invoice/active',
      value: show(ours),
      ratio: times(median(rates(ours)) / median(rates(bare))),
    },
    { measure: 'bare Fastify + pg, the same queries, no sum', value: show(bare), ratio: times(1) },
    {
      measure: 'CPU time of the server per response',
      value: `${microseconds(cpuTime(ours))}, bare ${microseconds(cpuTime(bare))}`,
      ratio: `${times(cpuTime(bare) / cpuTime(ours))} by CPU time`,
    },
  ])
}
