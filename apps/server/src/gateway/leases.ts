import type { Log } from '../log.ts'

/** The result of a wake: the site accepts requests, does not run, or the engine did not respond. */
export type Wakefulness = 'awake' | 'not_running' | 'unknown'

export type LeaseOptions = {
  /**
   * Keeps a site awake for `leaseMs` from now on, and wakes it when it sleeps. Never rejects. From
   * the hosting engine.
   */
  wake: (key: string) => Promise<Wakefulness>
  /** How long the engine keeps a site awake, in milliseconds. */
  leaseMs: number
  /** How long a request waits for its site, in milliseconds. */
  timeoutMs?: number
  /** Requests that may wait for one site, and for all. */
  heldPerSite?: number
  held?: number
}

export type Leases = {
  /**
   * Counts a request or a connection to a site until `leave`. True when the site is awake for sure;
   * otherwise the caller waits for `hold`.
   */
  enter(key: string): boolean
  leave(key: string): void
  /**
   * Waits until the site is awake. `overloaded`: too many requests wait already; `late`: it takes
   * too long.
   */
  hold(key: string): Promise<Wakefulness | 'overloaded' | 'late'>
  close(): void
}

type Lease = {
  /** By the clock of this process, and before the engine's own end. */
  expiresAt: number
  /** Requests and connections that are open. */
  open: number
  /** True after a request since the last renewal. */
  used: boolean
  renewing: Promise<Wakefulness> | null
  held: number
}

const defaultTimeoutMs = 10_000
const defaultHeldPerSite = 100
const defaultHeld = 1_000
/** How long before the end of a lease no request relies on it. */
const longestMarginMs = 1_000
/** Used leases are renewed so often that a site sleeps at most this share too late. */
const renewalsPerLease = 4
const longestRenewalMs = 60_000
/** How often the log has that requests are turned away. */
const logIntervalMs = 10_000

/**
 * The sites that are awake for sure. The engine stops a site without a lease, so a request without
 * one first gets it, which wakes the site; requests within it cost nothing. Leases of sites in use
 * are renewed in the background.
 */
export const createLeases = (options: LeaseOptions, log: Log): Leases => {
  const { wake, leaseMs, timeoutMs = defaultTimeoutMs } = options
  const { heldPerSite = defaultHeldPerSite, held: heldLimit = defaultHeld } = options
  const marginMs = Math.min(longestMarginMs, leaseMs / 10)
  const leases = new Map<string, Lease>()
  let held = 0
  let turnedAway = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  /** One line for a flood of requests. */
  const reportOverload = (key: string) => {
    turnedAway += 1
    if (performance.now() - loggedAt < logIntervalMs) return
    loggedAt = performance.now()
    log.warn({ key, held, turnedAway }, 'Too many requests wait for their sites to wake')
    turnedAway = 0
  }

  const leaseOf = (key: string): Lease => {
    let lease = leases.get(key)
    if (!lease) {
      lease = { expiresAt: 0, open: 0, used: false, renewing: null, held: 0 }
      leases.set(key, lease)
    }
    return lease
  }

  /** Many requests at once renew once. */
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
    async hold(key) {
      const lease = leaseOf(key)
      if (lease.held >= heldPerSite || held >= heldLimit) {
        reportOverload(key)
        return 'overloaded'
      }
      lease.held += 1
      held += 1
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), timeoutMs)
      })
      try {
        return await Promise.race([renew(key, lease), late])
      } finally {
        clearTimeout(timer)
        lease.held -= 1
        held -= 1
      }
    },
    close: () => clearInterval(renewal),
  }
}
