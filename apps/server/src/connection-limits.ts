import type { Server } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'
import type { Env } from './env/env.ts'
import type { Log } from './log.ts'
import { openFilesLimit } from './open-files.ts'

export type ConnectionLimits = {
  /** Open connections at once; 0: no limit. */
  total: number
  /** Open connections at once from one address, or one /64 of IPv6; 0: no limit. */
  perAddress: number
  /** True for the address of a proxy, which connects for many visitors. */
  isProxy(address: string): boolean
}

/** Files that the rest of the service keeps open: database connections, logs, pipes of sites. */
const reservedFiles = 400
/** A connection to the site gateway may open another to a site, besides one to the console. */
const filesPerConnection = 3

/**
 * The configured limits of each server, lowered to what the process may open: a process without
 * file descriptors can neither read files nor reach its database.
 */
export function connectionLimits(env: Env, log: Pick<Log, 'warn'>): ConnectionLimits {
  const files = openFilesLimit() ?? Number.POSITIVE_INFINITY
  const possible = Math.max(16, Math.floor((files - reservedFiles) / filesPerConnection))
  const wanted = env.MAX_CONNECTIONS
  const total = wanted === 0 || wanted > possible ? possible : wanted
  if (total < wanted)
    log.warn(
      { connections: total, files },
      'the process may open too few files for MAX_CONNECTIONS: raise its limit (ulimit -n)',
    )
  const trusted = compile(env.TRUST_PROXY)
  return {
    total: Number.isFinite(total) ? total : 0,
    perAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
    isProxy: (address) => env.TRUST_PROXY.length > 0 && trusted(address, 0),
  }
}

/** How often closed connections are logged, in milliseconds. */
const logInterval = 10_000

/**
 * Closes new connections above the limits, without a response: it would cost more than they do.
 */
export function limitConnections(server: Server, limits: ConnectionLimits, log: Pick<Log, 'warn'>) {
  const openByAddress = new Map<string, number>()
  let rejected = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  function logRejected(address: string | undefined) {
    rejected++
    if (performance.now() - loggedAt < logInterval) return
    log.warn({ rejected, address }, 'there are too many connections: new ones are closed')
    loggedAt = performance.now()
    rejected = 0
  }

  if (limits.total > 0) server.maxConnections = limits.total
  server.on('drop', (connection) => logRejected(connection?.remoteAddress))
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (limits.perAddress === 0 || remoteAddress === undefined || limits.isProxy(remoteAddress))
      return
    const address = normalizeIP(remoteAddress)
    const open = openByAddress.get(address) ?? 0
    if (open >= limits.perAddress) {
      logRejected(address)
      socket.destroy()
      return
    }
    openByAddress.set(address, open + 1)
    socket.once('close', () => {
      const left = (openByAddress.get(address) ?? 0) - 1
      if (left > 0) openByAddress.set(address, left)
      else openByAddress.delete(address)
    })
  })
}
