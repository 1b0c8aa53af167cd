import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@slipway/contract/errors'
import type { FastifyBaseLogger } from 'fastify'

const malformed: ErrorBody = { code: 400, error: 'malformed_request' }

/** Error codes of Node's parser with their own response. */
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

/**
 * How long a rejected connection stays open for the client to read the response, in milliseconds.
 */
const lingerMs = 1_000

/**
 * Sends the error body for input that never reaches a route: malformed or endless headers, an
 * aborted body, CONNECT.
 */
export function handleClientErrors(server: Server, log: Pick<FastifyBaseLogger, 'debug'>): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()

  server.on('request', (request, response) => latest.set(request.socket, response))
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // Further input on the connection is discarded.
    if (refused.has(socket)) return
    refused.add(socket)
    log.debug({ err: error }, 'a connection without a request')
    if (error.code === 'ECONNRESET') return void socket.destroy()
    const refusal = refusals[error.code ?? ''] ?? malformed

    const response = latest.get(socket)
    if (!response || response.writableFinished) return refuse(socket, refusal)
    // Responses of earlier requests go first: clients read them in order.
    if (response.req.complete) return void response.once('close', () => refuse(socket, refusal))
    if (response.headersSent || response.socket !== socket) return void socket.destroy()
    refuse(socket, refusal)
  })
  // RFC 9110 §10.1.1: an unknown expectation may be ignored.
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
  // Closing with unread bytes resets the connection and loses the response (RFC 9112 §9.6).
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(linger))
}
