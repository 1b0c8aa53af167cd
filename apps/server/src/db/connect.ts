import type { ExtractTablesWithRelations } from 'drizzle-orm'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgTransaction } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { defaults } from './connection-options.ts'

type NoSchema = Record<string, never>

/** A database or a transaction in it: store functions take either. */
export type Db =
  | NodePgDatabase<NoSchema>
  | PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>

/** A transaction alone, for what must not happen outside one. */
export type Tx = PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>

export type Database = {
  db: NodePgDatabase<NoSchema>
  pool: pg.Pool
  options: pg.ClientConfig
  close(): Promise<void>
}

/** A pool on the database and Drizzle on the pool. Nothing is connected until the first query. */
export function connect(
  given: pg.ClientConfig,
  options: { connections?: number; onError: (error: Error) => void },
): Database {
  const clientOptions = { ...defaults, ...given }
  const pool = new pg.Pool({ ...clientOptions, max: options.connections ?? 12 })
  // An idle connection that breaks is replaced at the next query; unheard, the event ends the process.
  pool.on('error', options.onError)
  return {
    db: drizzle(pool, { casing: 'snake_case' }),
    pool,
    options: clientOptions,
    close: () => pool.end(),
  }
}
