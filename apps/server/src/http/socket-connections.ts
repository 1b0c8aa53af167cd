import type { WebSocket } from '@fastify/websocket'
import { limits } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { SessionContext } from '../context.ts'

export type Connection = {
  readonly socket: WebSocket
  readonly userId: string
  readonly session: SessionContext['session']
  /** Time of the last message from the client, as `performance.now()`. */
  lastMessageAt: number
}

/** A connection without a message for one and a half ping intervals counts as closed. */
const pingTimeout = limits.socketPing * 1.5

/** The open connections of this process. */
export function createConnections() {
  const byUser = new Map<string, Set<Connection>>()
  let size = 0

  const of = (userId: string): Iterable<Connection> => byUser.get(userId) ?? []

  return {
    of,

    *all() {
      for (const connections of byUser.values()) yield* connections
    },

    add(connection: Connection) {
      const connections = byUser.get(connection.userId) ?? new Set()
      byUser.set(connection.userId, connections.add(connection))
      size++
    },

    remove(connection: Connection) {
      const connections = byUser.get(connection.userId)
      if (!connections?.delete(connection)) return
      size--
      if (connections.size === 0) byUser.delete(connection.userId)
    },

    /**
     * True when the user may open another connection. At the limit, closes one that has missed its
     * ping, or returns false. Closing a live connection would start a loop: its tab reconnects and
     * closes another.
     */
    evictOrReject(userId: string) {
      const connections = byUser.get(userId)
      if (!connections || connections.size < serviceLimits.socketsPerUser) return true
      const since = performance.now() - pingTimeout
      for (const connection of connections) {
        if (connection.lastMessageAt >= since) continue
        this.remove(connection)
        connection.socket.terminate()
        return true
      }
      return false
    },

    get size() {
      return size
    },
  }
}
