import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openRequest, startGateway } from './gateway.fixture.ts'

const MiB = 2 ** 20
/** The largest buffer of a TCP connection that the kernel allocates; 8 MiB where it is unknown. */
const kernelBuffer = (name: 'tcp_rmem' | 'tcp_wmem') => {
  const path = `/proc/sys/net/ipv4/${name}`
  return existsSync(path) ? Number(readFileSync(path, 'utf8').trim().split(/\s+/)[2]) : 8 * MiB
}

/** The kernel's buffers between visitor and site, and 16 MiB for the streams of Node. */
const maxBufferedBytes = kernelBuffer('tcp_rmem') + kernelBuffer('tcp_wmem') + 16 * MiB

const chunk = Buffer.alloc(64 * 1024, 'slipway ')

/** The length of a body: far more than may be buffered. */
const size = Math.ceil((3 * maxBufferedBytes) / chunk.length) * chunk.length

/** A body of `size` bytes that counts the bytes it produced. */
const createBody = () => {
  const state = { producedBytes: 0 }
  const body = new Readable({
    read() {
      if (state.producedBytes >= size) {
        this.push(null)
        return
      }
      state.producedBytes += chunk.length
      this.push(chunk)
    },
  })
  return { state, body }
}

/** Reads slowly, yielding after every chunk. Returns bytes and digest. */
const readSlowly = async (message: IncomingMessage, onRead: (bytes: number) => void) => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    hash.update(part)
    bytes += part.length
    onRead(bytes)
    await setImmediate()
  }
  return { bytes, digest: hash.digest('hex') }
}

const wholeDigest = () => {
  const hash = createHash('sha256')
  for (let bytes = 0; bytes < size; bytes += chunk.length) hash.update(chunk)
  return hash.digest('hex')
}

describe('gateway: large bodies', () => {
  it('a response streams to a slow visitor without being buffered whole', async () => {
    const world = await startGateway()
    const { state, body } = createBody()
    await world.site((_request, response) => void pipeline(body, response))
    const { outgoing, response } = openRequest(world.port, 'GET', '/')
    outgoing.end()

    let bufferedBytes = 0
    const read = await readSlowly(await response, (bytes) => {
      bufferedBytes = Math.max(bufferedBytes, state.producedBytes - bytes)
    })
    expect(read).toEqual({ bytes: size, digest: wholeDigest() })
    expect(bufferedBytes).toBeLessThan(maxBufferedBytes)
  })

  it.each(['chunked', 'of known length'])(
    'an upload (%s) streams to a slow site without being buffered whole',
    async (kind) => {
      const world = await startGateway()
      const { state, body } = createBody()
      let bufferedBytes = 0
      await world.site(async (request, response) => {
        const read = await readSlowly(request, (bytes) => {
          bufferedBytes = Math.max(bufferedBytes, state.producedBytes - bytes)
        })
        response.end(JSON.stringify({ ...read, length: request.headers['content-length'] }))
      })
      const length: Record<string, string> =
        kind === 'chunked' ? {} : { 'content-length': String(size) }
      const { outgoing, response } = openRequest(world.port, 'PUT', '/', length)
      await pipeline(body, outgoing)

      const text = (await (await response).toArray()).join('')
      expect(JSON.parse(text)).toEqual({
        bytes: size,
        digest: wholeDigest(),
        length: length['content-length'],
      })
      expect(bufferedBytes).toBeLessThan(maxBufferedBytes)
    },
  )

  it("aborting an upload aborts the site's request", async () => {
    const world = await startGateway()
    const arrived = Promise.withResolvers<IncomingMessage>()
    await world.site((request) => arrived.resolve(request))
    const { outgoing, response } = openRequest(world.port, 'POST', '/', { 'content-length': '100' })
    outgoing.write('half')
    const request = await arrived.promise
    const failure = expect(response).rejects.toThrow('socket hang up')
    const broken = once(request, 'error')
    request.resume()
    outgoing.destroy()
    await failure
    await expect(broken).resolves.toMatchObject([{ message: 'aborted' }])
    expect(request.complete).toBe(false)
  })

  it('an upload still unfinished after its response has its connection closed', async () => {
    const { site, raw } = await startGateway()
    await site((_request, response) => void response.end('early'))
    const head = 'POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: 500'
    // Without a limit for unfinished uploads, it would stay open until the keep-alive timeout.
    expect(await raw(`${head}\r\n\r\nhalf`)).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('gateway: response timeout', () => {
  it('missing response headers end in a 504', async () => {
    const world = await startGateway({ responseTimeoutMs: 100 })
    await world.site(() => {})
    const response = await world.get('site.test', '/', { accept: 'application/json' })
    expect(response.status).toBe(504)
    expect(JSON.parse(response.body)).toEqual({ code: 504, error: 'site_timeout' })
  })

  it('a started response and a running upload have no timeout', async () => {
    const world = await startGateway({ responseTimeoutMs: 1_000 })
    let stream: ServerResponse | undefined
    await world.site(async (request, response) => {
      if (request.url === '/silent') return
      if (request.url === '/upload') {
        const parts = await request.toArray()
        response.end(Buffer.concat(parts).toString())
        return
      }
      stream = response
      response.writeHead(200).flushHeaders()
    })
    const events = openRequest(world.port, 'GET', '/events')
    events.outgoing.end()
    const upload = openRequest(world.port, 'POST', '/upload')
    upload.outgoing.write('first ')
    const listener = await events.response

    // Meanwhile the other two make no progress for as long as the timeout.
    expect((await world.get('site.test', '/silent')).status).toBe(504)

    stream?.end('late event')
    expect((await listener.toArray()).join('')).toBe('late event')
    upload.outgoing.end('last')
    expect((await (await upload.response).toArray()).join('')).toBe('first last')
  })
})
