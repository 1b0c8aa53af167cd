// Rows per second and write-ahead log of the two writes that grow with the visitors: renewals of
// leases and the traffic of sites by hour. Compared with bare statements over as many connections.
import { randomUUID } from 'node:crypto'
import { instances } from '../apps/server/src/modules/instances/instances.schema.ts'
import { extend } from '../apps/server/src/modules/instances/instances.store.ts'
import { addBatch } from '../apps/server/src/modules/traffic/traffic.store.ts'
import { timeBuckets } from '../apps/server/src/modules/traffic/traffic.times.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { kibibytes, perSecond, printMeasurements, times } from './harness/table.ts'

const sites = 10_000
const rounds = 5
/** As many as the pool of a process has. */
const connections = 12
/** Sites in one batch of a gateway, which it sends every five seconds. */
const sitesPerBatch = 500
const visitorsPerSite = 20
const hour = 3_600_000
const firstHour = Math.floor(Date.now() / hour) * hour

const { dataDir, remove } = await createDataDir()
const { db, pool, stop } = await startDatabase(dataDir)
const keys = Array.from({ length: sites }, (_, index) => `example-${index}`)
await seedProjects(db, await seedTeam(db, 1), sites)
await pool.query(
  `insert into instances (key, cluster, wakefulness, awake_until)
   select key, 'local', 'awake', now() from projects`,
)
await pool.query('create table bare_instances as select key, awake_until from instances')
await pool.query('alter table bare_instances add primary key (key)')
await pool.query(
  'create table bare_hours (key text, hour timestamptz, bytes bigint, times int[], visitors int[])',
)

/** Runs the work for each item, over all connections. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  const queue = items.values()
  const next = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: connections }, next))
}

const walPosition = async () => {
  const { rows } = await pool.query("select pg_current_wal_lsn() - '0/0'::pg_lsn as position")
  return Number(rows[0].position)
}

/** Rows per second, and the bytes of write-ahead log of each row. */
async function measure(rows: number, write: () => Promise<unknown>) {
  const [before, startedAt] = [await walPosition(), performance.now()]
  await write()
  const rate = rows / ((performance.now() - startedAt) / 1000)
  return { rate, bytes: ((await walPosition()) - before) / rows }
}

const renewLeases = () => {
  const awakeUntil = new Date(Date.now() + hour)
  return forEach(keys, (key) => extend(db, { key, cluster: 'local' }, awakeUntil))
}

const updateRows = () =>
  forEach(keys, (key) =>
    pool.query({
      name: 'bare-update',
      text: 'update bare_instances set awake_until = $2 where key = $1',
      values: [key, new Date()],
    }),
  )

const countedHour = (key: string, time: number, visitor: number) => ({
  key,
  hour: time,
  statuses: [0, 30, 5, 1, 0],
  bytes: 400_000,
  times: Array.from({ length: timeBuckets }, (_, bucket) => (bucket < 20 ? 2 : 0)),
  visitors: Array.from({ length: visitorsPerSite }, (_, index) => (visitor + index * 64) * 64 + 1),
})

const batchesOf = (time: number, visitor: number) =>
  Array.from({ length: sites / sitesPerBatch }, (_, batch) =>
    keys
      .slice(batch * sitesPerBatch, (batch + 1) * sitesPerBatch)
      .map((key) => countedHour(key, time, visitor)),
  )

const writer = randomUUID()
let batchNumber = 0
/** Each batch in its transaction, one after the other, as a gateway sends them. */
async function addTraffic(batches: ReturnType<typeof batchesOf>) {
  for (const hours of batches) {
    batchNumber += 1
    const batch = { writer, number: batchNumber, now: new Date() }
    await db.transaction((tx) => addBatch(tx, batch, hours))
  }
}

async function insertHours(batches: ReturnType<typeof batchesOf>) {
  for (const hours of batches)
    await pool.query(
      `insert into bare_hours select key, to_timestamp(hour / 1000), bytes, times, visitors
       from jsonb_to_recordset($1) as counted(key text, hour bigint, bytes bigint, times int[], visitors int[])`,
      [JSON.stringify(hours)],
    )
}

type Result = Awaited<ReturnType<typeof measure>>
const results = new Map<string, Result[]>()
const add = (name: string, result: Result) =>
  results.set(name, [...(results.get(name) ?? []), result])

await renewLeases()
await updateRows()
for (let round = 0; round < rounds; round++) {
  const time = firstHour - round * hour
  add('leases', await measure(sites, renewLeases))
  add('bareUpdates', await measure(sites, updateRows))
  add('newHours', await measure(sites, () => addTraffic(batchesOf(time, 0))))
  add('sameHours', await measure(sites, () => addTraffic(batchesOf(time, 1))))
  add('bareHours', await measure(sites, () => insertHours(batchesOf(time, 0))))
}
await pool.query('vacuum full traffic_hours')
const size = await pool.query<{ bytes: string }>(
  "select pg_total_relation_size('traffic_hours') / count(*)::float as bytes from traffic_hours",
)
const instanceCount = await db.$count(instances)
if (instanceCount !== sites) throw new Error(`${instanceCount} instances instead of ${sites}`)
await stop()
await remove()

function row(measure: string, name: string, baseline: string) {
  const of = (key: string) => results.get(key) ?? []
  const rates = of(name).map(({ rate }) => rate)
  const ratio = median(rates) / median(of(baseline).map(({ rate }) => rate))
  const bytes = median(of(name).map((result) => result.bytes))
  return {
    measure: `${measure}, ${kibibytes(bytes)} of write-ahead log each`,
    value: `${perSecond(median(rates))} (${range(rates, perSecond)})`,
    ratio: times(ratio),
  }
}
printMeasurements([
  row(`renewals of leases, ${connections} connections`, 'leases', 'bareUpdates'),
  row(`bare updates of one column, ${connections} connections`, 'bareUpdates', 'bareUpdates'),
  row(`hours of traffic in batches of ${sitesPerBatch}, new`, 'newHours', 'bareHours'),
  row('the same hours once more, merged', 'sameHours', 'bareHours'),
  row('bare inserts of the hours, without statuses and indexes', 'bareHours', 'bareHours'),
  {
    measure: `an hour of traffic of a site with ${visitorsPerSite} visitors, in its table`,
    value: kibibytes(Number(size.rows[0]?.bytes)),
  },
])
