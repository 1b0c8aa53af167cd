import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@slipway/contract/client'
import { listInvoices, payInvoices } from '@slipway/contract/invoices'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import { listProjects } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { listTickets } from '@slipway/contract/support'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFolder, runRestore, startServer } from '../../backup/backup.fixture.ts'
import { ada, password } from '../../demo/demo.people.ts'
import { createDatabase } from '../../testing/database.ts'
import { sitePage } from '../../testing/site-page.ts'
import { until } from '../../testing/until.ts'
import { findBreaks } from './migration-rules.fixture.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const migrationsFolder = join(folder, '../migrations')

/** The last migration of 0.1.0. */
const baseline = '0012_what_paid_invoices_were_charged.sql'

/** Migrations that break a running server of the previous version, with the reason. */
const breaks: Record<string, string> = {
  // A server of 0.1.0 must be stopped first.
  '0013_sealed_secrets.sql': '0.1.0 cannot read sealed secrets',
}

/** Statements that change existing tables and are compatible with the previous version. */
const harmless = [
  // 0.1.0 looks tokens up by code hash, so rows without one are never found.
  'ALTER TABLE "access_tokens" ALTER COLUMN "code_hash" DROP NOT NULL;',
  // An older server issues invoices without a number.
  'ALTER TABLE "invoices" ADD CONSTRAINT "invoices_number" UNIQUE("number");',
  // An older server has one instance for each key, and inserts without naming the constraint.
  'ALTER TABLE "instances" DROP CONSTRAINT "instances_pkey";',
  'ALTER TABLE "instances" ADD CONSTRAINT "instances_key_cluster_pk" PRIMARY KEY("key","cluster");',
]

const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('a migration', () => {
  const names = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'))

  it.each(names.filter((name) => name > baseline && !(name in breaks)))(
    '%s is compatible with a running server of the previous version',
    (name) => {
      const breaking = findBreaks(readFileSync(join(migrationsFolder, name), 'utf8'))
      expect(breaking.filter(({ statement }) => !harmless.includes(statement))).toEqual([])
    },
  )

  it.each(Object.keys(breaks))('%s breaks the previous version, as recorded', (name) => {
    expect(findBreaks(readFileSync(join(migrationsFolder, name), 'utf8'))).not.toEqual([])
  })

  it.each([
    'DROP TABLE "users"',
    'ALTER TABLE "users" DROP COLUMN "name"',
    'ALTER TABLE "users" RENAME COLUMN "name" TO "title"',
    'ALTER TABLE "users" RENAME TO "people"',
    'ALTER TABLE "users" ALTER COLUMN "name" SET DATA TYPE integer',
    'ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL',
    'ALTER TABLE "users" ALTER COLUMN "name" DROP NOT NULL',
    'ALTER TABLE "users" ALTER COLUMN "name" DROP DEFAULT',
    'ALTER TABLE "users" ADD COLUMN "title" text NOT NULL',
    'ALTER TABLE "users" ADD CONSTRAINT "name_once" UNIQUE("name")',
    'ALTER TABLE "users" ADD CONSTRAINT "users_team" FOREIGN KEY ("team_id") REFERENCES "teams"("id")',
    'CREATE UNIQUE INDEX "name_once" ON "users" USING btree ("name")',
    'DELETE FROM "users"',
  ])('is rejected with %s', (statement) => {
    expect(findBreaks(statement)).toEqual([{ statement, reason: expect.any(String) }])
  })

  it('may add tables, indexes, and columns that need no value', () => {
    const migration = [
      'CREATE TABLE "books" ("id" uuid NOT NULL)',
      'ALTER TABLE "books" ADD CONSTRAINT "books_once" UNIQUE("id")',
      'ALTER TABLE "users" ADD COLUMN "title" text',
      'ALTER TABLE "users" ADD COLUMN "kind" text DEFAULT \'x\' NOT NULL',
      'ALTER TABLE "users" ADD COLUMN "team_id" uuid',
      'ALTER TABLE "users" ADD CONSTRAINT "users_team" FOREIGN KEY ("team_id") REFERENCES "teams"("id")',
      'CREATE INDEX "users_title" ON "users" USING btree ("title")',
    ].join('--> statement-breakpoint')
    expect(findBreaks(migration)).toEqual([])
  })
})

/** A value for a parameter, by its type; arrays are empty. */
const literalOf = (type: string) =>
  values[type] ?? (type.endsWith('[]') ? '{}' : fail(`no value for the type ${type}`))
const fail = (message: string): never => {
  throw new Error(message)
}
const values: Record<string, string> = {
  text: 'example',
  'character varying': 'example',
  name: 'example',
  uuid: '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee',
  boolean: 'true',
  smallint: '1',
  integer: '1',
  bigint: '1',
  numeric: '1',
  'double precision': '1',
  oid: '1',
  bytea: '\\x00',
  json: '{}',
  jsonb: '{}',
  interval: '1 second',
  'timestamp with time zone': '2026-11-22T12:00:00Z',
  'timestamp without time zone': '2026-11-22T12:00:00Z',
  date: '2026-11-22',
}

