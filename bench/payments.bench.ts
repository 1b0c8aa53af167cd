// A thousand payments, killed at every step, checked against the gateway's ledger.
import { limits } from '@slipway/contract/limits'
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
// The seed is printed and repeats a run.
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6))

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const target = { database: database.connection, dataDir }
const items = await seedPayments(database.db, paymentCount)

const list = (counts: Counts) =>
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
const interrupted = await tally(database.db)
const resolved = await resolveAll(target)
const wrong = await findInconsistencies(database.db)
const recovered = await tally(database.db)
const retried = await payUninterrupted(target, items)
const wrongAfterwards = await findInconsistencies(database.db)
const end = await tally(database.db)

print(`Seed ${seed}: ${paymentCount} payments, ${processes} processes, ${seconds(paying)}.`)
print(`Processes were killed during ${killed} payments, at these steps: ${list(killedAt)}.`)
print(`Responses: ${list(responses)}. Still in progress: ${interrupted.unknown}.`)
print(`Resolved 15 minutes later: ${list(resolved)}.`)
print(`All retried: ${list(retried)}.`)
for (const inconsistency of [...wrong, ...wrongAfterwards].slice(0, limits.invoicesPerPayment))
  print(inconsistency)
printMeasurements([
  {
    measure: 'charges in the sandbox’s ledger, invoices paid by them',
    value: `${recovered.charges}, ${recovered.paid}; after retrying all ${end.charges}, ${end.paid}`,
  },
  {
    measure: 'invoices charged twice, charges without their invoices, other disagreements',
    value: String(wrong.length + wrongAfterwards.length),
    budget: '0',
    met: wrong.length + wrongAfterwards.length === 0,
  },
  {
    measure: 'payments with an unknown outcome after the resolver',
    value: String(recovered.unknown),
    budget: '0',
    met: recovered.unknown === 0,
  },
])

await database.stop()
await remove()
if (wrong.length + wrongAfterwards.length + recovered.unknown > 0) process.exitCode = 1
