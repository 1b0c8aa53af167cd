import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { healthCheckAgent } from '../health-check-agent.ts'
import type { SiteRoute } from './exchange.ts'
import { connectedAddress } from './headers.ts'
import { Http2Response } from './http2/messages.ts'
import { offlineProblem } from './problem-pages.ts'
import type { Target } from './target.ts'

/** A visitor's request to a site, after its response ended or the visitor disconnected. */
export type FinishedRequest = {
  key: string
  /** When it ended, in milliseconds since 1970. */
  time: number
  method: string
  host: string
  /** The path with its query, not decoded. */
  path: string
  status: number
  /** The site is stopped, suspended or not set up: the gateway responded in its place. */
  isOffline: boolean
  /** Sent to the visitor: with the headers over HTTP/1.1, without them over HTTP/2. */
  bytes: number
  /** In milliseconds. */
  duration: number
  referrer: string | undefined
  /** The first 1,000 characters of the User-Agent. */
  agent: string | undefined
  /** The visitor's address; never stored, only data derived from it. */
  address: string
}

/** Longer agents are no browsers'; whole ones would fill the caches of those who read them. */
const maxAgentLength = 1_000

/** Called once for each request. Returns at once and never throws. */
export type OnRequest = (request: FinishedRequest) => void

const bytesBefore = Symbol('bytes sent before the current response')
type CountedSocket = Socket & { [bytesBefore]?: number }

/** A request's connection, read at its start: a request that ended early has no socket. */
export type Visitor = { socket: Socket; address: string }

export const visitorOf = (request: IncomingMessage): Visitor => ({
  socket: request.socket,
  address: connectedAddress(request),
})

/** True for a request that says that it is of the hosting engine, as any visitor may. */
export const claimsHealthCheck = ({ headers }: IncomingMessage) =>
  headers['user-agent']?.endsWith(healthCheckAgent) === true

/** True for a request of the hosting engine on this machine: a check or a picture of a site. */
export const isHealthCheck = (request: IncomingMessage, { socket, address }: Visitor) =>
  claimsHealthCheck(request) &&
  request.headers['x-forwarded-for'] === undefined &&
  (address === '127.0.0.1' || address === '::1' || socket.remoteAddress === socket.localAddress)

/** The bytes sent since the last call. Responses of one connection follow each other. */
const bytesSince = (socket: CountedSocket) => {
  const { bytesWritten, [bytesBefore]: before = 0 } = socket
  socket[bytesBefore] = bytesWritten
  return bytesWritten - before
}

/** Describes a request when its response closes; undefined for a health check of ours. */
export const finishedRequest = (
  request: IncomingMessage,
  visitor: Visitor,
  response: Pick<ServerResponse, 'statusCode'>,
  { host, path, client }: Target,
  { key, state }: Pick<SiteRoute, 'key' | 'state'>,
  duration: number,
): FinishedRequest | undefined => {
  const bytes = response instanceof Http2Response ? response.bodyBytes : bytesSince(visitor.socket)
  if (isHealthCheck(request, visitor)) return undefined
  const { headers, method = '' } = request
  return {
    key,
    time: Date.now(),
    method,
    host,
    path,
    status: response.statusCode,
    isOffline: offlineProblem(state) !== undefined,
    bytes,
    duration,
    referrer: headers.referer,
    agent: headers['user-agent']?.slice(0, maxAgentLength),
    address: client,
  }
}
