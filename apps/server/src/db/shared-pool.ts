import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { isStalled, StalledError } from './unavailable.ts'

/** The connections that calls of one kind use. Without it one locked table would use them all. */
export type Share = {
  /** Runs a call, whose queries use the share. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

type Waiter = { start: () => void; reject: (error: Error) => void }

class PoolShare implements Share {
  busy = 0
  /** The last call waited too long for a lock or a statement. */
  stalled = false
  readonly waiting: Waiter[] = []

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return shares.run(this, async () => {
      try {
        const result = await work()
        this.stalled = false
        return result
      } catch (error) {
        if (isStalled(error)) this.stall()
        else if (!(error instanceof StalledError)) this.stalled = false
        throw error
      }
    })
  }

  stall() {
    this.stalled = true
    for (const { reject } of this.waiting.splice(0)) reject(new StalledError('the table is locked'))
  }
}

const shares = new AsyncLocalStorage<PoolShare>()

export const createShare = (): Share => new PoolShare()

/** Calls of stalled shares that may wait at the same time, to find out whether they still stall. */
const stalledCalls = 2

/**
 * A pool that no kind of call can use up: each gets at most two thirds of the connections. Once
 * calls of a kind time out, all but a few are rejected at once until one succeeds.
 */
export class SharedPool extends pg.Pool {
  readonly #shareOf = new WeakMap<pg.PoolClient, PoolShare>()
  /** Connections of calls that find out whether their share still stalls. */
  readonly #probes = new WeakSet<pg.PoolClient>()
  #waitingInShares = 0
  #stalledCalls = 0

  constructor(options: pg.PoolConfig) {
    super(options)
    // The server may end the connection of a transaction between two statements; the next one
    // fails. An unhandled error event would end the process.
    this.on('connect', (client) => client.on('error', () => undefined))
    this.on('release', (error, client) => this.#release(client, error))
  }

  /** Calls that wait for a connection of their share. */
  get waitingInShares() {
    return this.#waitingInShares
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]) {
    const share = shares.getStore()
    if (!share) return callback ? super.connect(callback) : super.connect()
    const connecting = this.#connectIn(share)
    if (!callback) return connecting
    connecting.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error) => callback(error, undefined, () => undefined),
    )
  }

  async #connectIn(share: PoolShare) {
    const isProbe = share.stalled
    if (isProbe) this.#admitProbe(share)
    else await this.#admit(share)
    try {
      const client = await super.connect()
      this.#shareOf.set(client, share)
      if (isProbe) this.#probes.add(client)
      return client
    } catch (error) {
      if (isProbe) this.#stalledCalls--
      this.#leave(share)
      throw error
    }
  }

  #admitProbe(share: PoolShare) {
    if (this.#stalledCalls >= stalledCalls) throw new StalledError('calls like this one time out')
    this.#stalledCalls++
    share.busy++
  }

  /** Resolves when the share has a connection for the call: at once, or by a released one. */
  async #admit(share: PoolShare) {
    const { max, connectionTimeoutMillis = 0 } = this.options
    if (share.busy < Math.ceil((max * 2) / 3)) {
      share.busy++
      return
    }
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const waiter = { start, reject }
    const timer = setTimeout(() => {
      share.waiting.splice(share.waiting.indexOf(waiter), 1)
      reject(new StalledError('the calls before this one take too long'))
    }, connectionTimeoutMillis)
    share.waiting.push(waiter)
    this.#waitingInShares++
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.#waitingInShares--
    }
  }

  #release(client: pg.PoolClient, error: unknown) {
    const share = this.#shareOf.get(client)
    if (!share) return
    this.#shareOf.delete(client)
    // Before the connection goes to a call that would wait as long.
    if (isStalled(error)) share.stall()
    if (this.#probes.delete(client)) this.#stalledCalls--
    this.#leave(share)
  }

  #leave(share: PoolShare) {
    const next = share.waiting.shift()
    if (next) next.start()
    else share.busy--
  }
}
