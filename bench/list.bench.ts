// How much the service adds to a list: its answers a second against those of a bare handler.
import { answersPerSecond, interleaved } from './load.ts'
import { startPart } from './program.ts'
import { seedProjects, seedTeam, startDatabase } from './seed.ts'
import { createDataDir, startServer } from './server.ts'
import { median, range } from './statistics.ts'
import { perSecond, print, printFigures, times } from './table.ts'

const budget = 0.7
const rounds = 7

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const tenant = await seedTeam(database.db, 1)
await seedProjects(database.db, tenant, 20)

// Only the answering: the sites of these projects are not to be started.
const server = await startServer(`${dataDir}/server`, { DATABASE_URL: database.url, ROLE: 'web' })
const bare = await startPart<{ url: string }>(import.meta.resolve('./list-baseline.ts'), [
  database.url,
  tenant.userId,
])

const list = `${server.url}/api/management/project/all`
const headers = { authorization: `Bearer ${tenant.token}` }
const bytes = async (url: string) =>
  (await (await fetch(url, { headers })).arrayBuffer()).byteLength
print(`Answers of ${await bytes(list)} bytes, of the bare handler ${await bytes(bare.hello.url)}.`)

const samples = await interleaved(
  {
    ours: () => answersPerSecond(list, { headers }),
    bare: () => answersPerSecond(bare.hello.url),
  },
  rounds,
)
const ratio = median(samples.ours.map((value, round) => value / (samples.bare[round] ?? 0)))
printFigures([
  {
    what: 'GET /management/project/all, 20 rows, 50 connections',
    figure: `${perSecond(median(samples.ours))} (${range(samples.ours, perSecond)})`,
    budget: `≥ ${times(budget)} the bare handler`,
    met: ratio >= budget,
    ratio: times(ratio),
  },
  {
    what: 'bare Fastify + pg, the same prepared query',
    figure: `${perSecond(median(samples.bare))} (${range(samples.bare, perSecond)})`,
    ratio: times(1),
  },
])

await bare.stop()
await server.stop()
await database.stop()
await remove()
