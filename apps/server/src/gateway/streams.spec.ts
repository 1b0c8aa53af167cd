import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openRequest, startGateway } from './gateway.fixture.ts'

const MiB = 2 ** 20
const size = 64 * MiB
/** Far above what sockets and streams hold, far below the body. */
const mayBeUnderWay = 8 * MiB

const chunk = Buffer.alloc(64 * 1024, 'slipway ')

/** A body of `size` bytes that tells how much of it was taken. */
const createBody = () => {
  const state = { taken: 0 }
  const body = new Readable({
    read() {
      if (state.taken >= size) {
        this.push(null)
        return
      }
      state.taken += chunk.length
      this.push(chunk)
    },
  })
  return { state, body }
}

/** Reads slowly: the rest of the world has its turn after every chunk. Gives bytes and digest. */
const readSlowly = async (message: IncomingMessage, onRead: (bytes: number) => void) => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    hash.update(part)
    bytes += part.length
    onRead(bytes)
    await turn()
  }
  return { bytes, digest: hash.digest('hex') }
}

const wholeDigest = () => {
  const hash = createHash('sha256')
  for (let bytes = 0; bytes < size; bytes += chunk.length) hash.update(chunk)
  return hash.digest('hex')
}

describe('a large body', () => {
  it('from a site reaches a slow visitor whole and never lies in memory as a whole', async () => {
    const world = await startGateway()
    const { state, body } = createBody()
    await world.site((_request, response) => void pipeline(body, response))
    const { outgoing, answer } = openRequest(world.port, 'GET', '/')
    outgoing.end()

    let underWay = 0
    const read = await readSlowly(await answer, (bytes) => {
      underWay = Math.max(underWay, state.taken - bytes)
    })
    expect(read).toEqual({ bytes: size, digest: wholeDigest() })
    expect(underWay).toBeLessThan(mayBeUnderWay)
  })

  it.each(['chunked', 'of known length'])(
    'from a visitor (%s) reaches a slow site whole and never lies in memory as a whole',
    async (kind) => {
      const world = await startGateway()
      const { state, body } = createBody()
      let underWay = 0
      await world.site(async (request, response) => {
        const read = await readSlowly(request, (bytes) => {
          underWay = Math.max(underWay, state.taken - bytes)
        })
        response.end(JSON.stringify({ ...read, length: request.headers['content-length'] }))
      })
      const length: Record<string, string> =
        kind === 'chunked' ? {} : { 'content-length': String(size) }
      const { outgoing, answer } = openRequest(world.port, 'PUT', '/', length)
      await pipeline(body, outgoing)

      const text = (await (await answer).toArray()).join('')
      expect(JSON.parse(text)).toEqual({
        bytes: size,
        digest: wholeDigest(),
        length: length['content-length'],
      })
      expect(underWay).toBeLessThan(mayBeUnderWay)
    },
  )

  it('that the visitor breaks off reaches the site as broken off', async () => {
    const world = await startGateway()
    const arrived = Promise.withResolvers<IncomingMessage>()
    await world.site((request) => arrived.resolve(request))
    const { outgoing, answer } = openRequest(world.port, 'POST', '/', { 'content-length': '100' })
    outgoing.write('half')
    const request = await arrived.promise
    const failure = expect(answer).rejects.toThrow('socket hang up')
    const broken = once(request, 'error')
    request.resume()
    outgoing.destroy()
    await failure
    await expect(broken).resolves.toMatchObject([{ message: 'aborted' }])
    expect(request.complete).toBe(false)
  })
})

describe('the time that a site has for its answer', () => {
  it('ends with a 504 when no headers come', async () => {
    const world = await startGateway({ answerTimeoutMs: 100 })
    await world.site(() => {})
    const answer = await world.get('site.test', '/', { accept: 'application/json' })
    expect(answer.status).toBe(504)
    expect(JSON.parse(answer.body)).toEqual({ code: 504, error: 'site_timeout' })
  })

  it('does not end an answer that has begun, nor an upload that still comes', async () => {
    const world = await startGateway({ answerTimeoutMs: 100 })
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
    const listener = await events.answer

    // Asked one after the other, while nothing goes on with the other two.
    for (let round = 0; round < 5; round++)
      expect((await world.get('site.test', '/silent')).status).toBe(504)

    stream?.end('late event')
    expect((await listener.toArray()).join('')).toBe('late event')
    upload.outgoing.end('last')
    expect((await (await upload.answer).toArray()).join('')).toBe('first last')
  })
})
