import type pg from 'pg'
import { SessionClient } from './session-client.ts'

/** Statements on a separate connection, so that they also run while the pools are exhausted. */
export type Probe = {
  /** Rejects within two seconds when the statement does not succeed. */
  run(statement: string): Promise<pg.QueryResult>
  close(): Promise<void>
}

/** Timeout of a connection and of a statement, in milliseconds. */
const timeout = 2_000

/** Connects at the first statement, and again after a failure. */
export function createProbe(options: pg.ClientConfig): Probe {
  let connection: Promise<pg.Client> | undefined
  let closed = false

  async function open() {
    const client = new SessionClient({
      ...options,
      application_name: 'slipway-probe',
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      options: `-c statement_timeout=${timeout} -c timezone=UTC`,
      keepAlive: true,
    })
    client.on('error', () => drop(client))
    client.on('end', () => drop(client))
    try {
      await client.connect()
      return client
    } catch (error) {
      drop(client)
      throw error
    }
  }

  function drop(client: pg.Client) {
    connection = undefined
    void client.end().catch(() => undefined)
  }

  async function query(statement: string) {
    if (closed) throw new Error('the probe is closed')
    connection ??= open()
    const client = await connection
    try {
      return await client.query(statement)
    } catch (error) {
      drop(client)
      throw error
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  return {
    run(statement) {
      const result = last.then(() => query(statement))
      last = result.catch(() => undefined)
      return result
    },
    async close() {
      closed = true
      const client = await connection?.catch(() => undefined)
      await client?.end()
    },
  }
}
