import type pg from 'pg'
import { SessionClient } from '../db/session-client.ts'

/**
 * Runs the work on its own connection, without the timeouts of the pool: a backup may take hours.
 * `name` is its application name in PostgreSQL.
 */
export async function withClient<Result>(
  connection: pg.ClientConfig,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new SessionClient({
    connectionTimeoutMillis: 10_000,
    application_name: name,
    ...connection,
    options: '-c timezone=UTC -c statement_timeout=0 -c idle_in_transaction_session_timeout=0',
  })
  // The statement fails with the connection. An unhandled error event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
