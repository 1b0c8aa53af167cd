import pg from 'pg'
import { expect, it } from 'vitest'
import { createDatabase } from '../testing/database.ts'
import { migrate, migrationLock } from './migrate.ts'

it.each(['pg_advisory_lock', 'pg_advisory_lock_shared'])(
  'a start does not wait for ever for the migrations of another server or for a backup: %s',
  async (lock) => {
    const { options, drop } = await createDatabase()
    const other = new pg.Client(options)
    await other.connect()
    await other.query(`select ${lock}($1)`, [migrationLock])
    await expect(migrate(options, { lockSeconds: 1 })).rejects.toThrow(
      'could not begin within 1 seconds: another server migrates it, or a backup runs',
    )
    await other.end()
    await expect(migrate(options)).resolves.toBeUndefined()
    await drop()
  },
)
