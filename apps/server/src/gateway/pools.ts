import { Pool } from 'undici'

const connectTimeoutMs = 5_000
const connectionsPerSite = 512
const sweepMs = 60_000

/** Where a site accepts requests. */
export type SiteAddress = {
  socketPath: string
  /** The folder that the site may write. */
  dataFolder: string
}

export type Pools = {
  /** The connection pool of a site. */
  of(key: string): Pool
  close(): Promise<void>
}

/**
 * A connection pool per site, closed after a minute without requests. The response headers must
 * arrive within `responseTimeoutMs` of the sent request; the body has no timeout.
 */
export const createPools = (
  addressOf: (key: string) => SiteAddress,
  responseTimeoutMs: number,
): Pools => {
  const pools = new Map<string, Pool>()
  let recentlyUsedKeys = new Set<string>()

  const sweep = setInterval(() => {
    for (const [key, pool] of pools) {
      if (recentlyUsedKeys.has(key) || pool.stats.running > 0) continue
      pools.delete(key)
      pool.close()
    }
    recentlyUsedKeys = new Set()
  }, sweepMs)
  sweep.unref()

  return {
    of(key) {
      recentlyUsedKeys.add(key)
      let pool = pools.get(key)
      if (!pool) {
        pool = new Pool('http://site.invalid', {
          socketPath: addressOf(key).socketPath,
          connections: connectionsPerSite,
          pipelining: 1,
          connect: { timeout: connectTimeoutMs },
          headersTimeout: responseTimeoutMs,
          // An event stream may be silent; the visitor can always disconnect.
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
