import { readlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Pool } from 'undici'

const connectTimeoutMs = 5_000
const connectionsPerSite = 512
const sweepMs = 60_000

/** How often a pool looks where its address leads to, in milliseconds. */
const recheckMs = 100

/** Where a site accepts requests. */
export type SiteAddress = {
  /** A socket, or a symlink to that of the current process. */
  socketPath: string
  /** The folder that the site may write. */
  dataFolder: string
}

/** The socket of an address. A process that replaces another has a socket of its own. */
const socketOf = ({ socketPath }: SiteAddress): string => {
  try {
    return resolve(dirname(socketPath), readlinkSync(socketPath))
  } catch {
    // No link, or nothing there yet.
    return socketPath
  }
}

type Entry = { pool: Pool; socket: string; checkedAt: number }

export type Pools = {
  /** The connection pool of a site. */
  of(key: string): Pool
  close(): Promise<void>
}

/**
 * A connection pool per site, closed once another process serves it, and after a minute without
 * requests. The response headers must arrive within `responseTimeoutMs` of the sent request; the
 * body has no timeout.
 */
export const createPools = (
  addressOf: (key: string) => SiteAddress,
  responseTimeoutMs: number,
): Pools => {
  const entries = new Map<string, Entry>()
  let recentlyUsedKeys = new Set<string>()

  const sweep = setInterval(() => {
    for (const [key, { pool }] of entries) {
      if (recentlyUsedKeys.has(key) || pool.stats.running > 0) continue
      entries.delete(key)
      pool.close()
    }
    recentlyUsedKeys = new Set()
  }, sweepMs)
  sweep.unref()

  const open = (key: string): Entry => {
    const socket = socketOf(addressOf(key))
    const pool = new Pool('http://site.invalid', {
      socketPath: socket,
      connections: connectionsPerSite,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
      headersTimeout: responseTimeoutMs,
      // An event stream may be silent; the visitor can always disconnect.
      bodyTimeout: 0,
    })
    return { pool, socket, checkedAt: performance.now() }
  }

  /**
   * False once another process serves the site: then running requests end, and no others follow.
   */
  const isCurrent = (key: string, entry: Entry): boolean => {
    const now = performance.now()
    if (now - entry.checkedAt < recheckMs) return true
    entry.checkedAt = now
    if (socketOf(addressOf(key)) === entry.socket) return true
    void entry.pool.close()
    return false
  }

  return {
    of(key) {
      recentlyUsedKeys.add(key)
      let entry = entries.get(key)
      if (!entry || !isCurrent(key, entry)) {
        entry = open(key)
        entries.set(key, entry)
      }
      return entry.pool
    },
    async close() {
      clearInterval(sweep)
      await Promise.all([...entries.values()].map(({ pool }) => pool.destroy()))
      entries.clear()
    },
  }
}
