import { createHash } from 'node:crypto'
import type pg from 'pg'
import { SessionClient } from './session-client.ts'

export type Locks = {
  /**
   * Runs the work with the lock of this name, across all processes. Returns undefined without
   * running it when the lock is taken. Returns the work's result or throws its error, also when
   * unlocking fails: the lock then ends with its connection.
   */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined>
  close(): Promise<void>
}

/** The key of an advisory lock: 64 bits of a hash of the name. */
const lockNumber = (name: string) =>
  BigInt.asIntN(64, createHash('sha256').update(name).digest().readBigInt64BE()).toString()

/** Timeout of both statements, neither of which waits for a lock. */
const queryTimeout = 10_000

/**
 * Session-level advisory locks on a separate connection. A killed process loses the connection and
 * so its locks; no timeout is needed.
 */
export function createLocks(
  options: pg.ClientConfig,
  log: { warn(fields: object, message: string): void },
): Locks {
  const lockedNames = new Set<string>()
  /** The current connection, and the one being opened. */
  let current: pg.Client | undefined
  let connecting: Promise<pg.Client> | undefined

  function connected(): pg.Client | Promise<pg.Client> {
    if (current) return current
    connecting ??= open().finally(() => {
      connecting = undefined
    })
    return connecting
  }

  async function open() {
    const client = new SessionClient({ ...options, keepAlive: true, query_timeout: queryTimeout })
    client.on('error', (error) => drop(client, error))
    client.on('end', () => drop(client, new Error('the connection ended')))
    try {
      await client.connect()
    } catch (error) {
      await client.end()
      throw error
    }
    current = client
    return client
  }

  /** Closes a failed connection, which releases its locks. */
  function drop(client: pg.Client, error: unknown) {
    if (current !== client) return
    current = undefined
    log.warn({ err: error }, 'lost the connection of the locks')
    void client.end()
  }

  let lastQuery: Promise<unknown> = Promise.resolve()
  /** Runs statements in sequence: a connection runs one at a time. */
  function query(client: pg.Client, statement: string, name: string) {
    const result = lastQuery.then(() =>
      client.query<{ done: boolean }>(statement, [lockNumber(name)]).catch((error) => {
        // The state of the lock is unknown; closing the connection releases it.
        drop(client, error)
        throw error
      }),
    )
    lastQuery = result.catch(() => undefined)
    return result
  }

  /** Never rejects: if unlocking fails, `query` closes the connection, which releases the lock. */
  async function release(client: pg.Client, name: string) {
    // A lock of a broken connection is already released.
    if (current !== client) return
    await query(client, 'select pg_advisory_unlock($1) as done', name).catch((err) =>
      log.warn({ err, name }, 'a lock could not be released; it ended with its connection'),
    )
  }

  return {
    async exclusively(name, work) {
      if (lockedNames.has(name)) return undefined
      lockedNames.add(name)
      try {
        const client = await connected()
        const { rows } = await query(client, 'select pg_try_advisory_lock($1) as done', name)
        if (!rows[0]?.done) return undefined
        try {
          return await work()
        } finally {
          await release(client, name)
        }
      } finally {
        lockedNames.delete(name)
      }
    },
    async close() {
      const client = current ?? (await connecting)
      current = undefined
      await client?.end()
    },
  }
}
