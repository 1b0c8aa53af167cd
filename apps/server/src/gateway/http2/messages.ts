import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { ReadableOptions } from 'node:stream'

// RFC 9113 §8.2.2: they belong to a connection of HTTP/1.1. Node throws for them.
const connectionHeaders = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

function* pairs(list: readonly string[]): Generator<[name: string, value: string]> {
  for (let index = 0; index < list.length; index += 2)
    yield [list[index] as string, list[index + 1] as string]
}

/**
 * Changes the headers to those of HTTP/1.1, which sites and the console understand: `Host` instead
 * of `:authority`, one `Cookie` instead of its parts (RFC 9113 §8.2.3), and `Transfer-Encoding` for
 * a body of unknown length. Returns a flat list. It has two hosts if `Host` differs from
 * `:authority`: the gateway rejects that request (§8.3.1).
 */
function toHttp1(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  received: readonly string[],
): string[] {
  const list: string[] = []
  const authority = headers[':authority']
  if (authority !== undefined) {
    headers.host = authority
    list.push('host', authority)
  }
  for (const [name, value] of pairs(received)) {
    const isChanged = name.startsWith(':') || name === 'cookie'
    if (isChanged || (name === 'host' && value === authority)) continue
    list.push(name, value)
  }
  if (headers.cookie !== undefined) list.push('cookie', headers.cookie)
  if (!stream.endAfterHeaders && headers['content-length'] === undefined) {
    headers['transfer-encoding'] = 'chunked'
    list.push('transfer-encoding', 'chunked')
  }
  return list
}

/** A request over HTTP/2 that looks like one over HTTP/1.1. */
export class Http2Request extends Http2ServerRequest {
  /** The size of the headers, roughly as HTTP/1.1 counts it. */
  readonly headerBytes: number

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    options: ReadableOptions,
    rawHeaders: readonly string[],
  ) {
    super(stream, headers, options, toHttp1(stream, headers, rawHeaders))
    // CONNECT has no path.
    const { rawHeaders: list, url = '' } = this as { rawHeaders: string[]; url?: string }
    this.headerBytes = list.reduce((sum, { length }) => sum + length, url.length)
    // Otherwise an aborted body would look complete.
    this.once('aborted', () => {
      if (this.readableEnded) return
      // Without a listener the error event would end the process. Readers remove theirs.
      this.on('error', () => undefined)
      this.destroy(new Error('aborted'))
    })
  }
}

/** A response over HTTP/2 that accepts the calls of one over HTTP/1.1. */
export class Http2Response extends Http2ServerResponse {
  bodyBytes = 0

  override setHeader(name: string, value: number | string | readonly string[]) {
    if (!connectionHeaders.has(name.toLowerCase())) super.setHeader(name, value)
    return this
  }

  /** Ignores the reason: HTTP/2 has none. */
  override writeHead(
    status: number,
    reasonOrHeaders?: string | OutgoingHttpHeaders | readonly string[],
    givenHeaders?: OutgoingHttpHeaders | readonly string[],
  ): this {
    const { stream } = this
    if (stream.destroyed || stream.closed) return this
    const newHeaders = typeof reasonOrHeaders === 'object' ? reasonOrHeaders : givenHeaders
    this.statusCode = status
    const headers: OutgoingHttpHeaders = { ':status': status, ...this.getHeaders() }
    for (const name in headers) if (connectionHeaders.has(name)) delete headers[name]
    if (Array.isArray(newHeaders)) addList(headers, newHeaders)
    else if (newHeaders)
      for (const [name, value] of Object.entries(newHeaders as OutgoingHttpHeaders)) {
        const lower = name.toLowerCase()
        if (!connectionHeaders.has(lower)) headers[lower] = value
      }
    stream.respond(headers, { endStream: this.writableEnded })
    return this
  }

  override write(chunk: string | Uint8Array, ...rest: never[]): boolean {
    this.bodyBytes += Buffer.byteLength(chunk)
    return super.write(chunk, ...rest)
  }

  /** An incomplete response ends with an error, as a closed connection does in HTTP/1.1. */
  destroy() {
    if (this.writableEnded) this.stream.close(constants.NGHTTP2_NO_ERROR)
    else this.stream.destroy(new Error('The response is incomplete'))
    return this
  }
}

// Not in the class: Node's types declare these as properties, and TypeScript does not let a class
// override properties with accessors.
Object.defineProperties(Http2Response.prototype, {
  destroyed: {
    get(this: Http2Response) {
      return this.stream.destroyed
    },
  },
  /** Also false if the visitor aborted the response, which ends its stream. */
  writableFinished: {
    get(this: Http2Response) {
      return !this.stream.aborted && this.stream.writableFinished
    },
  },
})

/** Adds a flat list of names and values. Its values of a name replace those in `headers`. */
function addList(headers: OutgoingHttpHeaders, list: readonly string[]) {
  const added = new Set<string>()
  for (const [headerName, value] of pairs(list)) {
    const name = headerName.toLowerCase()
    if (connectionHeaders.has(name)) continue
    const earlier = added.has(name) ? headers[name] : undefined
    headers[name] = earlier === undefined ? value : ([earlier, value].flat() as string[])
    added.add(name)
  }
}