/** Runs a statement with a value for each of its parameters, and rolls it back. */
async function runInSavepoint(client: pg.Client, statement: string) {
  await client.query('savepoint before_statement')
  try {
    await client.query(`prepare upgraded as ${statement}`)
    const { rows } = await client.query<{ type: string }>(
      `select format_type(type::oid, null) as type from pg_prepared_statements,
       unnest(parameter_types) with ordinality as type where name = 'upgraded' order by ordinality`,
    )
    const parameters = rows.map(({ type }) => client.escapeLiteral(literalOf(type)))
    await client.query(`execute upgraded${rows.length > 0 ? `(${parameters.join(', ')})` : ''}`)
  } finally {
    await client.query('rollback to savepoint before_statement')
    await client.query('deallocate all')
  }
}

/**
 * True if the example values cause the error: a missing parent, a duplicate, a failed check. False
 * for a missing required value (23502): a new column may need it.
 */
const isAboutValues = ({ code = '' }: pg.DatabaseError) => /^23/.test(code) && code !== '23502'

describe('an upgrade from 0.1.0', () => {
  it('runs every statement of the 0.1.0 server', async () => {
    const database = await createDatabase()
    const client = new pg.Client(database.options)
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await database.drop()
    })
    const statements: string[] = JSON.parse(read('statements-0.1.0.json'))
    expect(statements.length).toBeGreaterThan(300)
    const failures: string[] = []
    await client.query('begin')
    for (const statement of statements)
      await runInSavepoint(client, statement).catch((error: pg.DatabaseError) => {
        if (!isAboutValues(error)) failures.push(`${error.code} ${error.message}: ${statement}`)
      })
    expect(failures).toEqual([])
  })

  it('detects a dropped column and a missing required value', async () => {
    const database = await createDatabase()
    const client = new pg.Client(database.options)
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await database.drop()
    })
    await client.query('begin')
    await client.query('create table examples (id uuid not null, name text, added text not null)')
    const outcome = (statement: string) =>
      runInSavepoint(client, statement).then(
        () => 'runs',
        (error: pg.DatabaseError) => (isAboutValues(error) ? 'runs' : error.code),
      )
    expect(await outcome('insert into examples (id, name) values ($1, $2)')).toBe('23502')
    expect(await outcome('select gone from examples where id = $1')).toBe('42703')
    expect(await outcome('insert into examples (id, added) values ($1, $2)')).toBe('runs')
  })

  it('restores a 0.1.0 backup with its projects, tickets and invoices', async () => {
    const dataDir = join(await newFolder(), 'data')
    const [backup = ''] = readdirSync(folder).filter((name) => name.endsWith('.age'))
    const restored = await runRestore([join(folder, backup), '--to', dataDir], {
      BACKUP_KEY: read('backup-0.1.0.key').trim(),
    })
    expect(restored).toEqual({ code: 0, output: expect.stringContaining('version 0.1.0') })
    const server = await startServer(dataDir)
    let token: string | null = null
    const call = createClient({
      base: `${server.base}/api`,
      token: () => token,
      locale: () => 'en',
    })
    token = (await call(login, { body: { email: ada.email, password } })).token

    const [project] = (await call(listProjects)).filter(({ state }) => state === 'ready')
    if (!project) throw new Error('no project is ready')
    const page = await until(async () => {
      const response = await sitePage(server.sitesPort, `${project.key}.localhost`)
      return response.status === 200 && response
    })
    expect(page.body).toContain(project.name)
    expect((await call(listTickets)).map(({ subject }) => subject)).toMatchInlineSnapshot(`
      [
        "The Winter Fair could not be created",
        "Is there a way to move a project to another team?",
        "Custom domain of the Old Mill Museum",
        "Where do I find the key of a project?",
      ]
    `)
    const { items: invoices } = await call(listInvoices, { query: { perPage: 100 } })
    expect(invoices.filter(({ paidAt }) => paidAt !== null)).toHaveLength(2)
    // The migration numbers the invoices of all customers in the order of their issue.
    const issued = invoices.filter(({ issuedAt }) => issuedAt !== null)
    const numbers = issued
      .toSorted((first, second) => String(first.issuedAt).localeCompare(String(second.issuedAt)))
      .map(({ number }) => String(number))
    expect(numbers[0]).toBe('SW-2026-000001')
    expect(new Set(numbers).size).toBe(issued.length)
    expect(numbers).toEqual(numbers.toSorted())
    const unpaid = invoices.find(({ amount }) => amount === '23.37250')
    // 0.1.0 stored the token of the card in the clear.
    const [card] = await call(listPaymentMethods)
    if (!unpaid || !card) throw new Error('no invoice or no card')
    const payment = await call(payInvoices, {
      body: { invoiceIds: [unpaid.id], paymentMethodId: card.id },
    })
    expect(payment.state).toBe('succeeded')
  })
})
