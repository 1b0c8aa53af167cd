import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  constants,
  createServer,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { ConnectionLimiter } from '../../connection-limits.ts'
import { Http2Request, Http2Response } from './messages.ts'

/** The minimum that RFC 9113 §6.5.2 recommends; a browser queues further requests. */
const streamsAtOnce = 100
/** The bytes that a stream, and a connection, may send before its site reads them. */
const streamWindow = 128 * 1024
const connectionWindow = 256 * 1024

export type Http2Options = {
  /** Closes a connection without a request, in milliseconds. */
  keepAliveTimeout: number
  /** The longest time for a whole request, in milliseconds. */
  requestTimeout: number
  connectionsCheckingInterval: number
  maxHeaderSize: number
  /** Ends streams and connections whose visitor neither sends nor reads, in milliseconds. */
  inactivityTimeout: number
}

type Connection = {
  socket: TLSSocket
  /** When it opened or its last request ended; null during a request. */
  idleSince: number | null
}

export type Http2Server = {
  /** Serves a connection that negotiated HTTP/2. */
  accept(socket: TLSSocket): void
  /** Closes each connection after its current requests (GOAWAY). Clients retry the others. */
  closeIdle(): void
  closeAll(): void
}

/**
 * Serves HTTP/2 on connections that the TLS server has accepted; `handler` serves the requests of
 * HTTP/1.1 as well. Node ends connections that flood it with settings, pings, empty frames or
 * reset streams (CVE-2019-9511 to 9518, CVE-2023-44487, CVE-2024-27983); the timeouts are ours.
 */
export function createHttp2Server(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  options: Http2Options,
  limiter: ConnectionLimiter | undefined,
): Http2Server {
  const { keepAliveTimeout, requestTimeout, inactivityTimeout, maxHeaderSize } = options
  const connections = new Map<ServerHttp2Session, Connection>()
  /** The streams whose request body is still arriving, with the time of their start. */
  const uploads = new Map<ServerHttp2Stream, number>()

  const server = createServer({
    Http2ServerRequest: Http2Request,
    Http2ServerResponse: Http2Response as unknown as typeof Http2ServerResponse<Http2Request>,
    // Repeated headers are forwarded as over HTTP/1.1.
    strictSingleValueFields: false,
    settings: {
      enablePush: false,
      maxConcurrentStreams: streamsAtOnce,
      maxHeaderListSize: maxHeaderSize,
      initialWindowSize: streamWindow,
    },
  })
  server.setTimeout(inactivityTimeout)
  // Node's types differ from ours only in parts that the gateway does not use.
  server.on('request', (request: unknown, response: unknown) => {
    // Node enforces the limit only once the visitor has acknowledged the settings.
    if ((request as Http2Request).headerBytes > maxHeaderSize)
      (response as Http2Response).writeHead(431).end()
    else handler(request as IncomingMessage, response as ServerResponse)
  })

  function trackStream(stream: ServerHttp2Stream) {
    stream.setTimeout(inactivityTimeout, () => stream.close(constants.NGHTTP2_CANCEL))
    if (stream.endAfterHeaders) return
    uploads.set(stream, performance.now())
    const arrived = () => uploads.delete(stream)
    stream.once('end', arrived)
    stream.once('close', arrived)
    // RFC 9113 §8.1: a response may be complete before its request is.
    stream.once('finish', () => {
      if (uploads.has(stream)) stream.close(constants.NGHTTP2_NO_ERROR)
    })
  }

  function trackConnection(session: ServerHttp2Session, socket: TLSSocket) {
    const connection: Connection = { socket, idleSince: performance.now() }
    let open = 0
    connections.set(session, connection)
    limiter?.idle.add(socket)
    session.setLocalWindowSize(connectionWindow)
    session.on('stream', (stream: ServerHttp2Stream) => {
      if (open++ === 0) {
        connection.idleSince = null
        limiter?.idle.delete(socket)
      }
      stream.once('close', () => {
        open--
        if (open > 0 || session.destroyed) return
        connection.idleSince = performance.now()
        limiter?.idle.add(socket)
      })
      trackStream(stream)
    })
    socket.once('close', () => {
      connections.delete(session)
      limiter?.idle.delete(socket)
    })
  }

  // Destroyed, not ended: a visitor could leave an ended connection half open.
  server.on('timeout', (session?: unknown) =>
    connections.get(session as ServerHttp2Session)?.socket.destroy(),
  )

  const check = setInterval(() => {
    const now = performance.now()
    for (const [session, { socket, idleSince }] of connections) {
      if (idleSince === null || now - idleSince < keepAliveTimeout) continue
      if (session.closed) socket.destroy()
      else session.close()
    }
    for (const [stream, startedAt] of uploads)
      if (now - startedAt > requestTimeout) stream.close(constants.NGHTTP2_CANCEL)
  }, options.connectionsCheckingInterval).unref()

  return {
    accept(socket) {
      if (socket.destroyed) return
      const track = (session: ServerHttp2Session) => trackConnection(session, socket)
      server.once('session', track)
      server.emit('connection', socket)
      server.off('session', track)
    },
    closeIdle() {
      for (const session of connections.keys()) session.close()
    },
    closeAll() {
      clearInterval(check)
      for (const { socket } of connections.values()) socket.destroy()
    },
  }
}
