import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { template } from './postgres.setup.ts'

/** A database of one's own, with the tables of today; `drop` takes it away. */
export async function createDatabase() {
  const server = inject('postgres')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const admin = async (statement: string) => {
    const client = new pg.Client({ ...server, database: 'postgres' })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await admin(`create database ${database} template ${template}`)
  return {
    options: { ...server, database } satisfies pg.ClientConfig,
    drop: () => admin(`drop database ${database} with (force)`),
  }
}
