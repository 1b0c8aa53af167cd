import { Pool } from 'undici'

const connectTimeoutMs = 5_000
const connectionsPerSite = 512
const sweepMs = 60_000

/** Where a site accepts HTTP requests. */
export type SiteAddress = { socketPath: string }

export type Pools = {
  /** The kept-alive connections to a site. */
  of(key: string): Pool
  close(): Promise<void>
}

/**
 * Connections to sites by their sockets; those of a site nobody visits are given up after a minute. A
 * request that has been sent whole waits `answerTimeoutMs` for the headers of its answer, and then for
 * as long as the answer takes.
 */
export const createPools = (
  addressOf: (key: string) => SiteAddress,
  answerTimeoutMs: number,
): Pools => {
  const pools = new Map<string, Pool>()
  let used = new Set<string>()

  const sweep = setInterval(() => {
    for (const [key, pool] of pools) {
      if (used.has(key) || pool.stats.running > 0) continue
      pools.delete(key)
      pool.close()
    }
    used = new Set()
  }, sweepMs)
  sweep.unref()

  return {
    of(key) {
      used.add(key)
      let pool = pools.get(key)
      if (!pool) {
        pool = new Pool('http://site.invalid', {
          ...addressOf(key),
          connections: connectionsPerSite,
          pipelining: 1,
          connect: { timeout: connectTimeoutMs },
          headersTimeout: answerTimeoutMs,
          // An event stream may be silent for long; who listens to it can always leave.
          bodyTimeout: 0,
        })
        pools.set(key, pool)
      }
      return pool
    },
    async close() {
      clearInterval(sweep)
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}
