import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type ConnectionLimits, limitConnections } from '../connection-limits.ts'
import type { Context } from '../context.ts'
import { limitPipelining } from '../pipelining.ts'
import { limitUnreadBody } from '../unread-body.ts'
import { handleClientErrors } from './errors-client.ts'
import { opensSocket } from './socket.ts'

// Timeouts for clients that send slowly or not at all.
const httpOptions = {
  headersTimeout: 15_000,
  // Long enough for an upload on a slow line; other bodies have `limitBodyTime`.
  requestTimeout: 900_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5_000,
  // A request without Host gets our own error.
  requireHostHeader: false,
}

/**
 * The longest time without a byte in either direction, in milliseconds: clients that do not read
 * their response are disconnected. WebSockets have their own timeout.
 */
const inactivityTimeout = 120_000

/** Node's server with our timeouts and limits. */
export function createHttpServer(
  handler: RequestListener,
  { log }: Pick<Context, 'log'>,
  { web, connections }: { web: boolean; connections?: ConnectionLimits },
) {
  const shouldUpgradeCallback = (request: IncomingMessage) => web && opensSocket(request)
  const server = createServer(
    { ...httpOptions, shouldUpgradeCallback },
    limitPipelining((request, response) => {
      // RFC 9110 §7.8: an upgrade may be ignored. The client may then expect another protocol.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
      limitUnreadBody(request, response)
      handler(request, response)
    }),
  )
  server.setTimeout(inactivityTimeout)
  handleClientErrors(server, log)
  // An error such as EMFILE would end the process if it had no listener.
  server.once('listening', () =>
    server.on('error', (err) => log.error({ err }, 'a connection was not accepted')),
  )
  if (connections) limitConnections(server, connections, log)
  return server
}

/**
 * Closes the connection of an upgrade that was rejected: Node has detached it, so that nothing else
 * closes it. The WebSocket plugin closes only the upgrades that its own scope rejects.
 */
export function endRejectedUpgrades(app: FastifyInstance) {
  const detached = new WeakMap<IncomingMessage, Duplex>()
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex) =>
    detached.set(request, socket),
  )
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    detached.get(raw)?.destroy()
    done()
  })
}

/** How long a closing server waits for its current requests, in milliseconds. */
const closeTimeout = 5_000

/** Time after which a closing server ends half-sent bodies and silent sockets. */
export function closeConnectionsAfter(app: FastifyInstance, timeout = closeTimeout) {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setTimeout(() => {
      for (const socket of open) socket.destroy()
    }, timeout)
  })
  app.addHook('onClose', async () => clearTimeout(timer))
}
