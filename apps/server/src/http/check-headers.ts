import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { problem } from '../problem.ts'

const host = /^(?:\[[0-9a-f:.]+\]|[^\s/\\?#@:[\]]*)(?::\d*)?$/i

/**
 * True for exactly one Host (RFC 9112 §3.2), or none in HTTP/1.0. With more, proxies could choose
 * another one.
 */
function namesOneHost({ rawHeaders, headers, httpVersion }: IncomingMessage) {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts++
  if (hosts === 0) return httpVersion === '1.0'
  return hosts === 1 && host.test(headers.host ?? '')
}

/** True for a UTF-8 body, the only encoding of JSON (RFC 8259 §8.1) and of our forms. */
function isUtf8(contentType: string) {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType) ?? []
  return charset === undefined || /^utf-?8$/i.test(charset)
}

/** Rejects requests with ambiguous or unsupported headers. */
export function checkHeaders(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (namesOneHost(raw)) done()
    else done(problem('malformed_request', 'one Host is expected'))
  })
  app.addHook('preParsing', ({ headers, is404 }, _reply, payload, done) => {
    const type = headers['content-type']
    if (type === undefined || is404 || isUtf8(type)) done(null, payload)
    else done(problem('unsupported_media_type'))
  })
}
