import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { constants, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@slipway/contract/errors'
import type { FastifyBaseLogger } from 'fastify'

const malformed: ErrorBody = { code: 400, error: 'malformed_request' }

/** The responses to Node's parser errors; `malformed` for any other code. */
const responseByCode: Record<string, ErrorBody> = {
  // RFC 6585 §5
  HPE_HEADER_OVERFLOW: { code: 431, error: 'request_too_large', context: 'the headers' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 413, error: 'request_too_large' },
  // RFC 9110 §15.5.9
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 408,
    error: 'malformed_request',
    context: 'the request was not complete in time',
  },
}

/**
 * How long a rejected connection stays open for the client to read the response, in milliseconds.
 */
const lingerMs = 1_000

/**
 * Responds to input that never reaches a route: malformed, too large or slow requests, and CONNECT.
 */
export function handleClientErrors(server: Server, log: Pick<FastifyBaseLogger, 'debug'>): void {
  const latestResponses = new WeakMap<Duplex, ServerResponse | Http2ServerResponse>()
  const rejectedSockets = new WeakSet<Duplex>()

  server.on('request', (request, response) => latestResponses.set(request.socket, response))
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // Further input on the connection is discarded.
    if (rejectedSockets.has(socket)) return
    rejectedSockets.add(socket)
    log.debug({ err: error }, 'a client connection failed')
    if (error.code === 'ECONNRESET') return void socket.destroy()
    const body = responseByCode[error.code ?? ''] ?? malformed

    const response = latestResponses.get(socket)
    // Only this stream: the gateway's HTTP/2 connection has others, which continue.
    if (response instanceof Http2ServerResponse) return rejectStream(response, body)
    if (!response || response.writableFinished) return reject(socket, body)
    // Responses to earlier requests are sent first: clients read them in order.
    if (response.req.complete) return void response.once('close', () => reject(socket, body))
    if (response.headersSent || response.socket !== socket) return void socket.destroy()
    reject(socket, body)
  })
  // RFC 9110 §10.1.1: an unknown expectation may be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => reject(socket, malformed))
}

function rejectStream(response: Http2ServerResponse, body: ErrorBody) {
  if (response.headersSent) return response.stream.close(constants.NGHTTP2_CANCEL)
  response.writeHead(body.code, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(JSON.stringify(body))
}

function reject(socket: Duplex, body: ErrorBody) {
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
