import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BackupError } from './backup-error.ts'
import type { Manifest } from './manifest.ts'

export type RestoredJob = {
  id: string
  name: string
  data: Record<string, string> | null
  priority: number
  startAfter: string
  singletonKey: string | null
  groupId: string | null
  groupTier: string | null
}

export type DatabaseLoad = {
  /** Writes a part of a table's or the jobs' rows. The parts of a table follow each other. */
  append(path: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
  /** Commits everything. */
  finish(): Promise<void>
  /** The waiting jobs, after `finish`. */
  jobs(): AsyncGenerator<RestoredJob>
}

const foreignKeysQuery = `
  select conrelid::regclass::text as "table", quote_ident(conname) as name,
    pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`

/**
 * Fills the tables of an empty database in one transaction. Foreign keys are created again at the
 * end, which checks all rows, so the order of the tables does not matter.
 */
export async function beginLoad(client: pg.ClientBase, manifest: Manifest): Promise<DatabaseLoad> {
  await client.query('begin')
  const { rows: foreignKeys } = await client.query<{
    table: string
    name: string
    definition: string
  }>(foreignKeysQuery)
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${table} drop constraint ${name}`)
  // Migrations insert rows too, such as the first price.
  for (const { name } of manifest.tables)
    await client.query(`truncate ${pg.escapeIdentifier(name)}`)
  await client.query(
    'create temporary table restored_jobs (number bigserial primary key, job jsonb not null)',
  )

  let current: { folder: string; stream: ReturnType<typeof copyFrom> } | undefined

  async function endCurrent() {
    if (!current) return
    const { stream } = current
    current = undefined
    stream.end()
    await finished(stream)
  }

  async function open(folder: string) {
    if (current?.folder === folder) return current.stream
    await endCurrent()
    const stream = client.query(copyFrom(`copy ${targetOf(folder, manifest)} from stdin`))
    current = { folder, stream }
    return stream
  }

  return {
    async append(path, content) {
      const stream = await open(path.slice(0, path.lastIndexOf('/')))
      // Rejects when PostgreSQL rejects the rows.
      const failed = finished(stream)
      failed.catch(() => undefined)
      for await (const chunk of content) {
        if (stream.write(chunk)) continue
        const drained = new Promise<void>((resolve) => stream.once('drain', () => resolve()))
        await Promise.race([drained, failed])
      }
    },
    async finish() {
      await endCurrent()
      for (const { name, value } of manifest.sequences)
        await client.query('select setval($1::regclass, $2)', [pg.escapeIdentifier(name), value])
      for (const { table, name, definition } of foreignKeys)
        await client.query(`alter table ${table} add constraint ${name} ${definition}`)
      await client.query('commit')
    },
    async *jobs() {
      let last = '0'
      for (;;) {
        const { rows } = await client.query<{ number: string; job: RestoredJob }>(
          'select number, job from restored_jobs where number > $1 order by number limit 500',
          [last],
        )
        if (rows.length === 0) return
        for (const { job } of rows) yield job
        last = rows.at(-1)?.number ?? last
      }
    },
  }
}

function targetOf(folder: string, manifest: Manifest) {
  if (folder === 'jobs') return 'restored_jobs (job)'
  const table = manifest.tables.find(({ name }) => folder === `database/${name}`)
  if (!table) throw new BackupError(`the backup has rows of a table it does not name, ${folder}`)
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  return `${pg.escapeIdentifier(table.name)} (${columns})`
}
