// Files per second of a static site through the site gateway, against Caddy's file server.
import { randomBytes } from 'node:crypto'
import { cp, mkdir, writeFile } from 'node:fs/promises'
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
const startRounds = 5
const maxStartRatio = 1.1
/** Files deployed on this machine, in sites of 50,000. */
const manyFiles = 1_000_000

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const team = await seedTeam(database.db, 1)
const serverDir = join(dataDir, 'server')
/** Another data folder with the same sites, but only the files of the first. */
const emptyDir = join(dataDir, 'empty')

/**
 * Writes an artifact. Files without content are only in its manifest: the gateway finds the files
 * of a release there and never lists folders, so a start could read the manifests, but no more.
 */
async function writeArtifact(
  digest: string,
  files: Map<string, Buffer | null>,
  targetDir = serverDir,
) {
  const { files: folder, manifest } = createArtifactLayout(targetDir).artifact(digest)
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
const files = new Map([['index.html', Buffer.from(page)]])
const folder = await writeArtifact('a'.repeat(64), files)
await writeArtifact('a'.repeat(64), files, emptyDir)

for (let site = 0; site < manyFiles / 50_000; site++) {
  const digest = site.toString(16).padStart(64, 'b')
  const names = Array.from({ length: 50_000 }, (_, index) => `page-${index}.html`)
  await writeArtifact(digest, new Map(names.map((name) => [name, null])))
  await seedSite(`full${site}`, digest)
}

const start = (folder: string) =>
  startServer(folder, { DATABASE_URL: database.url, ROLE: 'gateway' })
async function timeStart(folder: string) {
  const started = performance.now()
  const gateway = await start(folder)
  const duration = performance.now() - started
  await gateway.stop()
  return duration
}
// The first start creates the keys that both need for the database.
await timeStart(serverDir)
await cp(join(serverDir, 'keys'), join(emptyDir, 'keys'), { recursive: true })
const starts = await runInterleaved(
  { withFiles: () => timeStart(serverDir), without: () => timeStart(emptyDir) },
  startRounds,
)
const startRatio = median(starts.withFiles) / median(starts.without)
const gateway = await start(serverDir)

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
    measure: `start of the gateway with a million deployed files, ${startRounds} starts`,
    value: `${milliseconds(median(starts.withFiles))} (${range(starts.withFiles, milliseconds)})`,
    budget: `≤ ${times(maxStartRatio)} without`,
    met: startRatio <= maxStartRatio,
    ratio: `${times(startRatio)} without (${milliseconds(median(starts.without))})`,
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
