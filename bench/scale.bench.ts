// The cost of 100,000 sites in a worker and a gateway, with a stand-in of a Kubernetes API: the
// start, the memory (also of a worker alone, and while it lists everything again), and the cost of
// one sweep, one change and one request, compared with 1,000 sites.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApp } from '../apps/server/src/app.ts'
import { readEnv } from '../apps/server/src/env/env.ts'
import { createLog } from '../apps/server/src/log.ts'
import * as containerImages from '../apps/server/src/modules/container-images/container-images.service.ts'
import { instances } from '../apps/server/src/modules/instances/instances.schema.ts'
import { reconcile } from '../apps/server/src/modules/projects/reconciler/reconciler.ts'
import { sweep } from '../apps/server/src/modules/projects/reconciler/sweep.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { httpGet } from '../apps/server/src/testing/http-get.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { nextMessage, startScript } from './harness/child-process.ts'
import { exampleImage, exampleKey, installation } from './harness/cluster-example.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir } from './harness/server.ts'
import type { StandInCluster } from './harness/stand-in-cluster.ts'
import { median } from './harness/statistics.ts'
import {
  kibibytes,
  megabytes,
  milliseconds,
  print,
  printMeasurements,
  seconds,
  times,
} from './harness/table.ts'

/** The numbers of sites: three, the least first. */
const sizes = (process.env.BENCH_SITES ?? '1000,10000,100000').split(',').map(Number)
/** One site in ten has a pod; the others sleep. */
const awakeOf = (sites: number) => Math.ceil(sites / 10)
/** The hosts that are visited in turn, as many for each number of sites. */
const visitedHosts = Math.min(100, ...sizes.map(awakeOf))
const rounds = 20
const visits = 500
/** The engine requests lists in pages of this length. */
const objectsOfPage = 500
/** A sweep compares as many sites. */
const sitesPerSweep = 500
const rowsPerStatement = 1_000
const year = 365 * 86_400_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heapBytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** The heap after a collection, and the buffers beside it. */
const usedBytes = () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The most memory in use while this runs. */
async function peakBytes(work: () => Promise<unknown>) {
  let peak = usedBytes()
  const sample = () => {
    peak = Math.max(peak, usedBytes())
  }
  const timer = setInterval(sample, 100)
  try {
    await work()
    return peak
  } finally {
    clearInterval(timer)
  }
}

async function timed(work: () => Promise<unknown>) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function measure(sites: number) {
  const awake = awakeOf(sites)
  const { dataDir, remove } = await createDataDir()
  const database = await startDatabase(dataDir)
  const cluster = await startScript<StandInCluster>(
    new URL('./harness/stand-in-cluster.ts', import.meta.url).href,
    [String(sites), String(awake)],
  )
  /** The requests to the API server since the last call. */
  const requests = () => {
    const message = nextMessage<number>(cluster)
    cluster.child.send('count')
    return message
  }
  const server = `http://127.0.0.1:${cluster.firstMessage.port}`
  const kubeconfig = join(dataDir, 'kubeconfig.json')
  await writeFile(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'a', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'a', user: { token: 'example' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      'current-context': 'a',
    }),
  )
  const sitesPort = await freePort()
  const settings = {
    DATA_DIR: dataDir,
    SITES_PORT: String(sitesPort),
    ENGINE: 'kubernetes',
    KUBECONFIG: kubeconfig,
    KUBERNETES_INSTALLATION: installation,
    KUBERNETES_NETWORK_POLICY: 'trusted',
    SLEEP_AFTER: String(year / 1000),
  }
  const team = await seedTeam(database.db, 1)
  const artifact = await database.db.transaction((tx) =>
    containerImages.save({ clock: { now: () => new Date() } }, tx, exampleImage),
  )
  const rows = await seedProjects(database.db, team, sites, 'example', {
    cluster: 'default',
    runtime: 'image',
    artifact,
    domain: null,
  })
  const awakeUntil = new Date(Date.now() + year)
  for (let first = 0; first < sites; first += rowsPerStatement)
    await database.db.insert(instances).values(
      Array.from({ length: Math.min(rowsPerStatement, sites - first) }, (_, offset) => ({
        key: exampleKey(first + offset),
        wakefulness: first + offset < awake ? ('awake' as const) : ('asleep' as const),
        awakeUntil,
      })),
    )
  await database.pool.query('vacuum analyze')
  const size = await database.pool.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  const databaseBytes = Number(size.rows[0]?.bytes)

  const start = (env: NodeJS.ProcessEnv) =>
    createApp({ env: readEnv(env), database: database.connection, log: createLog('silent') })
  const lastKey = exampleKey(sites - 1)
  const isListed = ({ ctx }: Awaited<ReturnType<typeof start>>) =>
    ctx.engine.list([{ key: lastKey, cluster: 'default' }]).then(
      ([found]) => found?.running === true,
      () => false,
    )

  const pages = (objects: number) => Math.ceil(objects / objectsOfPage)
  // Six kinds have an object for each site, pods one for each that is awake, and there are no
  // volumes; after its list each kind is watched.
  const relistRequests = 6 * pages(sites) + pages(awake) + 1 + 8
  const beforeWorker = heapBytes()
  const worker = await start({ ...settings, ROLE: 'worker', SITES_HOST: '127.0.0.1' })
  await worker.host()
  await until(() => isListed(worker))
  // After the writes of the addresses, which the start sends all at once.
  await sweep(worker.ctx)
  const workerMemory = heapBytes() - beforeWorker
  await requests()
  const beforeLists = usedBytes()
  const peak = await peakBytes(async () => {
    cluster.child.send('expire')
    let counted = 0
    await until(async () => {
      counted += await requests()
      return counted >= relistRequests
    })
  })
  await worker.close()
  await requests()

  const before = heapBytes()
  const app = await start(settings)
  const { ctx } = app
  /** Visits sites that are awake in turn. */
  const visit = (round = 0) =>
    httpGet({ port: sitesPort }, '/', { host: `${exampleKey(round % visitedHosts)}.localhost` })
  const startTime = await timed(async () => {
    await app.host()
    await until(() => isListed(app))
    await until(async () => (await visit()).status === 200)
  })
  const memory = heapBytes() - before
  const startRequests = await requests()

  const sweeps: number[] = []
  for (let round = 0; round < rounds; round++) sweeps.push(await timed(() => sweep(ctx)))
  const sweepRequests = await requests()

  const sweepRound = await timed(async () => {
    for (let first = 0; first < sites; first += sitesPerSweep) await sweep(ctx)
  })
  await requests()

  const changes: number[] = []
  for (let round = 0; round < rounds; round++) {
    const project = rows[round]
    if (!project) throw new Error('there are too few projects')
    await database.pool.query(
      'update projects set restarts = restarts + 1, generation = generation + 1 where id = $1',
      [project.id],
    )
    changes.push(
      await timed(async () => {
        const result = await reconcile(ctx, project.id, { timeout: 60_000 })
        if (result !== 'settled') throw new Error(`the change is ${result}`)
      }),
    )
  }
  const changeRequests = (await requests()) / rounds

  const visitTimes: number[] = []
  for (let round = 0; round < visits; round++) visitTimes.push(await timed(() => visit(round)))

  await app.close()
  await cluster.stop()
  await database.stop()
  await remove()
  return {
    start: startTime,
    startRequests,
    memory,
    workerMemory,
    lists: peak - beforeLists,
    sweep: median(sweeps),
    sweepRequests,
    sweepRound,
    change: median(changes),
    changeRequests,
    visit: median(visitTimes),
    clusterBytes: cluster.firstMessage.bytes,
    databaseBytes,
  }
}

