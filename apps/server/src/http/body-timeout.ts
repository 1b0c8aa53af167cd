import type { IncomingMessage } from 'node:http'
import { second } from '@slipway/contract/limits'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for an upload of a file: only the server's request timeout applies. */
    upload?: boolean
  }
}

/** For 64 KB at most: 7 KB a second, below which a slow sender would hold its place. */
const bodyTimeout = 10 * second

/** RFC 9112 §6. */
const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The error of Node's own request timeout, whose handler responds. */
const timedOut = () =>
  Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** Rejects bodies that arrive slowly, except uploads: the server's own timeout is theirs. */
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
