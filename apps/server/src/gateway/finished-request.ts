import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress } from './headers.ts'
import type { Target } from './target.ts'

/** A request of a visitor to a site whose response has ended, or whose visitor disconnected. */
export type FinishedRequest = {
  /** The project's key. */
  key: string
  method: string
  host: string
  /** As it was sent, query included. */
  path: string
  status: number
  /** Sent to the visitor, headers included. */
  bytes: number
  /** In milliseconds. */
  duration: number
  referrer: string | undefined
  agent: string | undefined
  /** The visitor's address, for what is derived from it at once. Nobody stores it. */
  address: string
  forwardedFor: string | undefined
}

/** Called once for each request. Returns at once and never throws. */
export type OnRequest = (request: FinishedRequest) => void

/** How the hosting engine names itself when it checks a site through the gateway. */
export const healthCheckAgent = 'Slipway-Health-Check'

const bytesBefore = Symbol('bytes sent before the current response')
type CountedSocket = Socket & { [bytesBefore]?: number }

const isHealthCheck = ({ headers, socket }: IncomingMessage) =>
  headers['user-agent'] === healthCheckAgent &&
  headers['x-forwarded-for'] === undefined &&
  socket.remoteAddress?.includes('127.0.0.1') === true

/** Describes a request when its response closes; undefined for a health check of ours. */
export const finishedRequest = (
  request: IncomingMessage,
  { statusCode: status }: Pick<ServerResponse, 'statusCode'>,
  { host, path }: Target,
  key: string,
  duration: number,
): FinishedRequest | undefined => {
  const socket: CountedSocket = request.socket
  // Responses of one connection follow each other.
  const bytes = socket.bytesWritten - (socket[bytesBefore] ?? 0)
  socket[bytesBefore] = socket.bytesWritten
  if (isHealthCheck(request)) return undefined
  const { headers, method = '' } = request
  return {
    key,
    method,
    host,
    path,
    status,
    bytes,
    duration,
    referrer: headers.referer,
    agent: headers['user-agent'],
    address: clientAddress(request),
    forwardedFor: headers['x-forwarded-for'] as string | undefined,
  }
}
