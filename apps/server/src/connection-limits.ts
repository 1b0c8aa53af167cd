import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { compile } from '@fastify/proxy-addr'
import { normalizeIP } from '@fastify/rate-limit'
import type { Env } from './env/env.ts'
import { createRateLimitedLog, type Log } from './log.ts'
import { openFilesLimit } from './open-files.ts'
import { isSiteCall } from './site-calls.ts'

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
/** A connection to the site gateway may need two more: one to a site and one to the console. */
const filesPerConnection = 3

/**
 * The configured limits of each server, lowered to what the process may open: a process without
 * file descriptors can neither read files nor reach its database.
 */
export function connectionLimits(env: Env, log: Pick<Log, 'warn'>): ConnectionLimits {
  const files = openFilesLimit() ?? Number.POSITIVE_INFINITY
  const possible = Math.max(16, Math.floor((files - reservedFiles) / filesPerConnection))
  const requestedLimit = env.MAX_CONNECTIONS
  const total = requestedLimit === 0 || requestedLimit > possible ? possible : requestedLimit
  if (total < requestedLimit)
    log.warn(
      { connections: total, files },
      'the process may open too few files for MAX_CONNECTIONS: raise its limit (ulimit -n)',
    )
  const trusted = compile(env.TRUST_PROXY)
  return {
    total: Number.isFinite(total) ? total : 0,
    perAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
    // Sites in a trusted network, such as loopback, call themselves: they are no proxies.
    isProxy: (address) => env.TRUST_PROXY.length > 0 && !isSiteCall(address) && trusted(address, 0),
  }
}

/** Counts the connections of one or more listeners, and closes those above the limits. */
export type ConnectionLimiter = {
  /** Counts a new connection until it closes. It may be closed at once. */
  count(socket: Socket): void
  /** Follows which connections of a server have a current request. */
  trackRequests(server: Server): void
  /**
   * The connections without a current request, the longest idle first. At the limit the first one
   * is closed for a new one, as in nginx: clients repeat a request on a connection that closed
   * while it was idle.
   */
  idle: Pick<Set<Duplex>, 'add' | 'delete'>
}

/**
 * Closes connections above the limits, without a response, which would cost more than the
 * connection. Above the total limit the longest idle one is closed, or the new one if none is idle;
 * above the limit of an address, the new one.
 */
export function createConnectionLimiter(
  { total, perAddress, isProxy }: ConnectionLimits,
  log: Pick<Log, 'warn'>,
): ConnectionLimiter {
  const openByAddress = new Map<string, number>()
  const idle = new Set<Duplex>()
  let open = 0
  const logClosed = createRateLimitedLog('there are too many connections: some are closed')

  function close(socket: Duplex, address: string) {
    socket.destroy()
    logClosed(log, { address })
  }

  function countAddress(socket: Socket, address: string) {
    const count = openByAddress.get(address) ?? 0
    openByAddress.set(address, count + 1)
    socket.once('close', () => {
      const remaining = (openByAddress.get(address) ?? 0) - 1
      if (remaining > 0) openByAddress.set(address, remaining)
      else openByAddress.delete(address)
    })
    return count + 1
  }

  return {
    idle,

    count(socket) {
      const { remoteAddress } = socket
      if (remoteAddress === undefined) return
      open++
      socket.once('close', () => open--)
      const address = normalizeIP(remoteAddress)
      if (perAddress > 0 && !isProxy(remoteAddress) && countAddress(socket, address) > perAddress)
        return close(socket, address)
      if (total === 0 || open <= total) return
      // The new connection is idle, too, but for the shortest time.
      const [longestIdle = socket] = idle
      close(longestIdle, address)
    },

    trackRequests(server) {
      const connections = new WeakSet<Duplex>()
      server.on('connection', (socket) => {
        connections.add(socket)
        idle.add(socket)
        socket.once('close', () => idle.delete(socket))
      })
      server.on('request', ({ socket }, response) => {
        // A request that another server passed on belongs to a connection of that server.
        if (!connections.has(socket)) return
        idle.delete(socket)
        response.once('finish', () => {
          if (!socket.destroyed) idle.add(socket)
        })
      })
      server.on('upgrade', (_request, socket) => idle.delete(socket))
    },
  }
}

export function limitConnections(server: Server, limits: ConnectionLimits, log: Pick<Log, 'warn'>) {
  const limiter = createConnectionLimiter(limits, log)
  limiter.trackRequests(server)
  server.on('connection', (socket) => limiter.count(socket))
}
