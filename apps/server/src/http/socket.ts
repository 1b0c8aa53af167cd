import type { IncomingMessage } from 'node:http'
import websocket from '@fastify/websocket'
import type { Event } from '@slipway/contract/events'
import { socketPath } from '@slipway/contract/events'
import { limits, second } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { problem, tooOften } from '../problem.ts'
import { apiBase } from './server-headers.ts'
import { type Connection, createConnections } from './socket-connections.ts'

/** Close code for an ended session: the console shows the login. */
const sessionEnded = 4401
const goingAway = 1001
/** RFC 6455 §7.4.2 registry: service restart. The console reconnects and refetches. */
const serviceRestart = 1012
/** The same registry: try again later. */
const tryAgainLater = 1013

const silenceCheckInterval = 10 * second
/** Retry-After for too many sockets, in seconds: by then a closed tab is detected. */
const retryAfter = limits.socketSilence / second

export type SocketHub = {
  /** Sends an event to the sockets of these users. */
  publish(userIds: Iterable<string>, event: Event): void
  /** Closes the sockets of an ended session, or of a user whose sessions ended. */
  end(login: { sessionId: string } | { userId: string } | { tokenId: string }): void
  /** Closes all sockets to reconnect and refetch, after events may have been missed. */
  restart(): void
  readonly size: number
}

/**
 * True for the only request that is an upgrade. Node hands the connection of an upgrade to its
 * listener and neither times it out nor closes it.
 */
export const opensSocket = ({ method, url = '', headers }: IncomingMessage) =>
  method === 'GET' &&
  url.split('?', 1)[0] === apiBase + socketPath &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

/** The open sockets of this process, by user. */
export async function mountSocket(app: FastifyInstance, ctx: Context): Promise<SocketHub> {
  const connections = createConnections()

  await app.register(websocket, {
    options: { maxPayload: 1024, perMessageDeflate: false, clientTracking: false },
    // Errors with a code are the client's (a message that is too large, a lost network) and close
    // the socket. An error without a code is ours.
    errorHandler(error, socket, request) {
      if ('code' in error) return request.log.info({ err: error }, 'a socket broke')
      request.log.error({ err: error }, 'a socket could not be served')
      socket.terminate()
    },
  })

  app.get<{ Querystring: { token?: unknown } }>(
    socketPath,
    {
      websocket: true,
      onRequest: async (request) => {
        // Before the ticket is used up: another request cannot open a socket.
        if (!request.ws) throw problem('malformed_request', 'a WebSocket is expected')
        const { token: ticket } = request.query
        const caller = typeof ticket === 'string' ? await ctx.sessions.redeemTicket(ticket) : null
        if (!caller) throw problem('unauthorized')
        // Rejected before it opens, the console retries with backoff; closed afterwards, it would
        // reconnect every second.
        if (!connections.evictOrReject(caller.user.id))
          throw tooOften('too_many_requests', retryAfter)
        request.caller = caller
      },
    },
    (socket, request) => {
      const caller = request.caller
      if (!caller?.session) return socket.close(sessionEnded)
      const { user, session } = caller
      // Checked again: other sockets of the user may have opened meanwhile.
      if (!connections.evictOrReject(user.id)) return socket.close(tryAgainLater)
      open({
        socket,
        userId: user.id,
        session,
        lastMessageAt: performance.now(),
      })
    },
  )

  function open(connection: Connection) {
    const { socket } = connection
    connections.add(connection)
    socket.on('message', (data) => {
      connection.lastMessageAt = performance.now()
      if (data.toString() === 'ping') return void checkSession(connection)
      const error = { kind: 'Error', data: { code: 400, error: 'malformed_request' } }
      send(connection, JSON.stringify(error))
    })
    socket.on('close', () => connections.remove(connection))
    // A session that ended after authentication found no socket to close.
    void checkSession(connection)
  }

  /**
   * Closes the socket when its session has ended. If the check fails, the socket stays until the
   * next ping, or is closed to reconnect after a known end.
   */
  async function checkSession({ socket, session }: Connection, afterEnd = false) {
    try {
      if (!(await ctx.sessions.authenticateAgain(session))) socket.close(sessionEnded)
    } catch (error) {
      ctx.log.warn({ err: error }, 'cannot tell whether the session of a socket has ended')
      if (afterEnd) socket.close(serviceRestart)
    }
  }

  /** Sends a message, or closes a socket that does not read: its buffer is in our memory. */
  function send({ socket, userId }: Connection, message: string) {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount <= serviceLimits.socketBacklogBytes) return socket.send(message)
    ctx.log.info(
      { userId, waiting: socket.bufferedAmount },
      'a socket that does not read is closed',
    )
    socket.terminate()
  }

  const silence = setInterval(() => {
    const oldest = performance.now() - limits.socketSilence
    for (const connection of connections.all()) {
      if (connection.lastMessageAt >= oldest) continue
      send(connection, 'timeout')
      connection.socket.close(goingAway)
    }
  }, silenceCheckInterval)
  silence.unref()

  // A ping of the protocol (RFC 6455 §5.5.2), to which browsers respond automatically.
  const pings = setInterval(() => {
    for (const { socket } of connections.all())
      if (socket.readyState === socket.OPEN && socket.bufferedAmount === 0) socket.ping()
  }, serviceLimits.socketServerPing)
  pings.unref()

  app.addHook('preClose', async () => {
    clearInterval(silence)
    clearInterval(pings)
    for (const { socket } of connections.all()) socket.close(serviceRestart)
  })

  return {
    publish(userIds, event) {
      const message = JSON.stringify(event)
      for (const userId of userIds)
        for (const connection of connections.of(userId)) send(connection, message)
    },
    end(login) {
      if ('userId' in login) {
        // A socket may belong to a newer session: each is checked.
        for (const connection of connections.of(login.userId)) void checkSession(connection, true)
        return
      }
      // Only a session opens sockets.
      if ('tokenId' in login) return
      for (const { socket, session } of connections.all())
        if (session.id === login.sessionId) socket.close(sessionEnded)
    },
    restart() {
      for (const { socket } of connections.all()) socket.close(serviceRestart)
    },
    get size() {
      return connections.size
    },
  }
}
