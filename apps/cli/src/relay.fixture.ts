import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { type ErrorCode, errors } from '@slipway/contract/errors'
import { listenOnLoopback } from './cli-world.fixture.ts'

const uploadPath = '/api/management/project/release/create/'

/** A relay to the service that drops the response to the first upload. */
export async function createBreakingRelay(url: string) {
  let uploads = 0
  const relay = createTcpServer((client) => {
    const service = connect(Number(new URL(url).port), 'localhost')
    let drops = false
    client.on('error', () => service.destroy())
    client.on('data', (chunk) => {
      if (chunk.includes(`POST ${uploadPath}`)) drops = ++uploads === 1
      service.write(chunk)
    })
    service.on('error', () => client.destroy())
    service.on('data', (chunk) => (drops ? client.destroy() : client.write(chunk)))
    service.on('close', () => client.destroy())
    client.on('close', () => service.destroy())
  })
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(relay)}`,
    uploads: () => uploads,
    close: () => relay.close(),
  }
}

/** A relay to the service. `intercept` returns true for a request that it handles itself. */
export async function createRelay(
  url: string,
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean,
) {
  const relay = createServer((incoming, response) => {
    if (intercept(incoming, response)) return
    const { method, url: path, headers } = incoming
    const outgoing = request(new URL(path ?? '/', url), { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(relay)}`,
    close() {
      relay.close()
      relay.closeAllConnections()
    },
  }
}

export const isUpload = ({ url }: IncomingMessage) => url?.startsWith(uploadPath) ?? false

export const reject = (response: ServerResponse, code: ErrorCode, context?: string) => {
  response.writeHead(errors[code], { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code: errors[code], error: code, context }))
}
