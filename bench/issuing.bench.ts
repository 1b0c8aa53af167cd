// How fast all invoices are issued, compared with one INSERT per invoice over as many connections
// as the job has.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@slipway/contract/client'
import { day } from '@slipway/contract/limits'
import { getInvoiceRun, issueInvoices } from '@slipway/contract/products'
import { newId } from '../apps/server/src/db/ids.ts'
import { projects } from '../apps/server/src/modules/projects/projects.schema.ts'
import { monthStart } from '../apps/server/src/modules/usage/usage.policy.ts'
import { billingAccounts, usageIntervals } from '../apps/server/src/modules/usage/usage.schema.ts'
import { insertUser } from '../e2e/harness/insert-user.ts'
import { operatorEmail } from '../e2e/harness/operator.ts'
import { seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { perSecond, printMeasurements, times } from './harness/table.ts'

const customers = 300
const rounds = 3
/** The concurrency of the job that issues the invoices of one customer. */
const connections = 4

type Database = Awaited<ReturnType<typeof startDatabase>>

/** A customer whose project ran for a week of the last month. */
async function addCustomer({ db }: Database) {
  const { userId, teamId } = await seedTeam(db, 1)
  const lastMonth = monthStart(new Date(monthStart(new Date()).getTime() - day))
  const times = { createdAt: lastMonth, updatedAt: lastMonth }
  const projectId = newId<'Project'>()
  await db.insert(projects).values({
    ...times,
    id: projectId,
    teamId,
    key: `example-${projectId}`,
    regionId: 'eu',
    name: 'Example',
    state: 'deleted',
    deletedAt: lastMonth,
  })
  await db.insert(billingAccounts).values({ userId, billedUntil: lastMonth, createdAt: lastMonth })
  await db.insert(usageIntervals).values({
    id: newId<'UsageInterval'>(),
    projectId,
    userId,
    productId: 'website',
    startedAt: new Date(lastMonth.getTime() + 5 * day),
    endedAt: new Date(lastMonth.getTime() + 12 * day),
    createdAt: lastMonth,
  })
}

const countInvoices = async ({ pool }: Database) =>
  Number((await pool.query('select count(*) as count from invoices')).rows[0].count)

/** Invoices per second of a run for all customers, with their items, emails and events. */
async function issueAll(database: Database, call: ReturnType<typeof createClient>) {
  // A run bills every account up to now: the accounts of the last round would be billed again.
  await database.db.delete(billingAccounts)
  for (let customer = 0; customer < customers; customer++) await addCustomer(database)
  const before = await countInvoices(database)
  const started = performance.now()
  await call(issueInvoices, { body: {} })
  for (;;) {
    const { run } = await call(getInvoiceRun)
    if (run && run.failed > 0) throw new Error(`an invoice failed: ${run.failures[0]?.reason}`)
    if (run?.state === 'finished') break
    await sleep(100)
  }
  const elapsed = performance.now() - started
  return ((await countInvoices(database)) - before) / (elapsed / 1000)
}

/** Rows per second, each inserted by its own statement and transaction. */
async function insertRows({ pool }: Database) {
  await pool.query('create table if not exists bare_invoices (like invoices including all)')
  let inserted = 0
  const insert = async () => {
    while (inserted++ < customers)
      await pool.query(
        `insert into bare_invoices (id, user_id, starts_at, ends_at, amount, issued_at)
         values (gen_random_uuid(), gen_random_uuid(), now() - interval '1 month', now(), 1, now())`,
      )
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, insert))
  return customers / ((performance.now() - started) / 1000)
}

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const server = await startServer(`${dataDir}/server`, {
  DATABASE_URL: database.url,
  OPERATOR_EMAILS: operatorEmail,
})
const { token } = await insertUser(database, server.url, { email: operatorEmail })
const call = createClient({ base: `${server.url}/api`, token: () => token, locale: () => 'en' })
const [ours, bare]: [number[], number[]] = [[], []]
for (let round = 0; round < rounds; round++) {
  ours.push(await issueAll(database, call))
  bare.push(await insertRows(database))
}
await server.stop()
await database.stop()
await remove()

const show = (rates: readonly number[]) =>
  `${perSecond(median(rates))} (${range(rates, perSecond)})`
printMeasurements([
  {
    measure: `invoices of ${customers} customers, by the job`,
    value: show(ours),
    ratio: times(median(ours) / median(bare)),
  },
  { measure: 'one INSERT per invoice, 4 connections', value: show(bare), ratio: times(1) },
])
