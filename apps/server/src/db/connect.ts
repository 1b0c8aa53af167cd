import type { ExtractTablesWithRelations } from 'drizzle-orm'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgTransaction } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { defaults } from './connection-options.ts'

type NoSchema = Record<string, never>

/** A database or a transaction: store functions take either. */
export type Db =
  | NodePgDatabase<NoSchema>
  | PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>

/** A transaction, for functions that must run in one. */
export type Tx = PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>

export type Database = {
  db: NodePgDatabase<NoSchema>
  pool: pg.Pool
  options: pg.ClientConfig
  close(): Promise<void>
}

/** A pool and Drizzle on it. Connects at the first query. */
export function connect(
  clientConfig: pg.ClientConfig,
  options: { connections?: number; onError: (error: Error) => void },
): Database {
  const clientOptions = { ...defaults, ...clientConfig }
  const pool = new pg.Pool({ ...clientOptions, max: options.connections ?? 12 })
  // A broken idle connection is replaced at the next query. An unhandled error event ends the
  // process.
  pool.on('error', options.onError)
  return {
    db: drizzle(pool, { casing: 'snake_case' }),
    pool,
    options: clientOptions,
    close: () => pool.end(),
  }
}
