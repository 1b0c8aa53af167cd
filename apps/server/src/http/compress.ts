import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Characters from which on an answer is worth it: a shorter one fits a few packets as it is. */
const worthIt = 16_384

/** Fast ones: an answer is compressed for one reader, and waits for it. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const gzipOptions = { level: 4 }

/** The better coding of those that the reader takes (RFC 9110 §12.5.3); undefined for none. */
function codingFor(accepted = '') {
  const codings = accepted.split(',').map((each) => {
    const [name = '', weight = ''] = each.toLowerCase().split(';')
    return /^\s*q=0(\.0*)?\s*$/.test(weight) ? '' : name.trim()
  })
  return (['br', 'gzip'] as const).find((coding) => codings.includes(coding))
}

/**
 * Long answers go out compressed: a list of 10,000 projects is a fifteenth then. Lists hold no secret that
 * their length could tell to whoever can put text into them: tokens are in short answers alone.
 */
export function compressAnswers(api: FastifyInstance) {
  api.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < worthIt) return done(null, payload)
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
