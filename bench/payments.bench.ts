// Whether payments survive their processes: a thousand of them, killed at every step, against the gateway's ledger.
import { limits } from '@slipway/contract/limits'
import {
  type Counts,
  payInPeace,
  payWhileKilled,
  resolveAll,
  seeded,
} from '../apps/server/src/modules/payments/crash/crash.fixture.ts'
import { complaints, tally } from '../apps/server/src/modules/payments/crash/ledger.fixture.ts'
import { seedPayments } from '../apps/server/src/modules/payments/crash/seed.fixture.ts'
import { startDatabase } from './harness/seed.ts'
import { createDataDir } from './harness/server.ts'
import { print, printFigures, seconds } from './harness/table.ts'

const wanted = 1000
// Each run is another one; the number that is printed repeats it.
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6))

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const given = { database: database.connection, dataDir }
const items = await seedPayments(database.db, wanted)

const list = (counts: Counts) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([word, number]) => `${number} ${word}`)
    .join(', ')

const started = performance.now()
const { answers, killedAt, processes } = await payWhileKilled(given, items, {
  perPoint: 12,
  random: seeded(seed),
})
const paying = performance.now() - started
const killed = Object.values(killedAt).reduce((sum, number) => sum + number, 0)
const left = await tally(database.db)
const resolved = await resolveAll(given)
const wrong = await complaints(database.db)
const found = await tally(database.db)
const again = await payInPeace(given, items)
const wrongAfterwards = await complaints(database.db)
const end = await tally(database.db)

print(`Seed ${seed}: ${wanted} payments, ${processes} processes, ${seconds(paying)}.`)
print(`Killed over ${killed} payments, at the step they had reached: ${list(killedAt)}.`)
print(`Answered: ${list(answers)}. Left in progress: ${left.unknown}.`)
print(`Resolved 15 minutes later: ${list(resolved)}.`)
print(`All tried once more: ${list(again)}.`)
for (const complaint of [...wrong, ...wrongAfterwards].slice(0, limits.invoicesPerPayment))
  print(complaint)
printFigures([
  {
    what: 'charges in the sandbox’s ledger, invoices paid by them',
    figure: `${found.charges}, ${found.paid}; once all were tried again ${end.charges}, ${end.paid}`,
  },
  {
    what: 'invoices charged twice, charges without their invoices, other disagreements',
    figure: String(wrong.length + wrongAfterwards.length),
    budget: '0',
    met: wrong.length + wrongAfterwards.length === 0,
  },
  {
    what: 'payments that nobody knows the outcome of, after the resolver',
    figure: String(found.unknown),
    budget: '0',
    met: found.unknown === 0,
  },
])

await database.stop()
await remove()
if (wrong.length + wrongAfterwards.length + found.unknown > 0) process.exitCode = 1
