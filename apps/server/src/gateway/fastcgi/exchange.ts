import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type CgiHead, createHeadReader } from '../../fastcgi/cgi-response.ts'
import {
  beginRequest,
  createRecordReader,
  type EndRequest,
  encodePairs,
  endOfStream,
  FastCgiError,
  overloaded,
  recordTypes,
  writeRecords,
} from '../../fastcgi/records.ts'
import type { FastCgiAddress } from '../../fastcgi/request.ts'
import type { Log } from '../../log.ts'
import type { SiteRoute } from '../exchange.ts'
import { hasBody, responseHeaders } from '../headers.ts'
import { connectTimeoutMs } from '../pools.ts'
import { type Problem, sendProblem } from '../problem-pages.ts'
import type { NextAttempt } from '../replacement-waits.ts'
import type { Target } from '../target.ts'
import { requestParams, type Script } from './params.ts'

export type FastCgiSite = {
  key: string
  state: SiteRoute['state']
  /** The address of the current process. */
  address: () => FastCgiAddress
  /** Waits before the next attempt of a request that no process has accepted. */
  nextAttempt: NextAttempt
  /** Variables in addition to the request's. */
  params?: Readonly<Record<string, string>>
}

export type FastCgiOptions = {
  sitesDomain: string
  /** Timeout for the response headers after the request was sent, in milliseconds. */
  responseTimeoutMs: number
  /** See `GatewayOptions`. */
  onErrorOutput?: ((key: string, text: string) => void) | undefined
  log: Log
}

/** Maximum bytes of a request's error output; the rest is dropped. */
const maxErrorsLength = 16 * 1024

const notListening = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'EACCES',
  'EAGAIN',
  // The errors for a pod that has ended.
  'EHOSTUNREACH',
  'ETIMEDOUT',
])

/** The program closed the connection before the end of its response. */
class ClosedEarly extends Error {
  override readonly name = 'ClosedEarly'
}

/** No process accepts connections at the address: nothing of the request was sent. */
class NotAccepted extends Error {
  override readonly name = 'NotAccepted'
}

const isLost = (error: unknown) =>
  error instanceof ClosedEarly ||
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

/** The program has no free worker. */
class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

function problemOf(error: unknown, site: FastCgiSite): Problem {
  if (error instanceof TimedOut) return 'site_timeout'
  if (error instanceof Overloaded) return 'site_unreachable'
  if (!(error instanceof NotAccepted)) return 'site_failed'
  return site.state === 'starting' ? 'site_starting' : 'site_unreachable'
}

/** True for a response without a body (RFC 9110 §6.4.1). */
const hasNoBody = (request: IncomingMessage, status: number) =>
  request.method === 'HEAD' || status === 204 || status === 304

/**
 * Streams a request to a FastCGI program, and its response to the visitor, with backpressure. Never
 * rejects.
 */
export async function exchangeFastCgi(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  script: Script,
  site: FastCgiSite,
  options: FastCgiOptions,
): Promise<void> {
  // A program reads as many bytes as CONTENT_LENGTH says (RFC 3875 §4.1.2).
  if (request.headers['transfer-encoding'] !== undefined)
    return sendProblem(request, response, 'length_required', target.host, site.key)
  const mayRetry = ['GET', 'HEAD'].includes(request.method ?? '') && !hasBody(request)
  let isRepeated = false
  for (;;) {
    // The visitor may have left before this call: `response` does not report that again.
    if (response.destroyed) return
    try {
      return await exchangeOnce(request, response, target, script, site, options)
    } catch (error) {
      if (response.destroyed) return
      if (response.headersSent) {
        options.log.warn({ key: site.key, err: error }, 'A site aborted its response')
        response.destroy()
        return
      }
      // RFC 9110 §9.2.2: a program that is stopped may drop a connection before reading it.
      if (isLost(error) && mayRetry && !isRepeated) {
        isRepeated = true
        continue
      }
      if (error instanceof NotAccepted && (await site.nextAttempt())) continue
      if (response.destroyed) return
      const problem = problemOf(error, site)
      if (problem === 'site_failed')
        options.log.warn({ key: site.key, err: error }, 'A site did not respond')
      return sendProblem(request, response, problem, target.host, site.key)
    }
  }
}

