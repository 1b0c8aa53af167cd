export type NetworkAddress = { host: string; port: number }

/** `waking`: it sleeps no longer, but does not accept requests yet. */
export type InstanceState = 'awake' | 'waking' | 'asleep'

export type TableEntry = {
  state: InstanceState
  /** Null while it accepts no requests. */
  address: NetworkAddress | null
}

/**
 * Where the instances of a cluster accept requests, and which of them sleep: shared by the engine,
 * which runs them, and every gateway, in this process or another. Reads are from memory.
 */
export type InstanceTable = {
  find(key: string): TableEntry | undefined
  /** Called with the key of each entry that has changed, and with null when all may have. */
  onChange(listener: (key: string | null) => void): void
  /**
   * Adds an instance that is to run, unless the table has it; a `wake` ends its sleep. Resolves
   * with its state.
   */
  open(key: string, options: { wake: boolean; leaseMs: number }): Promise<InstanceState>
  /** Stores where an instance accepts requests, unless it sleeps. Writes only a change. */
  publish(key: string, address: NetworkAddress | null): Promise<void>
  /** Removes an instance that is not to run. Idempotent. */
  remove(key: string): Promise<void>
  /**
   * Keeps an instance awake for `leaseMs` from now on, which ends its sleep. Resolves with its new
   * state, and with undefined for one that does not run.
   */
  renew(key: string, leaseMs: number): Promise<InstanceState | undefined>
  /** Ends the leases that last longer than `leaseMs` from now on at that time. */
  limitLeases(leaseMs: number): Promise<void>
  /** Puts instances to sleep whose lease has ended. Resolves with their keys. */
  sleepIdle(limit: number): Promise<string[]>
}

/** The tables of all clusters, also of those that the settings lack. */
export type InstanceTables = { of(cluster: string): InstanceTable }