type Figures = Awaited<ReturnType<typeof measure>>
const [smallest = 1, largest = 1] = [sizes[0], sizes.at(-1)]
// Loads the code first, so that its memory does not count as a site's.
await measure(smallest)
const measured: Figures[] = []
for (const sites of sizes) {
  measured.push(await measure(sites))
  print(`${sites} sites, at a load of ${loadavg()[0]?.toFixed(1)}`)
}
/** All sites together must not cost more than so many times as much as the fewest. */
const sitesRatio = largest / smallest
/** One change costs the same for any number of sites; twice allows for a busy machine. */
const constantRatio = 2
const row = (
  measure: string,
  figure: (figures: Figures) => number,
  format: typeof seconds,
  limit?: number,
) => {
  const values = measured.map(figure)
  const ratio = (values.at(-1) ?? 0) / (values[0] || 1)
  return {
    measure: `${measure}, ${sizes.join(', ')} sites`,
    value: values.map(format).join(', '),
    ...(limit === undefined ? {} : { budget: `≤ ${limit}x`, met: ratio <= limit }),
    ratio: `${times(ratio)} for ${sitesRatio} times the sites`,
  }
}
/** A site among the most must cost the same memory; a quarter allows for garbage. */
const siteRatio = 1.25
/**
 * The growth of a figure for each site, and its ratio: between the two largest sizes, to that
 * between the two smallest. The figure itself has a fixed part, which no ratio of it would show.
 */
const perSite = (measure: string, figure: (figures: Figures) => number) => {
  const values = measured.map(figure)
  const growthUpTo = (index: number) =>
    ((values.at(index) ?? 0) - (values.at(index - 1) ?? 0)) /
    ((sizes.at(index) ?? 0) - (sizes.at(index - 1) ?? 0))
  const ratio = growthUpTo(-1) / growthUpTo(1)
  return {
    measure,
    value: kibibytes(growthUpTo(-1)),
    budget: `≤ ${siteRatio}x`,
    met: ratio <= siteRatio,
    ratio: times(ratio),
  }
}
printMeasurements([
  row('start until the last site is known', ({ start }) => start, seconds, sitesRatio),
  row('requests of the start', ({ startRequests }) => startRequests, String, sitesRatio),
  row('memory of worker and gateway', ({ memory }) => memory, megabytes),
  perSite('memory of a site', ({ memory }) => memory),
  row('memory of a worker alone', ({ workerMemory }) => workerMemory, megabytes),
  perSite('memory of a site in a worker alone', ({ workerMemory }) => workerMemory),
  row('more while it lists everything again', ({ lists }) => lists, megabytes),
  perSite('rows of a site in PostgreSQL', ({ databaseBytes }) => databaseBytes),
  perSite('objects of a site in the cluster, as JSON', ({ clusterBytes }) => clusterBytes),
  row('a sweep', (figures) => figures.sweep, milliseconds, constantRatio),
  row('a round of sweeps over all sites', (figures) => figures.sweepRound, seconds, sitesRatio),
  row('requests of a sweep', ({ sweepRequests }) => sweepRequests / rounds, String, constantRatio),
  row('a change, until the new pod responds', ({ change }) => change, milliseconds, constantRatio),
  row('requests of a change', ({ changeRequests }) => changeRequests, String, constantRatio),
  row(
    `a request through the gateway, to ${visitedHosts} hosts in turn`,
    ({ visit }) => visit,
    milliseconds,
    constantRatio,
  ),
])
