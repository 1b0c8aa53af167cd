import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { requireNoCardNumber } from './card-numbers.ts'
import { type TestPostgres, template } from './postgres.setup.ts'

/**
 * A new database with the current tables. `drop` deletes it, and rejects when it or the log
 * contains a card number.
 */
export async function createDatabase(
  { server, superuser }: TestPostgres = {
    server: inject('postgres'),
    superuser: inject('postgresAdmin'),
  },
) {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const admin = async (statement: string) => {
    const client = new pg.Client({ ...superuser, database: 'postgres' })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await admin(`create database ${database} template ${template} owner ${server.user}`)
  const options = { ...server, database } satisfies pg.ClientConfig
  return {
    options,
    async drop(logged: readonly string[] = []) {
      try {
        await requireNoCardNumber(options, logged)
      } finally {
        await admin(`drop database ${database} with (force)`)
      }
    },
  }
}
