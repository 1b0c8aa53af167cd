// The cost of counting and logging each request in the site gateway: compares a gateway that does
// both with one that does neither.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createArtifactLayout } from '../apps/server/src/artifacts/artifact-layout.ts'
import { writeManifest } from '../apps/server/src/artifacts/manifest.ts'
import { connect } from '../apps/server/src/db/connect.ts'
import { urlOptions } from '../apps/server/src/db/connection-options.ts'
import { createGateway } from '../apps/server/src/gateway/gateway.ts'
import { createRequestBatches } from '../apps/server/src/gateway/request-batches.ts'
import { createLogs } from '../apps/server/src/logs/logs.ts'
import { createRequestLog } from '../apps/server/src/logs/request-log.ts'
import { createTrafficRecorder } from '../apps/server/src/modules/traffic/traffic.recorder.ts'
import { type Load, measureLoad, runInterleaved } from './harness/load.ts'
import { pinTo } from './harness/one-core.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { perSecond, printMeasurements, times } from './harness/table.ts'

const budget = 0.9
const rounds = 9
const artifact = 'a'.repeat(64)

/** The gateway in a new process. It counts and logs if it has a `database`. */
async function serve(folder: string, key: string, database: string | undefined) {
  const ignore = () => undefined
  const log = { info: ignore, warn: ignore, error: ignore }
  // No limit for an hour: each line is written.
  const logs = createLogs(folder, log, {
    limits: { fileBytes: 2 ** 40, waitingBytes: 2 ** 40 },
  })
  const logRequest = createRequestLog(logs)
  const { db } = connect(urlOptions(database ?? ''), { onError: () => undefined })
  const recorder =
    database &&
    (await createTrafficRecorder({
      db,
      log,
      clock: { now: () => new Date() },
      write: (work) => db.transaction(work),
    }))
  const gateway = createGateway({
    routes: { find: () => ({ key, cluster: 'local', state: 'ready', artifact }) },
    addressOf: () => ({ socketPath: '', dataFolder: '' }),
    artifactFiles: createArtifactLayout(folder).artifact,
    host: '127.0.0.1',
    port: 0,
    sitesDomain: 'localhost',
    log,
    onRequest: recorder
      ? createRequestBatches((request) => {
          logRequest(request)
          recorder.record(request)
        }).add
      : undefined,
  })
  process.send?.((await gateway.listen()).port)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.((user + system) / 1000)
  })
}

async function start(...options: string[]) {
  const child = fork(new URL(import.meta.url), options)
  const [port] = (await once(child, 'message')) as [number]
  if (child.pid) pinTo(0, child.pid)
  const cpuTime = async () => {
    child.send('cpu')
    return ((await once(child, 'message')) as [number])[0]
  }
  return { child, url: `http://127.0.0.1:${port}/`, cpuTime }
}

const [folder, key, database] = process.argv.slice(2)
if (folder && key && process.send) await serve(folder, key, database)
else {
  const { dataDir, remove } = await createDataDir()
  const { db, url, ...server } = await startDatabase(dataDir)
  const [project] = await seedProjects(db, await seedTeam(db, 1), 1, 'example')
  if (!project) throw new Error('the project was not inserted')
  const files = createArtifactLayout(dataDir).artifact(artifact)
  await mkdir(files.files, { recursive: true })
  const page = 'x'.repeat(10_000)
  await writeFile(join(files.files, 'index.html'), page)
  const entry = { size: page.length, digest: artifact, encodings: {} }
  await writeFile(files.manifest, writeManifest(new Map([['index.html', entry]])))

  const bare = await start(dataDir, project.key)
  const observed = await start(dataDir, project.key, url)
  pinTo(1, process.pid)
  const headers = {
    host: 'example.localhost',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    referer: 'https://search.example/results',
  }
  const samples = await runInterleaved(
    {
      bare: () => measureLoad(bare.cpuTime, bare.url, { headers }),
      observed: () => measureLoad(observed.cpuTime, observed.url, { headers }),
    },
    rounds,
  )
  const rates = (loads: readonly Load[]) => loads.map((load) => load.perSecond)
  const costs = (loads: readonly Load[]) => loads.map((load) => load.cpuTime * 1000)
  const ratio = (one: readonly number[], other: readonly number[]) =>
    median(one.map((value, round) => value / (other[round] ?? 0)))
  const rate = ratio(rates(samples.observed), rates(samples.bare))
  const cost = ratio(costs(samples.observed), costs(samples.bare))
  const formatRates = (values: readonly number[]) =>
    `${perSecond(median(values))} (${range(values, perSecond)})`
  const microseconds = (value: number) => `${value.toFixed(1)} µs`
  printMeasurements([
    {
      measure: 'static site, 10 KB, one core, each request logged and counted',
      value: formatRates(rates(samples.observed)),
      budget: `≥ ${times(budget)} without`,
      met: rate >= budget,
      ratio: `${times(rate)} without`,
    },
    { measure: 'the same without log and traffic', value: formatRates(rates(samples.bare)) },
    {
      measure: 'its processor time per response',
      value: microseconds(median(costs(samples.observed))),
      ratio: `${times(cost)} without (${microseconds(median(costs(samples.bare)))})`,
    },
  ])
  for (const { child } of [bare, observed]) child.kill()
  await server.stop()
  await remove()
}
