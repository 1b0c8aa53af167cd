import type { IncomingMessage } from 'node:http'
import { second } from '@slipway/contract/limits'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for an upload of a file: only the server's request timeout applies. */
    upload?: boolean
  }
}

/** Bodies have at most 64 KB. A sender slower than 7 KB a second would occupy a connection. */
const bodyTimeout = 10 * second

/** True for a request with a body (RFC 9112 §6). */
const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The error of Node's own request timeout, whose handler responds. */
const timedOut = () =>
  Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/**
 * Rejects bodies that arrive slowly, except uploads, to which only the server's own timeout
 * applies.
 */
export function limitBodyTime(app: FastifyInstance, timeout = bodyTimeout) {
  app.addHook('preParsing', ({ raw, routeOptions }, reply, payload, done) => {
    if (hasBody(raw) && !routeOptions.config.upload) {
      const timer = setTimeout(
        () => app.server.emit('clientError', timedOut(), raw.socket),
        timeout,
      )
      raw.once('end', () => clearTimeout(timer))
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}
