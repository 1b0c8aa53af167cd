import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
/** Any number, the same in every server: who holds it migrates, the others wait. */
const lock = 5_318_008

/** Brings the tables to this version, once however many servers start at the same time. */
export async function migrate(options: pg.ClientConfig) {
  const client = new pg.Client({ ...options, options: '-c timezone=UTC' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    await applyMigrations(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}
