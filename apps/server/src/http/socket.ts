import websocket, { type WebSocket } from '@fastify/websocket'
import type { Event } from '@slipway/contract/events'
import { socketPath } from '@slipway/contract/events'
import { limits } from '@slipway/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { problem } from '../problem.ts'
import type { Authenticate } from './access.ts'

/** The close code of a socket whose session has ended: the console then asks to sign in again. */
const sessionEnded = 4401
const goingAway = 1001
/** RFC 6455 §7.4.2 registry: the server restarts; the console connects again and refetches. */
const serviceRestart = 1012

type Connection = { socket: WebSocket; sessionId: string; token: string; heardAt: number }

export type SocketHub = {
  /** Tells those users' sockets that something changed. */
  tell(userIds: Iterable<string>, event: Event): void
  /** Closes the sockets of an ended session, or of all sessions of a user. */
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
  const byUser = new Map<string, Set<Connection>>()

  await app.register(websocket, {
    options: { maxPayload: 1024, perMessageDeflate: false, clientTracking: false },
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
        request.caller = caller
      },
    },
    (socket, request) => {
      const caller = request.caller
      if (!caller) return socket.close(sessionEnded)
      const { user, session } = caller
      open(user.id, {
        socket,
        sessionId: session.id,
        token: session.token,
        heardAt: performance.now(),
      })
    },
  )

  function open(userId: string, connection: Connection) {
    const { socket } = connection
    const sockets = byUser.get(userId) ?? new Set()
    byUser.set(userId, sockets.add(connection))

    socket.on('message', (data) => {
      connection.heardAt = performance.now()
      if (data.toString() === 'ping') return void stillSignedIn(connection)
      socket.send(
        JSON.stringify({ kind: 'Error', data: { code: 400, error: 'malformed_request' } }),
      )
    })
    socket.on('error', (error) => ctx.log.debug({ err: error }, 'a socket broke'))
    socket.on('close', () => {
      sockets.delete(connection)
      if (sockets.size === 0) byUser.delete(userId)
    })
  }

  /** A ping is a use of the session; it also finds out that the session has ended unheard. */
  async function stillSignedIn({ socket, token }: Connection) {
    try {
      if (!(await authenticate(ctx, token))) socket.close(sessionEnded)
    } catch (error) {
      ctx.log.warn({ err: error }, 'cannot tell whether the session of a socket has ended')
    }
  }

  const everyConnection = function* () {
    for (const sockets of byUser.values()) yield* sockets
  }

  const silence = setInterval(() => {
    const oldest = performance.now() - limits.socketSilence
    for (const { socket, heardAt } of everyConnection()) {
      if (heardAt >= oldest) continue
      socket.send('timeout')
      socket.close(goingAway)
    }
  }, 10_000)
  silence.unref()

  app.addHook('preClose', async () => {
    clearInterval(silence)
    for (const { socket } of everyConnection()) socket.close(serviceRestart)
  })

  return {
    tell(userIds, event) {
      const message = JSON.stringify(event)
      for (const userId of userIds)
        for (const { socket } of byUser.get(userId) ?? []) socket.send(message)
    },
    end(who) {
      if ('userId' in who) {
        for (const { socket } of byUser.get(who.userId) ?? []) socket.close(sessionEnded)
        return
      }
      for (const { socket, sessionId } of everyConnection())
        if (sessionId === who.sessionId) socket.close(sessionEnded)
    },
    restart() {
      for (const { socket } of everyConnection()) socket.close(serviceRestart)
    },
    get size() {
      let count = 0
      for (const sockets of byUser.values()) count += sockets.size
      return count
    },
  }
}