function exchangeOnce(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  script: Script,
  site: FastCgiSite,
  { sitesDomain, responseTimeoutMs, onErrorOutput }: FastCgiOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(site.address())
    const headReader = createHeadReader()
    let head: CgiHead | null = null
    /** Remaining bytes of the response; -1 without a Content-Length. */
    let remaining = -1
    let errors = Buffer.alloc(0)
    let timer: NodeJS.Timeout | undefined
    let settled = false
    let isAccepted = false

    function onSocketError(error: NodeJS.ErrnoException) {
      const isNotAccepted = !isAccepted && notListening.has(error.code ?? '')
      settle(isNotAccepted ? new NotAccepted(error.message, { cause: error }) : error)
    }

    function settle(error?: unknown) {
      if (settled) return
      settled = true
      clearTimeout(timer)
      response.off('close', onVisitorClose)
      socket.destroy()
      if (errors.length > 0) onErrorOutput?.(site.key, errors.toString())
      if (error === undefined) resolve()
      else reject(error)
    }

    function onVisitorClose() {
      settle(new ClosedEarly('The visitor left'))
    }

    function writeHead(received: CgiHead) {
      head = received
      clearTimeout(timer)
      const length = received.headers['content-length']
      if (length !== undefined && !/^\d{1,15}$/.test(String(length)))
        throw new FastCgiError('an invalid Content-Length')
      if (length !== undefined && !hasNoBody(request, received.status)) remaining = Number(length)
      response.writeHead(received.status, responseHeaders(received.headers, site.key, sitesDomain))
    }

    function writeBody(part: Buffer) {
      if (part.length === 0 || hasNoBody(request, (head as CgiHead).status)) return
      if (remaining !== -1) {
        // More than announced would be read as the next response.
        if (part.length > remaining) throw new FastCgiError('more bytes than Content-Length')
        remaining -= part.length
      }
      if (response.write(part)) return
      socket.pause()
      response.once('drain', () => socket.resume())
    }

    function onStdout(part: Buffer) {
      if (head) return writeBody(part)
      const read = headReader.push(part)
      if (!read) return
      writeHead(read.head)
      writeBody(read.body)
    }

    function onEnd({ protocolStatus }: EndRequest) {
      if (protocolStatus === overloaded) return settle(new Overloaded('no free worker'))
      if (protocolStatus !== 0) throw new FastCgiError(`protocol status ${protocolStatus}`)
      if (!head) throw new FastCgiError('a response without headers')
      if (remaining > 0) throw new FastCgiError('fewer bytes than Content-Length')
      response.end()
      settle()
    }

    const read = createRecordReader({
      onStdout,
      onStderr(part) {
        errors = Buffer.concat([errors, part.subarray(0, maxErrorsLength - errors.length)])
      },
      onEnd,
    })

    async function sendRequest() {
      const requestPairs = requestParams(request, target, script)
      const params = encodePairs([...requestPairs, ...Object.entries(site.params ?? {})])
      for (const part of [
        beginRequest(),
        ...writeRecords(recordTypes.params, params),
        endOfStream(recordTypes.params),
      ])
        socket.write(part)
      if (hasBody(request)) await sendBody(request, socket)
      if (settled) return
      socket.write(endOfStream(recordTypes.stdin))
      if (!head)
        timer = setTimeout(() => settle(new TimedOut('no response headers')), responseTimeoutMs)
    }

    response.once('close', onVisitorClose)
    socket.on('data', (chunk: Buffer) => {
      try {
        if (!settled) read(chunk)
      } catch (error) {
        settle(error)
      }
    })
    socket.on('error', onSocketError)
    socket.once('close', () => settle(new ClosedEarly('the connection was closed')))
    socket.setTimeout(connectTimeoutMs, () => settle(new NotAccepted('the connection timed out')))
    socket.once('connect', () => {
      isAccepted = true
      socket.setTimeout(0)
      void sendRequest().catch(settle)
    })
  })
}

const untilWritable = (socket: Socket) =>
  new Promise<void>((resolve) => {
    const finish = () => {
      socket.off('drain', finish).off('close', finish)
      resolve()
    }
    socket.on('drain', finish).on('close', finish)
  })

async function sendBody(request: IncomingMessage, socket: Socket) {
  // Not destroyed when the program stops reading: its connection carries the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    for (const part of writeRecords(recordTypes.stdin, chunk)) socket.write(part)
    if (socket.writableNeedDrain) await untilWritable(socket)
    if (socket.destroyed) return
  }
}
