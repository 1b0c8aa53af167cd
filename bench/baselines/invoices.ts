// A bare Fastify and pg handler that runs the service's queries for an active invoice, without the
// sums.
import type { UserId } from '@slipway/contract/account'
import type { UserContext } from '../../apps/server/src/context.ts'
import { connect } from '../../apps/server/src/db/connect.ts'
import { active } from '../../apps/server/src/modules/invoices/invoices.active.ts'
import { createBareServer } from '../harness/bare-fastify.ts'
import '../harness/usage-probe.ts'

const [databaseUrl = '', userId = ''] = process.argv.slice(2)

const { pool, db } = connect(
  { connectionString: databaseUrl },
  {
    onError: (error) => {
      throw error
    },
  },
)

/** The service's queries, recorded from a call of it. */
async function queriesOfService() {
  type Query = { text: string; name?: string }
  const recorded: (Query & { values: unknown[] })[] = []
  const original = pool.query.bind(pool) as (query: Query, values: unknown[]) => Promise<never>
  const watched = (query: Query, values: unknown[]) => {
    // Named queries are prepared, as in the service.
    const name = query.name === undefined ? {} : { name: query.name }
    recorded.push({ text: query.text, ...name, values })
    return original(query, values)
  }
  pool.query = watched as typeof pool.query
  const ctx = { db, clock: { now: () => new Date() }, locale: 'en', user: { id: userId as UserId } }
  await active(ctx as UserContext)
  pool.query = original as typeof pool.query
  if (recorded.length === 0) throw new Error('the service ran no query')
  return recorded
}

const queries = await queriesOfService()
const app = createBareServer()
app.get('/', async () => {
  const rows: unknown[] = []
  for (const query of queries) rows.push((await pool.query(query)).rows)
  return rows
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ url })
