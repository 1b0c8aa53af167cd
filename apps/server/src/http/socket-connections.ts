import type { WebSocket } from '@fastify/websocket'
import { limits } from '@slipway/contract/limits'

export type Connection = {
  readonly socket: WebSocket
  readonly userId: string
  readonly sessionId: string
  readonly token: string
  /** When the other side last said something, as `performance.now()`. */
  heardAt: number
}

/** Half a ping later than the next one was due: the tab is gone, whatever its connection says. */
const overdue = limits.socketPing * 1.5

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
     * True when the user may have one more. Past the limit a connection that has missed its ping makes
     * room: after a broken network the old ones linger. A live one never does: its tab would come back
     * at once and push out the next, and so on without end; the newest tab, which works without a
     * socket and tries again by itself, waits instead.
     */
    makeRoom(userId: string) {
      const connections = byUser.get(userId)
      if (!connections || connections.size < limits.socketsPerUser) return true
      const since = performance.now() - overdue
      for (const connection of connections) {
        if (connection.heardAt >= since) continue
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
