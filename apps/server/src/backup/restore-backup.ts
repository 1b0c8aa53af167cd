import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { connect, type Tx } from '../db/connect.ts'
import { checkDatabase } from '../db/connect-check.ts'
import { urlOptions } from '../db/connection-options.ts'
import { prepareDataDir } from '../db/data-folder.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { knownMigrations, migrate, migrateTo } from '../db/migrate.ts'
import type { Env } from '../env/env.ts'
import { type Jobs, queueNames, startJobs } from '../jobs.ts'
import * as mail from '../modules/mail/mail.service.ts'
import { collectModules } from '../modules.ts'
import { type ArchiveEntry, readArchive } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { createFilesRestore } from './data-folder-files.ts'
import { beginLoad, type DatabaseLoad, type RestoredJob } from './database-load.ts'
import type { Manifest } from './manifest.ts'
import { requireRestored, restoreMark } from './restore-mark.ts'
import { findBackup } from './stores/open-store.ts'
import type { BackupStore } from './stores/store.ts'
import { withClient } from './with-client.ts'

export type RestoreOptions = {
  env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>
  key: string
  /** A backup, or a folder or bucket whose newest one is restored. */
  from: string
  /** Whether to send the emails queued in the backup: the service may have sent them since. */
  queuedEmails: 'hold' | 'send'
  log: FastifyBaseLogger
  /** Tells the operator the next step. */
  say(sentence: string): void
}

export type RestoreSummary = {
  name: string
  manifest: Manifest
  /** Queued emails that are not sent. */
  unsentEmails: number
  jobs: number
}

/**
 * Restores the service into an empty data folder and, with `DATABASE_URL`, an empty database. Reads
 * the whole backup once before it changes anything. Throws a `BackupError` when the backup is
 * damaged or of a newer version, or the target is not empty.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const { env, key, from, say } = options
  await requireEmpty(env)
  const { store, backup } = await findBackup(from)
  say(`Checking ${backup.name} in ${store.location} ...`)
  const manifest = await checkBackup(store, backup.name, key)
  say(`It is complete: ${describe(manifest)}. Restoring into ${env.DATA_DIR} ...`)
  prepareDataDir(env.DATA_DIR)
  await writeFile(restoreMark(env.DATA_DIR), `${backup.name}\n`)
  const database = await openDatabase(env)
  try {
    const restored = await restoreAll(database.connection, options, store, backup.name, manifest)
    await rm(restoreMark(env.DATA_DIR))
    return { name: backup.name, manifest, ...restored }
  } finally {
    await database.close()
  }
}

/** Reads a whole backup and returns its manifest. Changes nothing. */
export async function checkBackup(
  store: BackupStore,
  name: string,
  key: string,
): Promise<Manifest> {
  const manifest = await readArchive(await store.read(name), key, async () => undefined)
  requireKnown(manifest)
  return manifest
}

