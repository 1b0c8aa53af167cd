import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type ArchiveEntry, fileEntry } from './archive.ts'
import type { Manifest } from './manifest.ts'

/**
 * Tables that a backup omits: sessions and tokens, which a restore would make valid again after
 * their end; counters of attempts; and tables that are filled again.
 */
const omittedTables: readonly string[] = [
  'access_tokens',
  'attempts',
  'authorization_codes',
  'certificate_challenges',
  // The restored service may have another cluster, which a worker checks.
  'cluster_checks',
  'external_login_codes',
  'external_logins',
  'device_authorizations',
  'mail_tokens',
  'offline_grants',
  'personal_token_projects',
  'personal_tokens',
  'refresh_tokens',
  'sessions',
  // The next release, or the next view of a project, creates them again.
  'site_pictures',
  'socket_tickets',
  'spent_captchas',
  // A copy of a salt would outlive its day.
  'traffic_salts',
  'traffic_writers',
]

type Content = Pick<Manifest, 'postgresVersion' | 'migrations' | 'tables' | 'sequences' | 'jobs'>

/** The bytes of an entry. A tar header states its size, so an entry's content is in memory. */
const partSize = 4 * 2 ** 20

const tablesQuery = `
  select class.relname as name,
    (select array_agg(attname::text order by attnum) from pg_attribute
      where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class class
  where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r'
    and class.relname <> all($1)
    and not exists (select from pg_depend where objid = class.oid and deptype = 'e')
  order by class.relname`

const sequencesQuery = `
  select sequencename::text as name, last_value::text as value from pg_sequences
  where schemaname = current_schema() and last_value is not null order by sequencename`

// The keys are pg-boss's options of a new job. A restored job has all of its attempts again.
const jobsQuery = `
  select jsonb_build_object('id', id, 'name', name, 'data', data, 'priority', priority,
    'startAfter', start_after, 'singletonKey', singleton_key, 'groupId', group_id,
    'groupTier', group_tier)
  from pgboss.job where state in ('created', 'retry', 'active') order by created_on, id`

/**
 * The rows of every table and the waiting jobs, as parts of PostgreSQL's COPY text. All are of the
 * snapshot of the client's current transaction.
 */
export async function* databaseEntries(
  client: pg.ClientBase,
  content: Content,
  now: Date,
): AsyncGenerator<ArchiveEntry> {
  for (const { name, columns } of (
    await client.query<{ name: string; columns: string[] }>(tablesQuery, [omittedTables])
  ).rows) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const copy = copyOut(client, `${pg.escapeIdentifier(name)} (${list})`)
    yield* parts(copy, `database/${name}`, now)
    content.tables.push({ name, columns, rows: copy.rowCount })
  }
  const { rows: schemas } = await client.query(
    "select to_regclass('pgboss.job') is not null as yes",
  )
  if (!schemas[0]?.yes) return
  const copy = copyOut(client, `(${jobsQuery})`)
  yield* parts(copy, 'jobs', now)
  content.jobs = copy.rowCount
}

const copyOut = (client: pg.ClientBase, source: string) =>
  client.query(copyTo(`copy ${source} to stdout`))

async function* parts(copy: Readable, folder: string, now: Date): AsyncGenerator<ArchiveEntry> {
  let number = 0
  let collected: Buffer[] = []
  let size = 0
  const part = () => {
    number++
    const entry = fileEntry(
      `${folder}/${String(number).padStart(9, '0')}.copy`,
      Buffer.concat(collected),
      now,
    )
    collected = []
    size = 0
    return entry
  }
  for await (const chunk of copy) {
    collected.push(chunk)
    size += chunk.length
    if (size >= partSize) yield part()
  }
  if (size > 0) yield part()
}

/** Begins the transaction of a consistent copy, and reads the state that is not in tables. */
export async function beginSnapshot(client: pg.ClientBase): Promise<Content> {
  await client.query('begin isolation level repeatable read read only')
  const { rows: server } = await client.query('show server_version')
  const { rows: migrations } = await client.query(
    'select hash, created_at::float8 as "createdAt" from drizzle.__drizzle_migrations order by created_at',
  )
  const { rows: sequences } = await client.query(sequencesQuery)
  return {
    postgresVersion: server[0].server_version,
    migrations,
    tables: [],
    sequences,
    jobs: 0,
  }
}
