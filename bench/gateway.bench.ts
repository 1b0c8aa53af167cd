// Pages per second through the site gateway, against Caddy and a `node:http` proxy.
import { mkdir } from 'node:fs/promises'
import { createLayout } from '../apps/server/src/engines/hosting/local/files/layout.ts'
import { startCaddyProxy } from './baselines/caddy.ts'
import { startScript } from './harness/child-process.ts'
import { responsesPerSecond, runInterleaved } from './harness/load.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { type Measurement, perSecond, print, printMeasurements, times } from './harness/table.ts'

const budget = 1.2
const rounds = 7

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const [project] = await seedProjects(database.db, await seedTeam(database.db, 1), 1)
if (!project) throw new Error('the project was not inserted')

const sitesDir = `${dataDir}/server`
const { socket, socketFolder } = createLayout(sitesDir).site(project.key)
await mkdir(socketFolder, { recursive: true })
const site = await startScript(import.meta.resolve('./harness/ten-kilobyte-site.ts'), [socket])
const gateway = await startServer(sitesDir, { DATABASE_URL: database.url, ROLE: 'gateway' })
const node = await startScript<{ url: string }>(import.meta.resolve('./baselines/proxy.ts'), [
  socket,
])
const caddy = await startCaddyProxy(dataDir, socket)
if (!caddy) print('Caddy is not installed on this machine: it is left out.')

const ours = `http://127.0.0.1:${gateway.sitesPort}/`
const headers = { host: `${project.key}.localhost:${gateway.sitesPort}` }
const samples = await runInterleaved(
  {
    ours: () => responsesPerSecond(ours, { headers }),
    node: () => responsesPerSecond(node.firstMessage.url),
    ...(caddy ? { caddy: () => responsesPerSecond(caddy.url) } : {}),
  } as Record<'ours' | 'node' | 'caddy', () => Promise<number>>,
  rounds,
)

const ratioTo = (others: readonly number[]) =>
  median(samples.ours.map((value, round) => value / (others[round] ?? 0)))
const formatRates = (values: readonly number[]) =>
  `${perSecond(median(values))} (${range(values, perSecond)})`

const measurements: Measurement[] = [
  {
    measure: 'site gateway, a 10 KB page, 50 connections',
    value: formatRates(samples.ours),
    ...(caddy
      ? {
          budget: `≥ ${times(budget)} Caddy`,
          met: ratioTo(samples.caddy) >= budget,
          ratio: `${times(ratioTo(samples.caddy))} Caddy, ${times(ratioTo(samples.node))} node:http`,
        }
      : { ratio: `${times(ratioTo(samples.node))} node:http` }),
  },
  { measure: 'a bare node:http proxy', value: formatRates(samples.node) },
]
if (caddy)
  measurements.push({
    measure: `Caddy ${caddy.version} reverse_proxy, the same site`,
    value: formatRates(samples.caddy),
  })
printMeasurements(measurements)

await caddy?.stop()
await node.stop()
await gateway.stop()
await site.stop()
await database.stop()
await remove()
