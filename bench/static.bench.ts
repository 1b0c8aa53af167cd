// Files per second of a static site through the site gateway, against Caddy's file server.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createArtifactLayout } from '../apps/server/src/artifacts/artifact-layout.ts'
import { writeManifest } from '../apps/server/src/artifacts/manifest.ts'
import { startCaddyFiles } from './baselines/caddy.ts'
import { responsesPerSecond, runInterleaved } from './harness/load.ts'
import { pinTo } from './harness/one-core.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import {
  type Measurement,
  milliseconds,
  perSecond,
  print,
  printMeasurements,
  times,
} from './harness/table.ts'

const minRatioToCaddy = 1
const rounds = 7
/** Files deployed on this machine, in sites of 50,000. */
const manyFiles = 1_000_000

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const team = await seedTeam(database.db, 1)
const serverDir = join(dataDir, 'server')
const layout = createArtifactLayout(serverDir)

/** Writes an artifact; files without content are only in its manifest. */
async function writeArtifact(digest: string, files: Map<string, Buffer | null>) {
  const { files: folder, manifest } = layout.artifact(digest)
  await mkdir(folder, { recursive: true })
  for (const [name, content] of files) if (content) await writeFile(join(folder, name), content)
  const entry = (content: Buffer | null) => ({
    size: content?.length ?? 1,
    digest: digest.slice(0, 64),
    encodings: {},
  })
  const entries = [...files].map(([name, content]) => [name, entry(content)] as const)
  await writeFile(manifest, writeManifest(new Map(entries)))
  return folder
}

async function seedSite(prefix: string, artifact: string) {
  const [site] = await seedProjects(database.db, team, 1, prefix, { runtime: 'static', artifact })
  return site
}

const project = await seedSite('example', 'a'.repeat(64))
if (!project) throw new Error('the project was not inserted')
const page = randomBytes(7_500).toString('base64')
const folder = await writeArtifact('a'.repeat(64), new Map([['index.html', Buffer.from(page)]]))

const start = async () => {
  const started = performance.now()
  const gateway = await startServer(serverDir, { DATABASE_URL: database.url, ROLE: 'gateway' })
  return { gateway, time: performance.now() - started }
}
const warmUp = await start()
await warmUp.gateway.stop()
const startWithoutFiles = await start()
await startWithoutFiles.gateway.stop()
for (let site = 0; site < manyFiles / 50_000; site++) {
  const digest = site.toString(16).padStart(64, 'b')
  const names = Array.from({ length: 50_000 }, (_, index) => `page-${index}.html`)
  await writeArtifact(digest, new Map(names.map((name) => [name, null])))
  await seedSite(`full${site}`, digest)
}
const { gateway, time: timeWithFiles } = await start()

const caddy = await startCaddyFiles(dataDir, folder)
if (!caddy) print('Caddy is not installed on this machine: it is left out.')
pinTo(0, gateway.pid)
if (caddy?.child.pid) pinTo(0, caddy.child.pid)
pinTo(1, process.pid)

const ours = `http://127.0.0.1:${gateway.sitesPort}/`
const headers = { host: `${project.key}.localhost:${gateway.sitesPort}` }
const samples = await runInterleaved(
  {
    ours: () => responsesPerSecond(ours, { headers }),
    ...(caddy ? { caddy: () => responsesPerSecond(caddy.url) } : {}),
  } as Record<'ours' | 'caddy', () => Promise<number>>,
  rounds,
)
const formatRates = (values: readonly number[]) =>
  `${perSecond(median(values))} (${range(values, perSecond)})`
const ratio =
  caddy && median(samples.ours.map((value, round) => value / (samples.caddy[round] ?? 0)))

const measurements: Measurement[] = [
  {
    measure: 'static site, a 10 KB file, 50 connections, one core',
    value: formatRates(samples.ours),
    ...(ratio === undefined
      ? {}
      : {
          budget: `≥ ${times(minRatioToCaddy)} Caddy`,
          met: ratio >= minRatioToCaddy,
          ratio: `${times(ratio)} Caddy`,
        }),
  },
  {
    measure: 'start of the gateway with a million deployed files',
    value: milliseconds(timeWithFiles),
    ratio: `${times(timeWithFiles / startWithoutFiles.time)} without`,
  },
]
if (caddy)
  measurements.push({
    measure: `Caddy ${caddy.version} file_server, the same file, one core`,
    value: formatRates(samples.caddy),
  })
printMeasurements(measurements)

await caddy?.stop()
await gateway.stop()
await database.stop()
await remove()
