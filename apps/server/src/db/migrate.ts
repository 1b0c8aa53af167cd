import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { root } from '../root.ts'
import { defaults } from './connection-options.ts'

const migrationsFolder = join(root, 'apps/server/src/db/migrations')
/** The advisory lock of migrations, the same number in every server. */
const lock = 5_318_008

/**
 * Runs the pending migrations, once for all servers that start concurrently. Rejects when the
 * database is unreachable or a migration fails; the tables are then unchanged.
 */
export async function migrate(options: pg.ClientConfig): Promise<void> {
  const { connectionTimeoutMillis } = defaults
  const client = new pg.Client({
    connectionTimeoutMillis,
    ...options,
    // Without the limits of other connections: a migration takes as long as it takes.
    options: '-c timezone=UTC',
  })
  // The statement fails with the connection. An unhandled error event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    await applyMigrations(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}
