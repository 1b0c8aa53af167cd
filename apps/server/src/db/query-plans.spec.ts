import type { Endpoint } from '@slipway/contract/endpoint'
import { createTicket } from '@slipway/contract/support'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as mail from '../modules/mail/mail.service.ts'
import { collectModules } from '../modules.ts'
import { declaredEndpoints, title } from '../testing/declared-endpoints.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'
import {
  fillTables,
  partialIndexes,
  recordStatements,
  scannedTables,
} from './query-plans.fixture.ts'
import { callWriteEndpoints } from './valid-calls.fixture.ts'

let world: World
let recorder: ReturnType<typeof recordStatements>
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  const client = await connect()
  const { rows } = await client.query('select id from products limit 1')
  // The rows need not outlast a crash.
  await client.query('set synchronous_commit = off')
  for (const statement of fillTables(world.clock.now(), rows[0].id)) await client.query(statement)
  await client.end()
  recorder = recordStatements()
}, 600_000)
afterAll(async () => {
  recorder?.stop()
  // Searches all rows for card numbers.
  await world.close()
}, 600_000)

async function connect() {
  const client = new pg.Client(world.database.options)
  await client.connect()
  return client
}

/** Statements that may read a whole table, each with its reason. */
const wholeReads = [
  // Once a night. Its conditions come from the modules, and its users are few.
  /^select "id" from "users" where \(\("users"."verified_at" is null/,
  // Queries of this test itself: the emails of an address, and the number of invoices.
  /from "mails" where "mails"."recipient" = \$1 order by "mails"."created_at", "mails"."id"$/,
  /^select count\(\*\) as count from "invoices";$/,
]

/** Calls every endpoint with ids that exist; a body that is invalid ends at its validation. */
async function callAll(endpoints: readonly Endpoint[], operator: TestUser) {
  const project = await world.project({ teamId: operator.teamId })
  const ticket = await operator.call(createTicket, {
    body: { subject: 'A question', message: 'It is urgent.' },
  })
  const ids: [RegExp, string][] = [
    [/\/team/, operator.teamId],
    [/\/ticket/, ticket.id],
    [/\/project/, project.id],
  ]
  const bodies: Record<string, object> = {
    name: { name: 'Another name' },
    teamId: { teamId: operator.teamId },
  }
  for (const endpoint of endpoints) {
    const id = ids.find(([pattern]) => pattern.test(endpoint.path))?.[1] ?? operator.id
    const path = endpoint.path.replaceAll(/:key\b/g, project.key).replaceAll(/:\w+/g, id)
    for (const query of ['', '?search=0cc175b9c0', '?state=open', '?state=failed'])
      if (query === '' || endpoint.method === 'GET') {
        const response = await world.app.server.app.inject({
          method: endpoint.method,
          url: `/api${path}${query}`,
          headers: { authorization: `Bearer ${operator.token}` },
          ...(endpoint.body ? { payload: Object.assign({}, ...Object.values(bodies)) } : {}),
        })
        expect(response.statusCode, title(endpoint)).not.toBe(500)
      }
  }
}

it('every statement of the API, the jobs, the timers and the metrics finds its rows by an index', async () => {
  const endpoints = await declaredEndpoints()
  // Endpoints that delete come last, and those that end the session after all others.
  const ends = ({ path, method }: Endpoint) =>
    path.includes('logout') ? 2 : method === 'DELETE' || path.includes('delete') ? 1 : 0
  const operator = await world.user({ email: 'operator@example.com' })
  await world.startWorkers()
  await callWriteEndpoints(world, operator)
  await callAll(
    endpoints.toSorted((first, second) => ends(first) - ends(second)),
    operator,
  )
  const { jobs, timers, metrics } = collectModules()
  const ctx = { ...world.ctx, env: { ...world.env, SMTP_URL: 'smtp://127.0.0.1:9' } }
  const parts = [
    ...jobs.filter(({ schedule }) => schedule).map((job) => () => job.handle(ctx, {})),
    ...timers.map((timer) => () => timer.run(ctx, true)),
    ...metrics.map((measurement) => () => measurement.read(ctx)),
    () =>
      ctx.db.transaction((tx) =>
        mail.send(ctx, tx, {
          key: 'one',
          to: 'a@example.com',
          locale: 'en',
          kind: 'account',
          subject: 'One',
          paragraphs: [],
        }),
      ),
  ]
  // A part that needs the engine fails after its statements were recorded.
  for (const part of parts) await part().catch(() => undefined)
  recorder.stop()

  const client = await connect()
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class where relkind = 'r' and reltuples >= 15000`,
  )
  const large = new Set(rows.map(({ relname }) => relname))
  expect(large.size).toBeGreaterThan(25)
  expect(recorder.statements.size).toBeGreaterThan(100)
  const partial = await partialIndexes(client)
  const scans: string[] = []
  for (const statement of recorder.statements.values()) {
    // The queue's own statements are pg-boss'.
    if (/pgboss\./.test(statement.text)) continue
    if (wholeReads.some((pattern) => pattern.test(statement.text))) continue
    for (const table of await scannedTables(client, statement, partial))
      if (large.has(table))
        scans.push(`${table}: ${statement.text.replaceAll(/\s+/g, ' ').slice(0, 400)}`)
  }
  await client.end()
  expect(scans).toEqual([])
}, 600_000)
