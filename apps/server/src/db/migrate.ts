import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { root } from '../root.ts'
import { SessionClient } from './session-client.ts'

const migrationsFolder = join(root, 'apps/server/src/db/migrations')
/** The advisory lock of migrations, the same number in every server. */
export const migrationLock = 5_318_008

/** A backup takes the lock, too, and may run long. */
const maxLockSeconds = 30 * 60
/** PostgreSQL's code for a lock that was not available in time. */
const lockNotAvailable = '55P03'

export type Migration = { hash: string; createdAt: number }

/** The migrations that this version knows, in order. */
export const knownMigrations = (): Migration[] =>
  readMigrationFiles({ migrationsFolder }).map(({ hash, folderMillis }) => ({
    hash,
    createdAt: folderMillis,
  }))

/**
 * Runs the pending migrations, once for all servers that start concurrently. Rejects when the
 * database is unreachable, a migration fails, or another server or a backup has the lock for too
 * long; the tables are then unchanged.
 */
export const migrate = (
  options: pg.ClientConfig,
  { lockSeconds = maxLockSeconds } = {},
): Promise<void> => applyFrom(migrationsFolder, options, lockSeconds)

/**
 * Runs the first `count` migrations on an empty database, which then has an earlier version's
 * tables.
 */
export async function migrateTo(options: pg.ClientConfig, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-migrations-'))
  try {
    await cp(migrationsFolder, folder, { recursive: true })
    const path = join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(await readFile(path, 'utf8'))
    await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }))
    await applyFrom(folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function applyFrom(
  folder: string,
  options: pg.ClientConfig,
  lockSeconds = maxLockSeconds,
): Promise<void> {
  const client = new SessionClient({
    connectionTimeoutMillis: 10_000,
    ...options,
    // Without the limits of other connections: a migration may take hours.
    options: '-c timezone=UTC',
  })
  // The statement fails with the connection. An unhandled error event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await lock(client, lockSeconds)
    await applyMigrations(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client.end()
  }
}

/** Only this lock has the limit: a migration may wait longer for the locks of tables. */
async function lock(client: pg.Client, seconds: number) {
  await client.query("select set_config('lock_timeout', $1, false)", [`${seconds}s`])
  await client.query('select pg_advisory_lock($1)', [migrationLock]).catch((cause) => {
    if (cause.code !== lockNotAvailable) throw cause
    throw new Error(
      `the migrations of the database could not begin within ${seconds} seconds: another server migrates it, or a backup runs. Start again after its end`,
      { cause },
    )
  })
  await client.query('set lock_timeout = 0')
}
