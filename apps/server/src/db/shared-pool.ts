import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { isStalled, StalledError } from './unavailable.ts'

/**
 * A bulkhead: the connections that calls of one kind may use. Without it, calls that wait for one
 * locked table would use all connections.
 */
export type Share = {
  /** Runs a call. Its queries use connections of the share. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

type Waiter = { admit: () => void; reject: (error: Error) => void }

class PoolShare implements Share {
  busy = 0
  /** True while the circuit breaker is open: the last call ran into a lock or statement timeout. */
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

/** Probes at the same time, over all stalled shares. */
const maxProbes = 2

/**
 * A pool with a bulkhead and a circuit breaker for each share. A share gets at most two thirds of
 * the connections. After a timeout its calls are rejected at once, except for a few probes; the
 * first call that succeeds closes the circuit.
 */
export class SharedPool extends pg.Pool {
  readonly #shareOf = new WeakMap<pg.PoolClient, PoolShare>()
  readonly #probes = new WeakSet<pg.PoolClient>()
  #waitingInShares = 0
  #probeCount = 0

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
      if (isProbe) this.#probeCount--
      this.#freeSlot(share)
      throw error
    }
  }

  #admitProbe(share: PoolShare) {
    if (this.#probeCount >= maxProbes) throw new StalledError('calls like this one time out')
    this.#probeCount++
    share.busy++
  }

  /** Resolves when the share has a free slot. Rejects after the pool's connection timeout. */
  async #admit(share: PoolShare) {
    // Every pool of the server sets it (`connection-options.ts`).
    const { max, connectionTimeoutMillis } = this.options
    if (share.busy < Math.ceil((max * 2) / 3)) {
      share.busy++
      return
    }
    const { promise, resolve: admit, reject } = Promise.withResolvers<void>()
    const waiter = { admit, reject }
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
    // Opens the circuit before the slot is passed on to a call that would time out, too.
    if (isStalled(error)) share.stall()
    if (this.#probes.delete(client)) this.#probeCount--
    this.#freeSlot(share)
  }

  /** Passes the slot on to the next waiter, or frees it. */
  #freeSlot(share: PoolShare) {
    const next = share.waiting.shift()
    if (next) next.admit()
    else share.busy--
  }
}
