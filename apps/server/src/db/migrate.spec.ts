import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { createDatabase } from '../testing/database.ts'
import { knownMigrations, migrate, migrationLock } from './migrate.ts'

it.each(['pg_advisory_lock', 'pg_advisory_lock_shared'])(
  'a start does not wait for ever for the migrations of another server or for a backup: %s',
  async (lock) => {
    const { options, drop } = await createDatabase()
    const client = new pg.Client(options)
    await client.connect()
    await client.query(`select ${lock}($1)`, [migrationLock])
    await expect(migrate(options, { lockSeconds: 1 })).rejects.toThrow(
      'could not begin within 1 seconds: another server migrates it, or a backup runs',
    )
    await client.end()
    await expect(migrate(options)).resolves.toBeUndefined()
    await drop()
  },
)

/** Runs the program of `npm run migrate`. */
const runCommand = (env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'migrate.main.ts')], { env })

it('npm run migrate runs all migrations of an empty database', async () => {
  const { options, drop } = await createDatabase()
  const client = new pg.Client(options)
  await client.connect()
  // The user of the server owns both schemas.
  await client.query('drop schema drizzle, public cascade; create schema public')
  const { user, password, host } = inject('postgres')
  const url = new URL(`postgresql://${user}:${password}@localhost/${options.database}`)
  url.searchParams.set('host', host)
  const { stdout } = await runCommand({ DATABASE_URL: url.href })
  expect(stdout).toBe('The database has every migration of this version\n')
  const { rows } = await client.query('select hash from drizzle.__drizzle_migrations')
  expect(rows).toHaveLength(knownMigrations().length)
  await client.end()
  await drop()
})

it('npm run migrate rejects a missing DATABASE_URL', async () => {
  await expect(runCommand({})).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DATABASE_URL must be set'),
  })
})
