import { createHash } from 'node:crypto'
import pg from 'pg'

export type Locks = {
  /**
   * Does the work while nobody else, in this process or another, does work of this name; undefined,
   * with nothing done, when somebody does. What the work gives or throws is given or thrown, also when
   * the lock cannot be given back: then it ends with its connection.
   */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined>
  close(): Promise<void>
}

/** The number PostgreSQL knows the name by; 64 bits of a hash, so that no two names meet. */
const lockNumber = (name: string) =>
  BigInt.asIntN(64, createHash('sha256').update(name).digest().readBigInt64BE()).toString()

/** Neither of the two statements waits for anything: an answer that takes longer does not come. */
const answerTimeout = 10_000

/**
 * Session-level advisory locks on one connection of their own: when the process is killed, the
 * connection ends and its locks with it, so nothing has to time out.
 */
export function createLocks(
  options: pg.ClientConfig,
  log: { warn(fields: object, message: string): void },
): Locks {
  const held = new Set<string>()
  /** The connection in use, and the one that is being made. */
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
    const client = new pg.Client({ ...options, keepAlive: true, query_timeout: answerTimeout })
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

  /** Lets go of a connection that is of no more use, with every lock that it may still hold. */
  function drop(client: pg.Client, error: unknown) {
    if (current !== client) return
    current = undefined
    log.warn({ err: error }, 'lost the connection that holds the locks')
    void client.end()
  }

  let turn: Promise<unknown> = Promise.resolve()
  /** One statement after the other: a connection carries one at a time. */
  function ask(client: pg.Client, statement: string, name: string) {
    const answer = turn.then(() =>
      client.query<{ done: boolean }>(statement, [lockNumber(name)]).catch((error) => {
        // Nobody knows now whether the lock is held; without its connection it is not.
        drop(client, error)
        throw error
      }),
    )
    turn = answer.catch(() => undefined)
    return answer
  }

  /** Never rejects: what cannot be given back is let go with its connection, by `ask`. */
  async function release(client: pg.Client, name: string) {
    // A lock whose connection broke is gone already.
    if (current !== client) return
    await ask(client, 'select pg_advisory_unlock($1) as done', name).catch((err) =>
      log.warn({ err, name }, 'a lock was not given back, but dropped with its connection'),
    )
  }

  return {
    async exclusively(name, work) {
      if (held.has(name)) return undefined
      held.add(name)
      try {
        const client = await connected()
        const { rows } = await ask(client, 'select pg_try_advisory_lock($1) as done', name)
        if (!rows[0]?.done) return undefined
        try {
          return await work()
        } finally {
          await release(client, name)
        }
      } finally {
        held.delete(name)
      }
    },
    async close() {
      const client = current ?? (await connecting)
      current = undefined
      await client?.end()
    },
  }
}
