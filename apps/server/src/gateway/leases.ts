import type { Log } from '../log.ts'
import type { Site } from './pools.ts'

/** The result of a wake: the site accepts requests, does not run, or the engine did not respond. */
export type WakeResult = 'awake' | 'not_running' | 'unknown'

export type LeaseOptions = {
  /** The engine's `wake`: wakes a site and keeps it awake for `leaseMs`. Never rejects. */
  wake: (site: Site) => Promise<WakeResult>
  leaseMs: number
  /**
   * True for a site that its engine has put to sleep, as far as this process knows. A machine whose
   * clock is ahead ends leases too early.
   */
  isAsleep?: (site: Site) => boolean
  /** The longest wait of a request for its site, in milliseconds. */
  timeoutMs?: number
  /** Requests that may wait for one site, and for all. */
  maxWaitingPerSite?: number
  maxWaiting?: number
}

export type Leases = {
  /** Counts a request or a connection to a site until `leave`. */
  enter(site: Site): Lease
  leave(lease: Lease): void
  /** False for a lease that has ended here or in the engine: the caller calls `waitUntilAwake`. */
  isValid(lease: Lease): boolean
  /**
   * Waits until the site is awake. `overloaded`: too many requests wait already, the site wakes
   * without this one; `timed_out`: it did not wake within `timeoutMs`.
   */
  waitUntilAwake(lease: Lease): Promise<WakeResult | 'overloaded' | 'timed_out'>
  close(): void
}

export type Lease = {
  readonly site: Site
  /** By the clock of this process, and before the lease expires in the engine. */
  expiresAt: number
  open: number
  /** True after a request since the last renewal. */
  used: boolean
  renewing: Promise<WakeResult> | null
  waiting: number
}

const defaultTimeoutMs = 10_000
const defaultMaxWaitingPerSite = 100
const defaultMaxWaiting = 1_000
/** The lease expires here before it expires in the engine, by at most this time. */
const maxMarginMs = 1_000
/** How often a lease in use is renewed: a site goes to sleep at most a quarter of it too late. */
const renewalsPerLease = 4
const maxRenewalMs = 60_000
/** The log has at most one overload line in this time. */
const logIntervalMs = 10_000

/**
 * The leases of sites that are awake. The engine stops sites without a lease. A request to such a
 * site first gets a lease, which wakes it; later requests need no call. Leases of sites in use are
 * renewed in the background.
 */
export const createLeases = (options: LeaseOptions, log: Log): Leases => {
  const { wake, isAsleep, leaseMs, timeoutMs = defaultTimeoutMs } = options
  const { maxWaitingPerSite = defaultMaxWaitingPerSite, maxWaiting = defaultMaxWaiting } = options
  const marginMs = Math.min(maxMarginMs, leaseMs / 10)
  const leases = new Map<string, Lease>()
  let waiting = 0
  let rejectedRequests = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  const reportOverload = (key: string) => {
    rejectedRequests += 1
    if (performance.now() - loggedAt < logIntervalMs) return
    loggedAt = performance.now()
    log.warn({ key, waiting, rejectedRequests }, 'Too many requests wait for their sites to wake')
    rejectedRequests = 0
  }

  /** A site that moved to another cluster needs a new lease there. */
  const leaseOf = (site: Site): Lease => {
    const { key, cluster } = site
    let lease = leases.get(key)
    if (!lease || lease.site.cluster !== cluster) {
      const unused = { expiresAt: 0, open: 0, used: false, renewing: null, waiting: 0 }
      lease = { site: { key, cluster }, ...unused }
      leases.set(key, lease)
    }
    return lease
  }

  /** Concurrent requests share one renewal. */
  const renew = (lease: Lease): Promise<WakeResult> => {
    // Taken before the call, so that the lease ends here before it ends in the engine.
    const startedAt = performance.now()
    lease.renewing ??= wake(lease.site)
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
      if (isUsed) void renew(lease)
      else if (lease.expiresAt <= now && !lease.renewing) leases.delete(key)
    }
  }
  const renewal = setInterval(renewUsed, Math.min(maxRenewalMs, leaseMs / renewalsPerLease))
  renewal.unref()

  return {
    enter(site) {
      const lease = leaseOf(site)
      lease.open += 1
      lease.used = true
      return lease
    },
    leave(lease) {
      lease.open -= 1
      lease.used = true
    },
    isValid: ({ site, expiresAt }) => expiresAt > performance.now() && !isAsleep?.(site),
    async waitUntilAwake(lease) {
      if (lease.waiting >= maxWaitingPerSite || waiting >= maxWaiting) {
        reportOverload(lease.site.key)
        // Otherwise requests to sites that do not wake would keep this one asleep.
        void renew(lease)
        return 'overloaded'
      }
      lease.waiting += 1
      waiting += 1
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<'timed_out'>((resolve) => {
        timer = setTimeout(() => resolve('timed_out'), timeoutMs)
      })
      try {
        return await Promise.race([renew(lease), timeout])
      } finally {
        clearTimeout(timer)
        lease.waiting -= 1
        waiting -= 1
      }
    },
    close: () => clearInterval(renewal),
  }
}
