import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { day } from '@slipway/contract/limits'
import type pg from 'pg'
import { connect } from '../db/connect.ts'
import { urlOptions } from '../db/connection-options.ts'
import { findRunningConnection, startEmbeddedPostgres } from '../db/embedded.ts'
import { migrationLock } from '../db/migrate.ts'
import type { Env } from '../env/env.ts'
import * as backups from '../modules/backups/backups.service.ts'
import { packArchive } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { fileEntries } from './data-folder-files.ts'
import { beginSnapshot, databaseEntries } from './database-dump.ts'
import { requireRestored } from './restore-mark.ts'
import { openStore } from './stores/open-store.ts'
import { type BackupStore, backupName } from './stores/store.ts'
import { withClient } from './with-client.ts'

export type BackupSummary = {
  location: string
  name: string
  bytes: number
  tables: number
  rows: number
  jobs: number
  files: number
  /** The backups that were removed because of `keepDays`. */
  removed: string[]
}

export type BackupOptions = {
  env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>
  key: string
  /** A folder or `s3://bucket/prefix`. */
  location: string
  /** Days after which backups there are removed; undefined removes none. */
  keepDays?: number | undefined
  signal: AbortSignal
  warn(sentence: string): void
}

/** The newest backups stay, however old: a service that was off for a month keeps its backups. */
const minStoredBackups = 7

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }

/**
 * Backs up the whole service: a consistent snapshot of the database, the waiting jobs, the sites
 * and every other file of the data folder. Stores all of it or nothing. Throws a `BackupError`
 * while another backup of this database runs.
 */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { env, key, location, signal, warn } = options
  requireRestored(env.DATA_DIR)
  const store = await openStore(location)
  const database = await openDatabase(env)
  try {
    return await withClient(database.connection, 'slipway backup', async (client) => {
      await lock(client)
      const startedAt = new Date()
      const name = backupName(startedAt)
      const content = await beginSnapshot(client)
      const counts = { rows: 0, files: 0 }
      const entries = countEntries()
      const stream = await packArchive(
        entries,
        () => ({ version, createdAt: startedAt.toISOString(), ...content, files: counts.files }),
        key,
      )
      const bytes = await store.write(name, stream, signal)
      await client.query('rollback')
      // The database of an earlier version, backed up before its upgrade, cannot record it.
      if (content.tables.some((table) => table.name === 'backups'))
        await record(database.connection, { name, location, bytes, startedAt })
      const removed = await removeOld(store, options.keepDays, startedAt)
      const rows = content.tables.reduce((sum, table) => sum + table.rows, 0)
      const { tables, jobs } = content
      return {
        location,
        name,
        bytes,
        tables: tables.length,
        rows,
        jobs,
        files: counts.files,
        removed,
      }

      async function* countEntries() {
        yield* databaseEntries(client, content, startedAt)
        for await (const entry of fileEntries(env.DATA_DIR, warn)) {
          counts.files++
          yield entry
        }
      }
    })
  } finally {
    await database.close()
  }
}

/** The embedded database may run in the server, or not at all. */
async function openDatabase({ DATABASE_URL, DATA_DIR }: BackupOptions['env']) {
  const nothing = async () => undefined
  if (DATABASE_URL !== undefined) return { connection: urlOptions(DATABASE_URL), close: nothing }
  if (!existsSync(join(DATA_DIR, 'database')))
    throw new BackupError(
      `${DATA_DIR} has no database: set DATA_DIR, or DATABASE_URL, as for the server`,
    )
  const log = { info: () => undefined, warn: () => undefined }
  try {
    const started = await startEmbeddedPostgres({ dataDir: DATA_DIR, log })
    return { connection: started.connection as pg.ClientConfig, close: () => started.stop() }
  } catch (error) {
    const connection = findRunningConnection(DATA_DIR)
    if (!connection) throw error
    return { connection: connection as pg.ClientConfig, close: nothing }
  }
}

/** The advisory lock of backups, the same number in every version. */
export const backupLock = 5_318_009

/** One backup at a time. Migrations wait for its end: their table locks would block requests. */
async function lock(client: pg.Client) {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as done', [backupLock])
  if (!rows[0]?.done)
    throw new BackupError('another backup of this database is running: wait for its end')
  await client.query('select pg_advisory_lock_shared($1)', [migrationLock])
}

async function record(
  connection: pg.ClientConfig,
  backup: { name: string; location: string; bytes: number; startedAt: Date },
) {
  const database = connect(connection, { connections: 1, onError: () => undefined })
  try {
    await backups.record({ db: database.db }, { ...backup, finishedAt: new Date() })
  } finally {
    await database.close()
  }
}

async function removeOld(store: BackupStore, keepDays: number | undefined, now: Date) {
  if (keepDays === undefined) return []
  const removable = (await store.list()).slice(0, -minStoredBackups)
  const old = removable.filter(
    ({ createdAt }) => now.getTime() - createdAt.getTime() > keepDays * day,
  )
  for (const { name } of old) await store.remove(name)
  return old.map(({ name }) => name)
}
