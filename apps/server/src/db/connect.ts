import type { ExtractTablesWithRelations } from 'drizzle-orm'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgTransaction } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { callDefaults, jobDefaults } from './connection-options.ts'
import { SessionClient } from './session-client.ts'
import { SharedPool } from './shared-pool.ts'

type NoSchema = Record<string, never>

/** A database or a transaction: store functions take either. */
export type Db =
  | NodePgDatabase<NoSchema>
  | PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>

/** A transaction, for functions that must run in one. */
export type Tx = PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>

export type Database = {
  db: NodePgDatabase<NoSchema>
  pool: SharedPool
  options: pg.ClientConfig
  close(): Promise<void>
}

/**
 * A pool and Drizzle on it, with the timeouts of calls unless it is for jobs. Connects at the first
 * query.
 */
export function connect(
  clientConfig: pg.ClientConfig,
  options: { connections?: number; forJobs?: boolean; onError: (error: Error) => void },
): Database {
  const clientOptions = { ...(options.forJobs ? jobDefaults : callDefaults), ...clientConfig }
  const pool = new SharedPool({
    ...clientOptions,
    max: options.connections ?? 12,
    Client: SessionClient,
  })
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
