// A bare Fastify and pg handler that runs the service's prepared query.
import type { UserId } from '@slipway/contract/account'
import { connect } from '../../apps/server/src/db/connect.ts'
import { listForUser } from '../../apps/server/src/modules/projects/projects.store.ts'
import { createBareServer } from '../harness/bare-fastify.ts'
import '../harness/usage-probe.ts'

const [databaseUrl = '', userId = ''] = process.argv.slice(2)
const deletedSince = new Date(Date.now() - 24 * 60 * 60 * 1000)

const { pool, db } = connect(
  { connectionString: databaseUrl },
  {
    onError: (error) => {
      throw error
    },
  },
)

/** The service's query, recorded from a call of the function that sends it. */
async function preparedQuery() {
  type Prepared = { name: string; text: string }
  const calls: { query: Prepared; values: unknown[] }[] = []
  const original = pool.query.bind(pool) as (query: Prepared, values: unknown[]) => Promise<never>
  const watched = (query: Prepared, values: unknown[]) => {
    calls.push({ query, values })
    return original(query, values)
  }
  pool.query = watched as typeof pool.query
  await listForUser(db, userId as UserId, deletedSince)
  pool.query = original as typeof pool.query
  const [first] = calls
  if (!first) throw new Error('the service ran no query')
  const { name, text } = first.query
  return { name, text, values: first.values }
}

const query = await preparedQuery()
const app = createBareServer()
app.get('/', async () => (await pool.query(query)).rows)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ url })
