import { containsCardNumber } from '@slipway/contract/card-numbers'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import type { FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import { type Logger, pino } from 'pino'

/** The part of a pino logger that the hosting engine and the site gateway use. */
export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * An error without secrets. Message and fields of a failed query, and PostgreSQL's detail, contain
 * values such as tokens, hashes and email bodies; they are omitted.
 */
export function loggedError(error: unknown): object {
  if (error instanceof DrizzleQueryError)
    return { type: 'DrizzleQueryError', ...loggedCause(error.cause), stack: frames(error) }
  if (error instanceof DatabaseError)
    return {
      type: 'DatabaseError',
      message: error.message,
      code: error.code,
      constraint: error.constraint,
      stack: frames(error),
    }
  if (!(error instanceof Error)) return loggedCopy(error)
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
    stack: frames(error),
  }
}

/**
 * The job queue emits copies of errors as plain objects. A copy of a failed query has its values in
 * its message.
 */
function loggedCopy(error: unknown): object {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  const { message, code, queue, stack, query } = error as Record<string, unknown>
  return {
    type: 'object',
    ...(query === undefined && typeof message === 'string' ? { message } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof queue === 'string' ? { queue } : {}),
    ...(typeof stack === 'string' ? { stack: frames({ stack }) } : {}),
  }
}

const loggedCause = (cause: unknown) => (cause === undefined ? {} : { cause: loggedError(cause) })

/** The stack without the message. */
const frames = (error: Pick<Error, 'stack'>) => {
  const lines = error.stack?.split('\n') ?? []
  return lines.filter((line) => /^\s+at /.test(line)).join('\n')
}

/** The path of a request, with digits masked if it contains a card number. */
function loggedPath(url: string) {
  const [path = ''] = url.split('?')
  // Not decodeURIComponent, which throws for malformed input.
  const text = path.replaceAll(/%[0-9a-f]{2}/gi, ' ')
  return containsCardNumber(path) || containsCardNumber(text) ? path.replaceAll(/\d/g, '*') : path
}

/** A request without its query: the socket's contains a ticket. */
const loggedRequest = (request: Pick<FastifyRequest, 'method' | 'url' | 'ip'>) => ({
  method: request.method,
  path: loggedPath(request.url),
  address: request.ip,
})

export const serializers = {
  err: loggedError,
  error: loggedError,
  // Fastify's type of `req` has more fields.
  req: loggedRequest as never,
}

/** The server's log: JSON lines on standard output, without secrets. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers,
  })

/** How often a repeated event is logged, in milliseconds. */
const logInterval = 10_000

/** Logs the first of many events at once, and then at most one line in ten seconds. */
export function createRateLimitedLog(message: string) {
  let count = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  /** Counts an event; its line has the number of events since the previous line. */
  return (log: Pick<Log, 'warn'>, fields: object) => {
    count++
    if (performance.now() - loggedAt < logInterval) return
    log.warn({ count, ...fields }, message)
    loggedAt = performance.now()
    count = 0
  }
}
