import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { defaults } from './connection-options.ts'

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
/** Any number, the same in every server: who holds it migrates, the others wait. */
const lock = 5_318_008

/**
 * Brings the tables to this version, once however many servers start at the same time. Rejects when the
 * database cannot be reached or a migration fails; the tables are then as they were.
 */
export async function migrate(options: pg.ClientConfig): Promise<void> {
  const { connectionTimeoutMillis } = defaults
  const client = new pg.Client({
    connectionTimeoutMillis,
    ...options,
    // Without the limits of other connections: a migration takes as long as it takes.
    options: '-c timezone=UTC',
  })
  // The statement under way fails with the connection; the event besides, unheard, would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    await applyMigrations(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}
