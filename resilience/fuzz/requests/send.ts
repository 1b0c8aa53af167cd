import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

export type FuzzResponse = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  milliseconds: number
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
}

const decode = (headers: IncomingHttpHeaders, body: Buffer) =>
  decoders[headers['content-encoding'] ?? '']?.(body) ?? body

/** In milliseconds. A request without a response by then hangs. */
const requestTimeout = 30_000

export type Outgoing = {
  port: number
  method: string
  path: string
  headers: Record<string, string | number>
  body?: Buffer
}

/** Sends a request that no client library would send. Rejects if the response is incomplete. */
export function createSender() {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send = ({ port, method, path, headers, body }: Outgoing) =>
    new Promise<FuzzResponse>((resolve, reject) => {
      const started = performance.now()
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers,
          agent,
          signal: AbortSignal.timeout(requestTimeout),
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          // An event stream does not end: only its beginning is checked.
          if (response.headers['content-type']?.startsWith('text/event-stream'))
            response.once('data', () => setImmediate(() => finish(() => outgoing.destroy())))
          response.on('end', () => finish())
          const finish = (then?: () => void) => {
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: decode(response.headers, Buffer.concat(chunks)),
              milliseconds: performance.now() - started,
            })
            then?.()
          }
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}
