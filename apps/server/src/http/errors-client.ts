import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@slipway/contract/errors'
import type { FastifyBaseLogger } from 'fastify'

const malformed: ErrorBody = { code: 400, error: 'malformed_request' }

/** What Node's parser refuses, where it is more than malformed. */
const refusals: Record<string, ErrorBody> = {
  // RFC 6585 §5
  HPE_HEADER_OVERFLOW: { code: 431, error: 'request_too_large', context: 'the headers' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 413, error: 'request_too_large' },
  // RFC 9110 §15.5.9
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 408,
    error: 'malformed_request',
    context: 'the request did not come to its end in time',
  },
}

/** How long a refused connection stays open for its answer to be read, in milliseconds. */
const lingerMs = 1_000

/**
 * Answers in the shape of every error what never becomes a request that could be routed: bytes that are
 * none, headers without end, a body that breaks off, a tunnel.
 */
export function answerClientErrors(server: Server, log: Pick<FastifyBaseLogger, 'debug'>): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()

  server.on('request', (request, response) => latest.set(request.socket, response))
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // What comes in after what was refused is refused with it.
    if (refused.has(socket)) return
    refused.add(socket)
    log.debug({ err: error }, 'a connection without a request')
    if (error.code === 'ECONNRESET') return void socket.destroy()
    const answer = refusals[error.code ?? ''] ?? malformed

    const response = latest.get(socket)
    if (!response || response.writableFinished) return refuse(socket, answer)
    // Requests that came whole before are answered first; clients take answers in order.
    if (response.req.complete) return void response.once('close', () => refuse(socket, answer))
    if (response.headersSent || response.socket !== socket) return void socket.destroy()
    refuse(socket, answer)
  })
  // RFC 9110 §10.1.1: what is expected may be passed over, and the request answered like any other.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => refuse(socket, malformed))
}

function refuse(socket: Duplex, body: ErrorBody) {
  if (!socket.writable) return void socket.destroy()
  socket.on('error', () => socket.destroy())
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${body.code} ${STATUS_CODES[body.code]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
  // Closed with bytes unread, the system would take the answer back from the client (RFC 9112 §9.6).
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(linger))
}
