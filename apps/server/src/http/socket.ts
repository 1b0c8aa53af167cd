import websocket from '@fastify/websocket'
import type { Event } from '@slipway/contract/events'
import { socketPath } from '@slipway/contract/events'
import { limits, second } from '@slipway/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { problem, tooOften } from '../problem.ts'
import type { Authenticate } from './access.ts'
import { type Connection, createConnections } from './socket-connections.ts'

/** The close code of a socket whose session has ended: the console then asks to sign in again. */
const sessionEnded = 4401
const goingAway = 1001
/** RFC 6455 §7.4.2 registry: the server restarts; the console connects again and refetches. */
const serviceRestart = 1012
/** The same registry: try again later. */
const tryAgainLater = 1013

const silenceCheckInterval = 10 * second
/** Seconds after which whoever has too many sockets may try again: by then one that is gone is known to be. */
const retryAfter = limits.socketSilence / second

export type SocketHub = {
  /** Tells those users' sockets that something changed. */
  tell(userIds: Iterable<string>, event: Event): void
  /** Closes the sockets of an ended session, or those of a user whose sessions have ended. */
  end(who: { sessionId: string } | { userId: string }): void
  /** Events may have been missed: everybody is asked to connect again and refetch. */
  restart(): void
  readonly size: number
}

/** The open sockets of this process, by user. */
export async function mountSocket(
  app: FastifyInstance,
  ctx: Context,
  authenticate: Authenticate,
): Promise<SocketHub> {
  const connections = createConnections()

  await app.register(websocket, {
    options: { maxPayload: 1024, perMessageDeflate: false, clientTracking: false },
    // What breaks a socket (a message too large, a lost network) is the other side's doing; the socket
    // closes itself, with 1009 for that message. An error without a code is one of ours.
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
      schema: { hide: true },
      onRequest: async (request) => {
        const { token } = request.query
        const caller = typeof token === 'string' ? await authenticate(ctx, token) : null
        if (!caller) throw problem('unauthorized')
        if (!caller.user.verified) throw problem('user_not_verified')
        if (!request.ws) throw problem('malformed_request', 'a WebSocket is expected')
        // Refused before it opens, the console tries again ever later; closed after it opened, it
        // would come back every second.
        if (!connections.makeRoom(caller.user.id)) throw tooOften('too_many_requests', retryAfter)
        request.caller = caller
      },
    },
    (socket, request) => {
      const caller = request.caller
      if (!caller) return socket.close(sessionEnded)
      const { user, session } = caller
      // Others of the same user may have opened since there was room.
      if (!connections.makeRoom(user.id)) return socket.close(tryAgainLater)
      open({
        socket,
        userId: user.id,
        sessionId: session.id,
        token: session.token,
        heardAt: performance.now(),
      })
    },
  )

  function open(connection: Connection) {
    const { socket } = connection
    connections.add(connection)
    socket.on('message', (data) => {
      connection.heardAt = performance.now()
      if (data.toString() === 'ping') return void checkSession(connection)
      const error = { kind: 'Error', data: { code: 400, error: 'malformed_request' } }
      send(connection, JSON.stringify(error))
    })
    socket.on('close', () => connections.remove(connection))
    // What ended the session after the request was let in, and before this, found no socket to close.
    void checkSession(connection)
  }

  /**
   * Closes the socket when its session has ended. When that cannot be told, it stays until the next
   * ping; where an end was announced it is closed to connect again, and is asked for its session then.
   */
  async function checkSession({ socket, token }: Connection, announced = false) {
    try {
      if (!(await authenticate(ctx, token))) socket.close(sessionEnded)
    } catch (error) {
      ctx.log.warn({ err: error }, 'cannot tell whether the session of a socket has ended')
      if (announced) socket.close(serviceRestart)
    }
  }

  /** Sends, or cuts off whoever does not read: what waits for them lies in this process' memory. */
  function send({ socket, userId }: Connection, message: string) {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount <= limits.socketBacklogBytes) return socket.send(message)
    ctx.log.info(
      { userId, waiting: socket.bufferedAmount },
      'a socket that does not read is cut off',
    )
    socket.terminate()
  }

  const silence = setInterval(() => {
    const oldest = performance.now() - limits.socketSilence
    for (const connection of connections.all()) {
      if (connection.heardAt >= oldest) continue
      send(connection, 'timeout')
      connection.socket.close(goingAway)
    }
  }, silenceCheckInterval)
  silence.unref()

  app.addHook('preClose', async () => {
    clearInterval(silence)
    for (const { socket } of connections.all()) socket.close(serviceRestart)
  })

  return {
    tell(userIds, event) {
      const message = JSON.stringify(event)
      for (const userId of userIds)
        for (const connection of connections.of(userId)) send(connection, message)
    },
    end(who) {
      if ('userId' in who) {
        // One of them may belong to a session that has begun since: each is asked about.
        for (const connection of connections.of(who.userId)) void checkSession(connection, true)
        return
      }
      for (const { socket, sessionId } of connections.all())
        if (sessionId === who.sessionId) socket.close(sessionEnded)
    },
    restart() {
      for (const { socket } of connections.all()) socket.close(serviceRestart)
    },
    get size() {
      return connections.size
    },
  }
}
