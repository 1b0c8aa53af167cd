// The latency from a commit to the last of 2,000 sockets, and the memory of a socket.
import { createClient } from '@slipway/contract/client'
import { createSocketTicket, type Event, socketPath } from '@slipway/contract/events'
import type { Tx } from '../apps/server/src/db/connect.ts'
import * as events from '../apps/server/src/modules/events/events.service.ts'
import { projects } from '../apps/server/src/modules/projects/projects.schema.ts'
import { nextMessage, startScript } from './harness/child-process.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile } from './harness/statistics.ts'
import { kibibytes, milliseconds, printMeasurements, times } from './harness/table.ts'
import { usageReader } from './harness/usage.ts'

const socketCount = 2000
/** Opened before the first memory figure, so that one-time costs are not counted. */
const warmUpCount = 100
const rounds = 100
const latencyBudget = 100
const memoryBudget = 30 * 1024
const bareChannel = 'bench_events'

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const team = await seedTeam(database.db, socketCount)
const [project] = await seedProjects(database.db, team, 1)
if (!project) throw new Error('the project was not inserted')
const projectId = project.id

type Arrivals = { arrivals: string[] }

const ticketsOf = (tokens: readonly string[]) =>
  Promise.all(
    tokens.map(async (token) => {
      const call = createClient({
        base: `${server.url}/api`,
        token: () => token,
        locale: () => 'en',
      })
      return (await call(createSocketTicket)).ticket
    }),
  )

/** Opens the sockets in a new process. `secretsOf` returns each one's suffix of `address`. */
async function openSockets(
  address: string,
  memory: () => Promise<NodeJS.MemoryUsage>,
  secretsOf: (tokens: readonly string[]) => Promise<readonly string[]>,
) {
  const clients = await startScript(import.meta.resolve('./harness/socket-clients.ts'), [address])
  const open = async (tokens: readonly string[]) => {
    clients.child.send({ open: await secretsOf(tokens) })
    const reply = await nextMessage<{ opened?: number; broken?: string }>(clients)
    if (reply.opened === undefined) throw new Error(`a socket broke: ${reply.broken}`)
  }
  await open(team.tokens.slice(0, warmUpCount))
  const before = await memory()
  await open(team.tokens.slice(warmUpCount))
  const after = await memory()
  const growthPerSocket = (bytes: (usage: NodeJS.MemoryUsage) => number) =>
    (bytes(after) - bytes(before)) / (socketCount - warmUpCount)
  const resident = growthPerSocket(({ rss }) => rss)
  const live = growthPerSocket(({ heapUsed, external }) => heapUsed + external)

  return {
    stop: clients.stop,
    resident,
    live,
    // New objects may fill pages that were resident already: then the resident size is too small.
    cost: Math.max(resident, live),
    /** Milliseconds from the commit to the last socket and to the middle one. */
    async measure(publish: (tx: Tx) => Promise<void>) {
      clients.child.send({ expect: socketCount })
      const arrived = nextMessage<Arrivals>(clients)
      const commitStart = await database.db.transaction(async (tx) => {
        await tx.update(projects).set({ updatedAt: new Date() })
        await publish(tx)
        // The commit comes next, so its cost is in the figure.
        return process.hrtime.bigint()
      })
      const latencies = (await arrived).arrivals.map(
        (time) => Number(BigInt(time) - commitStart) / 1e6,
      )
      return { last: Math.max(...latencies), middle: median(latencies) }
    },
  }
}

const server = await startServer(`${dataDir}/server`, { DATABASE_URL: database.url, ROLE: 'web' })
const bareServer = await startScript<{ address: string }>(
  import.meta.resolve('./baselines/sockets.ts'),
  [database.url, bareChannel],
)
const ours = await openSockets(`${server.url}/api${socketPath}?token=`, server.memory, ticketsOf)
const bare = await openSockets(
  bareServer.firstMessage.address,
  usageReader(bareServer).memory,
  async (tokens) => tokens,
)

const event: Event = { kind: 'Project', data: { type: 'Updated', projectId } }
const publish = (tx: Tx) => events.publish(tx, event)
const publishBare = async (tx: Tx) => {
  await tx.execute(`select pg_notify('${bareChannel}', '${JSON.stringify(event)}')`)
}
const samples = { ours: [] as number[], middle: [] as number[], bare: [] as number[] }
await ours.measure(publish)
await bare.measure(publishBare)
for (let round = 0; round < rounds; round++) {
  const { last, middle } = await ours.measure(publish)
  samples.ours.push(last)
  samples.middle.push(middle)
  samples.bare.push((await bare.measure(publishBare)).last)
}

const p99 = percentile(samples.ours, 0.99)
printMeasurements([
  {
    measure: `commit to the last of ${socketCount} sockets, ${rounds} events`,
    value: `p99 ${milliseconds(p99)}, median ${milliseconds(median(samples.ours))}`,
    budget: `p99 ≤ ${milliseconds(latencyBudget)}`,
    met: p99 <= latencyBudget,
    ratio: `${times(median(samples.ours) / median(samples.bare))} the bare loop`,
  },
  { measure: 'commit to the socket in the middle', value: milliseconds(median(samples.middle)) },
  {
    measure: 'a bare loop over as many sockets',
    value: `p99 ${milliseconds(percentile(samples.bare, 0.99))}, median ${milliseconds(median(samples.bare))}`,
  },
  {
    measure: 'memory of a socket after a garbage collection',
    value: `${kibibytes(ours.cost)} (resident ${kibibytes(ours.resident)}, live ${kibibytes(ours.live)})`,
    budget: `≤ ${kibibytes(memoryBudget)}`,
    met: ours.cost <= memoryBudget,
    ratio: `${times(ours.cost / bare.cost)} the bare loop (${kibibytes(bare.cost)})`,
  },
])

await ours.stop()
await bare.stop()
await bareServer.stop()
await server.stop()
await database.stop()
await remove()
