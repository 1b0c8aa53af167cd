import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ClientHttp2Session, constants } from 'node:http2'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { sendHttp2, startTlsGateway } from '../tls/tls.fixture.ts'

const echo = async (request: IncomingMessage, response: ServerResponse) => {
  const { method, url, rawHeaders } = request
  const body = Buffer.concat(await request.toArray()).toString()
  response.end(JSON.stringify({ method, url, rawHeaders, body }))
}

type Echoed = { method: string; url: string; rawHeaders: string[]; body: string }

/** The values of a header that the site received. */
const valuesOf = ({ rawHeaders }: Echoed, name: string) =>
  rawHeaders.filter((_value, index) => rawHeaders[index - 1]?.toLowerCase() === name)

async function startWithSite(site: (request: IncomingMessage, response: ServerResponse) => void) {
  const world = await startTlsGateway()
  const server = await world.site(site)
  return { world, server, session: await world.http2() }
}

/** As a client reads a file, part by part. */
function* parts(content: Buffer) {
  for (let start = 0; start < content.length; start += 65_536)
    yield content.subarray(start, start + 65_536)
}

const echoed = ({ body }: { body: string }): Echoed => JSON.parse(body)

describe('gateway: a request over HTTP/2', () => {
  it('reaches the site as the same request of HTTP/1.1', async () => {
    const { session } = await startWithSite(echo)
    const sent = await sendHttp2(session, {
      ':path': '/a%20b?c=d&e',
      'x-mine': 'caf\u00e9',
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-proto': 'http',
      te: 'trailers',
      via: '1.0 proxy',
    })
    const request = echoed(sent)
    expect(request).toMatchObject({ method: 'GET', url: '/a%20b?c=d&e', body: '' })
    expect(valuesOf(request, 'host')).toEqual(['site.test:443'])
    expect(valuesOf(request, 'x-mine')).toEqual(['caf\u00e9'])
    expect(valuesOf(request, 'x-forwarded-for')).toEqual(['127.0.0.1'])
    expect(valuesOf(request, 'x-forwarded-proto')).toEqual(['https'])
    expect(valuesOf(request, 'via')).toEqual(['1.0 proxy, 2.0 slipway'])
    expect(request.rawHeaders.filter((name) => name.startsWith(':') || name === 'te')).toEqual([])
    expect(sent.headers['x-slipway-project']).toBe('site')
  })

  it('sends its cookies to the site as one header', async () => {
    const { session } = await startWithSite(echo)
    const request = echoed(await sendHttp2(session, { cookie: ['a=1', 'b=2'] }))
    expect(valuesOf(request, 'cookie')).toEqual(['a=1; b=2'])
  })

  it.each([
    ['of known length', { 'content-length': '5' }],
    ['of unknown length', {}],
  ])('sends a body %s', async (_what, length) => {
    const { session } = await startWithSite(echo)
    const request = echoed(await sendHttp2(session, { ':method': 'POST', ...length }, 'hello'))
    expect(request.body).toBe('hello')
    expect(valuesOf(request, 'content-length')).toEqual(Object.values(length))
  })

  it('gets 100 Continue when it expects it', async () => {
    const { session } = await startWithSite(echo)
    const stream = session.request(
      { ':method': 'POST', ':path': '/', expect: '100-continue' },
      { endStream: false },
    )
    await once(stream, 'continue')
    stream.end('late')
    expect(echoed({ body: (await stream.toArray()).join('') }).body).toBe('late')
  })

  it.each([
    ['two different hosts', { ':authority': 'site.test', host: 'evil.test' }, 400],
    ['an unknown host', { ':authority': 'unknown.test' }, 404],
  ])('with %s is rejected', async (_what, headers, status) => {
    const { session } = await startWithSite(echo)
    expect((await sendHttp2(session, headers)).status).toBe(status)
  })

  it('with CONNECT gets no connection', async () => {
    const { session } = await startWithSite(echo)
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'site.test' })
    let status: unknown
    stream.on('response', (headers) => {
      status = headers[':status']
    })
    await once(stream.resume(), 'close')
    expect(status).not.toBe(200)
    expect(echoed(await sendHttp2(session)).method).toBe('GET')
  })

  it('with a malformed host is rejected', async () => {
    const { session } = await startWithSite(echo)
    await expect(sendHttp2(session, { ':authority': 'si te/test' })).rejects.toThrow('PROTOCOL')
    expect((await sendHttp2(session)).status).toBe(200)
  })

  it('with a target of another scheme is not forwarded there', async () => {
    const { session } = await startWithSite(echo)
    const stream = session.request({ ':scheme': 'x', ':path': 'http://evil.test/' })
    const [response] = await once(stream, 'response')
    expect(response[':status']).not.toBe(200)
  })

  it('with 17 KB of headers is rejected, and the connection continues', async () => {
    const { session } = await startWithSite(echo)
    const large = { 'x-large': 'x'.repeat(17_000) }
    const { status, headers } = await sendHttp2(session, large)
    expect(status).toBe(431)
    expect(headers).not.toHaveProperty('x-slipway-project')
    expect((await sendHttp2(session)).status).toBe(200)
  })

  it('that the visitor breaks off is broken off for the site', async () => {
    const received: [IncomingMessage, ServerResponse][] = []
    const { session } = await startWithSite((...pair) => received.push(pair))
    const visit = session.request({ ':path': '/' })
    const upload = session.request({ ':method': 'POST', ':path': '/' }, { endStream: false })
    upload.write('half')
    await until(() => received.length === 2)
    const ends = received.map(async ([request, response]) => {
      request.on('error', () => undefined).resume()
      await once(response, 'close')
      return { complete: request.complete, sent: response.writableFinished }
    })
    for (const stream of [visit, upload]) stream.on('error', () => undefined).destroy(new Error())
    expect(await Promise.all(ends)).toEqual(
      expect.arrayContaining([
        { complete: true, sent: false },
        { complete: false, sent: false },
      ]),
    )
  })
})

