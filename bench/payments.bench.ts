// A thousand payments whose processes are killed at every step, checked against the gateway's
// ledger.
import {
  type Counts,
  payUninterrupted,
  payWhileKilled,
  resolveAll,
  seeded,
} from '../apps/server/src/modules/payments/crash/crash.fixture.ts'
import {
  findInconsistencies,
  tally,
} from '../apps/server/src/modules/payments/crash/ledger.fixture.ts'
import { seedPayments } from '../apps/server/src/modules/payments/crash/seed.fixture.ts'
import { startDatabase } from './harness/seed.ts'
import { createDataDir } from './harness/server.ts'
import { print, printMeasurements, seconds } from './harness/table.ts'

const paymentCount = 1000
/** The number of inconsistencies that are printed. */
const maxPrinted = 100
// The seed repeats the order of the kill points, not their timing.
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6))

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const target = { database: database.connection, dataDir }
const items = await seedPayments(database.db, paymentCount)

const formatCounts = (counts: Counts) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([word, number]) => `${number} ${word}`)
    .join(', ')

const started = performance.now()
const { responses, killedAt, processes } = await payWhileKilled(target, items, {
  perPoint: 12,
  random: seeded(seed),
})
const paying = performance.now() - started
const killed = Object.values(killedAt).reduce((sum, number) => sum + number, 0)
const tallyAfterKills = await tally(database.db)
const resolved = await resolveAll(target)
const inconsistencies = await findInconsistencies(database.db)
const tallyAfterResolving = await tally(database.db)
const retried = await payUninterrupted(target, items)
const finalInconsistencies = await findInconsistencies(database.db)
const finalTally = await tally(database.db)

print(`Seed ${seed}: ${paymentCount} payments, ${processes} processes, ${seconds(paying)}.`)
print(`Processes were killed during ${killed} payments, at these steps: ${formatCounts(killedAt)}.`)
print(`Responses: ${formatCounts(responses)}. Still in progress: ${tallyAfterKills.unknown}.`)
print(`Resolved 15 minutes later: ${formatCounts(resolved)}.`)
print(`All retried: ${formatCounts(retried)}.`)
for (const inconsistency of [...inconsistencies, ...finalInconsistencies].slice(0, maxPrinted))
  print(inconsistency)
printMeasurements([
  {
    measure: 'charges in the sandbox’s ledger, invoices paid by them',
    value: `${tallyAfterResolving.charges}, ${tallyAfterResolving.paid}; after retrying all ${finalTally.charges}, ${finalTally.paid}`,
  },
  {
    measure: 'invoices charged twice, charges without their invoices, other disagreements',
    value: String(inconsistencies.length + finalInconsistencies.length),
    budget: '0',
    met: inconsistencies.length + finalInconsistencies.length === 0,
  },
  {
    measure: 'payments with an unknown outcome after the resolver',
    value: String(tallyAfterResolving.unknown),
    budget: '0',
    met: tallyAfterResolving.unknown === 0,
  },
])

await database.stop()
await remove()
if (inconsistencies.length + finalInconsistencies.length + tallyAfterResolving.unknown > 0)
  process.exitCode = 1