/** One line about a backup, such as "version 0.1.0 of 2026-11-22 03:17 UTC, 30 tables, …". */
export function describe({ version, createdAt, tables, jobs, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const time = createdAt.slice(0, 16).replace('T', ' ')
  return `version ${version} of ${time} UTC, ${tables.length} tables with ${rows} rows, ${jobs} waiting jobs, ${files} files and folders`
}

/** The backup's migrations must be the first of those that this version knows. */
function requireKnown({ migrations, version }: Manifest) {
  const migrationsHere = knownMigrations()
  const isKnown = migrations.every(({ hash }, index) => migrationsHere[index]?.hash === hash)
  if (isKnown) return
  throw new BackupError(
    migrations.length > migrationsHere.length
      ? `the backup was made by Slipway ${version}, whose database has ${migrations.length} migrations, and this version knows ${migrationsHere.length}: update Slipway first`
      : `the backup was made by Slipway ${version}, whose migrations differ from those of this version: restore it with the version that made it`,
  )
}

async function requireEmpty({ DATA_DIR, DATABASE_URL }: RestoreOptions['env']) {
  requireRestored(DATA_DIR)
  const names = existsSync(DATA_DIR) ? await readdir(DATA_DIR) : []
  // The file system's own folder.
  if (names.some((name) => name !== 'lost+found'))
    throw new BackupError(
      `${DATA_DIR} is not empty: restore into another folder with --to, or move this one away`,
    )
  if (DATABASE_URL === undefined) return
  await checkDatabase(DATABASE_URL)
  const tables = await withClient(urlOptions(DATABASE_URL), 'slipway restore', (client) =>
    client.query(
      `select from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
       union all select from pg_namespace where nspname in ('drizzle', 'pgboss') limit 1`,
    ),
  )
  if (tables.rowCount !== 0)
    throw new BackupError(
      'the database of DATABASE_URL is not empty: create another one, or drop and create this one',
    )
}

async function openDatabase({ DATABASE_URL, DATA_DIR }: RestoreOptions['env']) {
  if (DATABASE_URL !== undefined)
    return { connection: urlOptions(DATABASE_URL), close: async () => undefined }
  const log = { info: () => undefined, warn: () => undefined }
  const started = await startEmbeddedPostgres({ dataDir: DATA_DIR, log })
  return { connection: started.connection as pg.ClientConfig, close: () => started.stop() }
}

async function restoreAll(
  connection: pg.ClientConfig,
  { env, key, queuedEmails, log }: RestoreOptions,
  store: BackupStore,
  name: string,
  manifest: Manifest,
) {
  await migrateTo(connection, manifest.migrations.length)
  return withClient(connection, 'slipway restore', async (client) => {
    const load = await beginLoad(client, manifest)
    const files = await createFilesRestore(env.DATA_DIR)
    const restoreEntry = (entry: ArchiveEntry) => {
      if (entry.path.startsWith('files/')) return files.write(entry)
      return load.append(entry.path, entry.content)
    }
    const read = await readArchive(await store.read(name), key, restoreEntry)
    if (read.sha256 !== manifest.sha256)
      throw new BackupError('the backup changed while it was restored')
    await files.finish()
    await load.finish()
    await migrate(connection)
    return continueWork(connection, load, queuedEmails, log)
  })
}

/** Puts queued jobs into the queues of this version, and marks queued emails as failed. */
async function continueWork(
  connection: pg.ClientConfig,
  load: DatabaseLoad,
  queuedEmails: 'hold' | 'send',
  log: FastifyBaseLogger,
) {
  const { jobs: knownJobs } = collectModules()
  const queues = await startJobs({ ...connection, worker: false }, knownJobs, log)
  const { db, close } = connect(connection, { onError: () => undefined })
  try {
    const unsentEmails =
      queuedEmails === 'hold'
        ? await db.transaction((tx) => mail.failQueuedEmails(tx, new Date()))
        : 0
    const names = new Set(queueNames(knownJobs))
    let jobs = 0
    for await (const job of load.jobs()) {
      // Skips the jobs of pg-boss itself, and those that this version no longer has.
      if (!names.has(job.name)) continue
      await db.transaction((tx) => requeue(queues, tx, job))
      jobs++
    }
    return { unsentEmails, jobs }
  } finally {
    await close()
    await queues.close()
  }
}

/** Queues a job again under its id and time, with all of its attempts. */
async function requeue(queues: Jobs, tx: Tx, job: RestoredJob) {
  const { id, name, data, priority, startAfter, singletonKey, groupId, groupTier } = job
  await queues.send(tx, name, data ?? {}, {
    id,
    priority,
    startAfter: new Date(startAfter),
    ...(singletonKey === null ? {} : { singletonKey }),
    ...(groupId === null
      ? {}
      : { group: { id: groupId, ...(groupTier ? { tier: groupTier } : {}) } }),
  })
}