describe('gateway: a response over HTTP/2', () => {
  it('has the status and all headers of the site, also repeated ones', async () => {
    const { session } = await startWithSite((_request, response) => {
      response.writeHead(418, 'Short and stout', [
        ...['set-cookie', 'a=1', 'set-cookie', 'all=1; Domain=test', 'x-name', 'caf\u00e9'],
        ...['link', '</a>', 'link', '</b>', 'keep-alive', 'timeout=9', 'http2-settings', 'x'],
        ...['x-slipway-project', 'forged', 'connection', 'x-own', 'x-own', '1'],
      ])
      response.end('tea')
    })
    const { status, headers, body } = await sendHttp2(session)
    expect([status, body]).toEqual([418, 'tea'])
    expect(headers).toMatchObject({
      'set-cookie': ['a=1', 'all=1'],
      'x-name': 'caf\u00e9',
      link: '</a>, </b>',
      'x-slipway-project': 'site',
    })
    for (const name of ['connection', 'keep-alive', 'http2-settings', 'transfer-encoding', 'x-own'])
      expect(headers).not.toHaveProperty(name)
  })

  it('keeps headers that a site must not repeat', async () => {
    const { session } = await startWithSite((_request, response) => {
      response.writeHead(200, ['content-type', 'text/a', 'content-type', 'text/b', 'etag', '"a"'])
      response.end('page')
    })
    const { status, body } = await sendHttp2(session)
    expect([status, body]).toEqual([200, 'page'])
  })

  it.each([204, 304])('without a body (%i) ends', async (status) => {
    const { session } = await startWithSite((_request, response) =>
      response.writeHead(status).end(),
    )
    expect(await sendHttp2(session)).toMatchObject({ status, body: '' })
  })

  it('to HEAD has the headers of GET', async () => {
    const { session } = await startWithSite((_request, response) => {
      response.writeHead(200, { 'content-length': 5 }).end('12345')
    })
    const { headers, body } = await sendHttp2(session, { ':method': 'HEAD' })
    expect([headers['content-length'], body]).toEqual(['5', ''])
  })

  it('sends its headers before the body arrives', async () => {
    const streams: ServerResponse[] = []
    const { session } = await startWithSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.push(response)
    })
    const stream = session.request({ ':path': '/events' })
    await once(stream, 'response')
    streams[0]?.write('data: 1\n\n')
    expect(String((await once(stream, 'data'))[0])).toBe('data: 1\n\n')
    streams[0]?.end()
  })

  it.each([{ 'content-length': 100 }, {}])(
    'that a site breaks off (%j) is broken off for the visitor, and for nobody else',
    async (headers) => {
      const { session } = await startWithSite((request, response) => {
        if (request.url === '/whole') return void response.end('whole')
        response.writeHead(200, headers)
        response.write('half', () => response.destroy())
      })
      await expect(sendHttp2(session)).rejects.toThrow('NGHTTP2_INTERNAL_ERROR')
      expect((await sendHttp2(session, { ':path': '/whole' })).body).toBe('whole')
    },
  )

  it('may be complete before its request', async () => {
    const { session } = await startWithSite((_request, response) => {
      response.writeHead(413, { connection: 'close' }).end('too large')
    })
    const stream = session.request({ ':method': 'POST', ':path': '/' }, { endStream: false })
    stream.write('x')
    expect((await stream.toArray()).join('')).toBe('too large')
    await until(() => stream.closed)
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR)
  })

  it('from 50 requests at once reaches each its own', async () => {
    const { session } = await startWithSite((request, response) => response.end(request.url))
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`)
    const bodies = await Promise.all(paths.map((path) => sendHttp2(session, { ':path': path })))
    expect(bodies.map(({ body }) => body)).toEqual(paths)
  })

  it.each(['a response', 'an upload'])(
    '%s of 20 MB arrives whole, and other requests pass it',
    async (what) => {
      const content = randomBytes(20_000_000)
      const digest = createHash('sha256').update(content).digest('hex')
      const { session } = await startWithSite(async (request, response) => {
        if (request.url === '/quick') return void response.end('quick')
        if (request.method === 'GET') return void response.end(content)
        const hash = createHash('sha256')
        for await (const part of request) hash.update(part)
        response.end(hash.digest('hex'))
      })
      const stream =
        what === 'a response'
          ? session.request({ ':path': '/' })
          : session.request({ ':method': 'PUT', ':path': '/' }, { endStream: false })
      if (what === 'an upload') Readable.from(parts(content)).pipe(stream)
      expect((await sendHttp2(session, { ':path': '/quick' })).body).toBe('quick')
      const received = Buffer.concat(await stream.toArray())
      expect(
        what === 'an upload'
          ? received.toString()
          : createHash('sha256').update(received).digest('hex'),
      ).toBe(digest)
    },
  )
})

describe('gateway: hostile HTTP/2', () => {
  /** Sends one kind of frame until the gateway ends the connection. */
  async function flood(session: ClientHttp2Session, send: () => void) {
    let sent = 0
    while (!session.destroyed && !session.closed && sent < 200_000) {
      for (let burst = 0; burst < 100 && !session.destroyed && !session.closed; burst++) {
        send()
        sent++
      }
      await setImmediate()
    }
    return sent
  }

  it('a flood of reset streams ends its connection', async () => {
    let requests = 0
    const { world, session } = await startWithSite((_request, response) => {
      requests++
      response.end()
    })
    const sent = await flood(session, () => {
      const stream = session.request({ ':path': '/' })
      stream.on('error', () => undefined)
      stream.close(constants.NGHTTP2_CANCEL)
    })
    expect(sent).toBeLessThan(10_000)
    expect(requests).toBeLessThan(10_000)
    expect((await world.getTls('site.test')).status).toBe(200)
  })
})
