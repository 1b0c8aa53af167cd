import { createHash } from 'node:crypto'
import pg from 'pg'

export type Locks = {
  /**
   * Does the work while nobody else, in this process or another, does work of this name; undefined,
   * with nothing done, when somebody does.
   */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined>
  close(): Promise<void>
}

/** The number PostgreSQL knows the name by; 60 bits of a hash, so that no two names meet. */
const lockNumber = (name: string) =>
  BigInt.asIntN(64, createHash('sha256').update(name).digest().readBigInt64BE()).toString()

/**
 * Session-level advisory locks on one connection of their own: when the process is killed, the
 * connection ends and its locks with it, so nothing has to time out.
 */
export function createLocks(options: pg.ClientConfig): Locks {
  const held = new Set<string>()
  let connection: Promise<pg.Client> | undefined

  function connected() {
    connection ??= open()
    return connection
  }

  async function open() {
    const client = new pg.Client({ ...options, keepAlive: true })
    const lost = () => {
      connection = undefined
    }
    client.on('error', lost)
    client.on('end', lost)
    await client.connect().catch((error) => {
      lost()
      throw error
    })
    return client
  }

  let turn: Promise<unknown> = Promise.resolve()
  /** One statement after the other: a connection carries one at a time. */
  function ask(client: pg.Client, statement: string, number: string) {
    const answer = turn.then(() => client.query<{ done: boolean }>(statement, [number]))
    turn = answer.catch(() => undefined)
    return answer
  }

  return {
    async exclusively(name, work) {
      if (held.has(name)) return undefined
      held.add(name)
      try {
        const client = await connected()
        const number = lockNumber(name)
        const { rows } = await ask(client, 'select pg_try_advisory_lock($1) as done', number)
        if (!rows[0]?.done) return undefined
        try {
          return await work()
        } finally {
          // A lock whose connection broke is gone already.
          if ((await connection) === client)
            await ask(client, 'select pg_advisory_unlock($1) as done', number)
        }
      } finally {
        held.delete(name)
      }
    },
    async close() {
      const client = await connection
      connection = undefined
      await client?.end()
    },
  }
}
