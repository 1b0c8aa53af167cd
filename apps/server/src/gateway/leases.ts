import type { Log } from '../log.ts'

/** The result of a wake: the site accepts requests, does not run, or the engine did not respond. */
export type Wakefulness = 'awake' | 'not_running' | 'unknown'

export type LeaseOptions = {
  /** The engine's `wake`: wakes a site and keeps it awake for `leaseMs`. Never rejects. */
  wake: (key: string) => Promise<Wakefulness>
  /** The length of a lease, in milliseconds. */
  leaseMs: number
  /** The longest wait of a request for its site, in milliseconds. */
  timeoutMs?: number
  /** Requests that may wait for one site, and for all. */
  maxWaitingPerSite?: number
  maxWaiting?: number
}

export type Leases = {
  /**
   * Counts a request or a connection to a site until `leave`. True if the site has a valid lease;
   * otherwise the caller calls `waitUntilAwake`.
   */
  enter(key: string): boolean
  leave(key: string): void
  /**
   * Waits until the site is awake. `overloaded`: too many requests wait already; `late`: it takes
   * too long.
   */
  waitUntilAwake(key: string): Promise<Wakefulness | 'overloaded' | 'late'>
  close(): void
}

type Lease = {
  /** By the clock of this process, and before the lease expires in the engine. */
  expiresAt: number
  /** Requests and connections that are open. */
  open: number
  /** True after a request since the last renewal. */
  used: boolean
  renewing: Promise<Wakefulness> | null
  waiting: number
}

const defaultTimeoutMs = 10_000
const defaultMaxWaitingPerSite = 100
const defaultMaxWaiting = 1_000
/** The lease expires here before it expires in the engine, by at most this time. */
const longestMarginMs = 1_000
/** Used leases are renewed so often that a site sleeps at most this share too late. */
const renewalsPerLease = 4
const longestRenewalMs = 60_000
/** The log has at most one overload line in this time. */
const logIntervalMs = 10_000

/**
 * The leases of sites that are awake. The engine stops sites without a lease. A request to such a
 * site first gets a lease, which wakes it; later requests need no call. Leases of sites in use are
 * renewed in the background.
 */
export const createLeases = (options: LeaseOptions, log: Log): Leases => {
  const { wake, leaseMs, timeoutMs = defaultTimeoutMs } = options
  const { maxWaitingPerSite = defaultMaxWaitingPerSite, maxWaiting = defaultMaxWaiting } = options
  const marginMs = Math.min(longestMarginMs, leaseMs / 10)
  const leases = new Map<string, Lease>()
  let waiting = 0
  let turnedAway = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  /** One line for a flood of requests. */
  const reportOverload = (key: string) => {
    turnedAway += 1
    if (performance.now() - loggedAt < logIntervalMs) return
    loggedAt = performance.now()
    log.warn({ key, waiting, turnedAway }, 'Too many requests wait for their sites to wake')
    turnedAway = 0
  }

  const leaseOf = (key: string): Lease => {
    let lease = leases.get(key)
    if (!lease) {
      lease = { expiresAt: 0, open: 0, used: false, renewing: null, waiting: 0 }
      leases.set(key, lease)
    }
    return lease
  }

  /** Concurrent requests share one renewal. */
  const renew = (key: string, lease: Lease): Promise<Wakefulness> => {
    // Before the request, so that the lease ends here before it ends in the engine.
    const startedAt = performance.now()
    lease.renewing ??= wake(key)
      .then((wakefulness) => {
        if (wakefulness === 'awake') lease.expiresAt = startedAt + leaseMs - marginMs
        return wakefulness
      })
      .finally(() => {
        lease.renewing = null
      })
    return lease.renewing
  }

  const renewUsed = () => {
    const now = performance.now()
    for (const [key, lease] of leases) {
      const isUsed = lease.used || lease.open > 0
      lease.used = false
      if (isUsed) void renew(key, lease)
      else if (lease.expiresAt <= now && !lease.renewing) leases.delete(key)
    }
  }
  const renewal = setInterval(renewUsed, Math.min(longestRenewalMs, leaseMs / renewalsPerLease))
  renewal.unref()

  return {
    enter(key) {
      const lease = leaseOf(key)
      lease.open += 1
      lease.used = true
      return lease.expiresAt > performance.now()
    },
    leave(key) {
      const lease = leaseOf(key)
      lease.open -= 1
      lease.used = true
    },
    async waitUntilAwake(key) {
      const lease = leaseOf(key)
      if (lease.waiting >= maxWaitingPerSite || waiting >= maxWaiting) {
        reportOverload(key)
        return 'overloaded'
      }
      lease.waiting += 1
      waiting += 1
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), timeoutMs)
      })
      try {
        return await Promise.race([renew(key, lease), late])
      } finally {
        clearTimeout(timer)
        lease.waiting -= 1
        waiting -= 1
      }
    },
    close: () => clearInterval(renewal),
  }
}
