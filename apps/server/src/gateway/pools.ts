import { readlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Pool } from 'undici'

/** An address that drops packets does not respond at all, such as that of a node that is off. */
export const connectTimeoutMs = 5_000
const connectionsPerSite = 512
const sweepMs = 60_000

/** How often a pool resolves its address, in milliseconds. */
const recheckMs = 100

/** Where a site on this machine accepts requests. */
export type LocalAddress = {
  /** A socket, or a symlink to the current process's socket. */
  socketPath: string
  /** The folder that the site may write. */
  dataFolder: string
}

/** A site in a cluster: the same project may have one in another. */
export type Site = { key: string; cluster: string }

/** Where a site accepts requests; null while none of its processes does. */
export type SiteAddress = LocalAddress | { host: string; port: number } | null

/** The resolved target of an address: the options of a pool, and a name to compare them. */
type Endpoint = { name: string; origin: string; options: Pool.Options }

/** The socket of an address. A process that replaces another one has a new socket. */
const socketOf = ({ socketPath }: LocalAddress): string => {
  try {
    return resolve(dirname(socketPath), readlinkSync(socketPath))
  } catch {
    // The path is no link, or does not exist yet.
    return socketPath
  }
}

const unreachable = Object.assign(new Error('No process of the site accepts requests'), {
  code: 'ECONNREFUSED',
})

/** The host in a URL: an IPv6 address is in brackets (RFC 3986 §3.2.2). */
const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host)

function endpointOf(address: SiteAddress): Endpoint {
  const origin = 'http://site.invalid'
  const connect = { timeout: connectTimeoutMs }
  if (address === null)
    return {
      name: '',
      origin,
      options: { connect: (_, callback) => process.nextTick(callback, unreachable, null) },
    }
  if ('socketPath' in address) {
    const socketPath = socketOf(address)
    return { name: socketPath, origin, options: { socketPath, connect } }
  }
  const name = `http://${urlHost(address.host)}:${address.port}`
  return { name, origin: name, options: { connect } }
}

type Entry = { pool: Pool; cluster: string; endpoint: string; checkedAt: number }

export type Pools = {
  of(site: Site): Pool
  close(): Promise<void>
}

/**
 * A connection pool per site, closed once another process or cluster serves it, and after a minute
 * without requests. The response headers must arrive within `responseTimeoutMs` of the sent
 * request; the body has no timeout.
 */
export const createPools = (
  addressOf: (site: Site) => SiteAddress,
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

  const open = (site: Site): Entry => {
    const { name, origin, options } = endpointOf(addressOf(site))
    const pool = new Pool(origin, {
      ...options,
      connections: connectionsPerSite,
      pipelining: 1,
      headersTimeout: responseTimeoutMs,
      // An event stream may be silent; the visitor can always disconnect.
      bodyTimeout: 0,
    })
    return { pool, cluster: site.cluster, endpoint: name, checkedAt: performance.now() }
  }

  /** False once another process serves the site: the pool closes after its current requests. */
  const isCurrent = (site: Site, entry: Entry): boolean => {
    const now = performance.now()
    const isSameCluster = entry.cluster === site.cluster
    // The address of a site without a process is resolved at each request.
    if (isSameCluster && entry.endpoint !== '' && now - entry.checkedAt < recheckMs) return true
    entry.checkedAt = now
    if (isSameCluster && endpointOf(addressOf(site)).name === entry.endpoint) return true
    void entry.pool.close()
    return false
  }

  return {
    of(site) {
      const { key } = site
      recentlyUsedKeys.add(key)
      let entry = entries.get(key)
      if (!entry || !isCurrent(site, entry)) {
        entry = open(site)
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
