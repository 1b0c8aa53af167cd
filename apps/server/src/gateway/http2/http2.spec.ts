import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants } from 'node:http2'
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createArtifactLayout } from '../../artifacts/artifact-layout.ts'
import { type ManifestFile, writeManifest } from '../../artifacts/manifest.ts'
import { pollOptions, until } from '../../testing/until.ts'
import type { FinishedRequest } from '../finished-request.ts'
import { sendHttp2, startTlsGateway } from '../tls/tls.fixture.ts'
import { fields, flags, frame, getSite, preface, wholeRequest } from './frames.fixture.ts'
import { createHttp2Server, type Http2Options } from './http2-server.ts'

/** How many descriptors of this process are for a file. */
async function openCount(file: string) {
  const descriptors = await readdir('/proc/self/fd')
  const link = (name: string) => readlink(`/proc/self/fd/${name}`).catch(() => null)
  return (await Promise.all(descriptors.map(link))).filter((path) => path === file).length
}

const echo = async (request: IncomingMessage, response: ServerResponse) => {
  const { method, url, rawHeaders } = request
  const body = Buffer.concat(await request.toArray()).toString()
  response.end(JSON.stringify({ method, url, rawHeaders, body }))
}

type Echoed = { method: string; url: string; rawHeaders: string[]; body: string }

const valuesOf = ({ rawHeaders }: Echoed, name: string) =>
  rawHeaders.filter((_value, index) => rawHeaders[index - 1]?.toLowerCase() === name)

async function startWithSite(site: (request: IncomingMessage, response: ServerResponse) => void) {
  const world = await startTlsGateway()
  const server = await world.site(site)
  return { world, server, session: await world.http2() }
}

/** A body in parts, as a client reads it from a file. */
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
    ['an unknown host', { ':authority': 'unknown.test' }, 421],
  ])('a request with %s is rejected', async (_what, headers, status) => {
    const { session } = await startWithSite(echo)
    expect((await sendHttp2(session, headers)).status).toBe(status)
  })

  it('a request with CONNECT gets no connection', async () => {
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

  it('a request with a malformed host is rejected', async () => {
    const { session } = await startWithSite(echo)
    await expect(sendHttp2(session, { ':authority': 'si te/test' })).rejects.toThrow('PROTOCOL')
    expect((await sendHttp2(session)).status).toBe(200)
  })

  it('a request with a target of another scheme is not forwarded there', async () => {
    const { session } = await startWithSite(echo)
    const stream = session.request({ ':scheme': 'x', ':path': 'http://evil.test/' })
    const [response] = await once(stream, 'response')
    expect(response[':status']).not.toBe(200)
  })

  it('a request with 17 KB of headers is rejected, and the connection continues', async () => {
    const { session } = await startWithSite(echo)
    const large = { 'x-large': 'x'.repeat(17_000) }
    const { status, headers } = await sendHttp2(session, large)
    expect(status).toBe(431)
    expect(headers).not.toHaveProperty('x-slipway-project')
    expect((await sendHttp2(session)).status).toBe(200)
  })

  it('a request that the visitor aborts is aborted for the site', async () => {
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

  it.each([204, 304])('a response without a body (%i) ends', async (status) => {
    const { session } = await startWithSite((_request, response) =>
      response.writeHead(status).end(),
    )
    expect(await sendHttp2(session)).toMatchObject({ status, body: '' })
  })

  it('a response to HEAD has the headers of GET', async () => {
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
    'a response that a site aborts (%j) is aborted for its visitor only',
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

  it('reaches its own request when 50 are sent at once', async () => {
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

describe('gateway: HTTP/2', () => {
  /** A gateway with an artifact that has these files; `folder` is where they are. */
  async function startWithArtifact(contents: Record<string, string | Buffer>) {
    const world = await startTlsGateway()
    const digest = 'a'.repeat(64)
    const { files: folder, manifest } = createArtifactLayout(world.folder).artifact(digest)
    await mkdir(folder, { recursive: true })
    const entries = new Map<string, ManifestFile>()
    for (const [name, content] of Object.entries(contents)) {
      await writeFile(join(folder, name), content)
      entries.set(name, { size: content.length, digest, encodings: {} })
    }
    await writeFile(manifest, writeManifest(entries))
    const route = { key: 'site', cluster: 'local', state: 'ready' } as const
    return { world, digest, folder, route }
  }

  async function startWithFiles(contents: Record<string, string | Buffer>) {
    const { world, digest, folder, route } = await startWithArtifact(contents)
    world.routes.set('site.test', { ...route, artifact: digest })
    return { world, folder }
  }

  it('serves the files of a static site, whole, in part, and unchanged', async () => {
    const large = randomBytes(600_000)
    const { world } = await startWithFiles({ 'index.html': 'page', 'large.bin': large })
    const session = await world.http2()
    const page = await sendHttp2(session)
    expect([page.status, page.body, page.headers['content-length']]).toEqual([200, 'page', '4'])
    const cached = await sendHttp2(session, { 'if-none-match': String(page.headers.etag) })
    expect([cached.status, cached.body]).toEqual([304, ''])
    const part = await sendHttp2(session, { range: 'bytes=1-2' })
    expect([part.status, part.body]).toEqual([206, 'ag'])
    const stream = session.request({ ':path': '/large.bin' })
    expect(Buffer.concat(await stream.toArray())).toEqual(large)
    expect((await sendHttp2(session, { ':method': 'POST' }, 'a')).status).toBe(405)
    expect((await sendHttp2(session, { ':path': '/none' })).status).toBe(404)
  })

  it('a 205 of a site, which has no content, ends its connection if it has one', async () => {
    const closed = Promise.withResolvers<void>()
    const { session } = await startWithSite((_request, response) => {
      response.once('close', () => closed.resolve())
      // Node would not send a body with this status.
      response.socket?.write(
        'HTTP/1.1 205 Reset Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
      )
    })
    const { status, body } = await sendHttp2(session)
    expect([status, body]).toEqual([205, ''])
    await closed.promise
  })

  it('leaves no file of a static site open when visitors leave before it is read', async () => {
    const { world, folder } = await startWithFiles({ 'large.bin': randomBytes(300_000) })
    const file = join(folder, 'large.bin')
    const session = await world.http2()
    for (let count = 0; count < 50; count++) {
      const stream = session.request({ ':path': '/large.bin' })
      stream.on('error', () => undefined).close(constants.NGHTTP2_CANCEL)
    }
    const read = await sendHttp2(session, { ':path': '/large.bin', range: 'bytes=0-1' })
    expect(read.status).toBe(206)
    await expect.poll(() => openCount(file), pollOptions).toBe(0)
  })

  /** A PHP site whose program is this one. */
  async function startWithProgram(onConnection: (socket: Socket) => void) {
    const { world, digest, route } = await startWithArtifact({ 'index.php': '<?php' })
    const php = { artifact: digest, runtime: 'php' } as const
    world.routes.set('site.test', { ...route, php })
    const program = createServer(onConnection)
    program.listen(join(world.folder, 'site'))
    await once(program, 'listening')
    onTestFinished(() => void program.close())
    return { world, session: await world.http2() }
  }

  /** The whole output of a program (FastCGI 1.0 §3.3). */
  function programOutput(text: string) {
    const output = Buffer.from(text)
    const head = Buffer.from([1, 6, 0, 1, 0, output.length, 0, 0])
    const end = Buffer.from([1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    return Buffer.concat([head, output, end])
  }

  it('runs a PHP program, which sees https and the body', async () => {
    let received = ''
    const { session } = await startWithProgram((socket) => {
      socket.setEncoding('latin1').on('data', (chunk) => {
        received += chunk
        // The end of its input (FastCGI 1.0 §3.3).
        if (!received.endsWith('\x01\x05\x00\x01\x00\x00\x00\x00')) return
        socket.end(programOutput('Content-Type: text/plain\n\nfrom php'))
      })
    })
    const post = { ':method': 'POST', ':path': '/index.php?a=b', cookie: ['a=1', 'b=2'] }
    const { status, body } = await sendHttp2(session, { ...post, 'content-length': '5' }, 'hello')
    expect([status, body]).toEqual([200, 'from php'])
    for (const part of ['HTTPSon', 'SERVER_PROTOCOLHTTP/2.0', 'HTTP_COOKIEa=1; b=2', 'hello'])
      expect(received).toContain(part)
    expect(received).not.toMatch(/HTTP_?:|TRANSFER/)
    expect((await sendHttp2(session, post, 'of unknown length')).status).toBe(411)
  })

  it('an upload to a PHP program that breaks its response ends only that response', async () => {
    const { world, session } = await startWithProgram((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(programOutput('Content-Length: 100\n\nx')))
    })
    const stream = session.request({ ':method': 'POST', ':path': '/', 'content-length': '10' })
    stream.on('error', () => undefined).write('1')
    await new Promise((resolve) => stream.resume().once('close', resolve))
    await until(() => world.lines.some(({ message }) => message === 'A site aborted its response'))
    world.routes.delete('site.test')
    expect((await sendHttp2(session)).status).toBe(404)
  })

  it('counts the bytes of each response', async () => {
    const finished: FinishedRequest[] = []
    const world = await startTlsGateway({ onRequest: (request) => finished.push(request) })
    await world.site((request, response) => response.end('a'.repeat(Number(request.url?.slice(1)))))
    const session = await world.http2()
    await Promise.all([10, 2_000].map((size) => sendHttp2(session, { ':path': `/${size}` })))
    await until(() => finished.length === 2)
    expect(finished.map(({ path, bytes, status }) => [path, bytes, status]).sort()).toEqual([
      ['/10', 10, 200],
      ['/2000', 2_000, 200],
    ])
    expect(finished[0]).toMatchObject({ host: 'site.test', method: 'GET', address: '127.0.0.1' })
  })
})

describe('gateway: connections of HTTP/2', () => {
  /** The HTTP/2 server without the TLS listener, with timeouts that a test waits for. */
  async function startServer(timeouts: Partial<Http2Options> = {}) {
    const requests: IncomingMessage[] = []
    const http2 = createHttp2Server(
      (request, response) => {
        requests.push(request)
        if (request.url === '/quick') response.end()
      },
      {
        keepAliveTimeout: 60_000,
        requestTimeout: 60_000,
        inactivityTimeout: 60_000,
        connectionsCheckingInterval: 10,
        maxHeaderSize: 16_384,
        ...timeouts,
      },
      undefined,
    )
    const acceptor = createServer((socket) => http2.accept(socket as TLSSocket))
    acceptor.listen(0, '127.0.0.1')
    await once(acceptor, 'listening')
    onTestFinished(() => {
      acceptor.close()
      http2.closeAll()
    })
    const { port } = acceptor.address() as AddressInfo
    const open = async () => {
      const socket = connectTcp(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      return socket
    }
    return { open, requests }
  }

  it.each([
    ['without a preface', () => Buffer.alloc(0)],
    ['without a request', () => Buffer.concat([preface, frame('settings')])],
    [
      'with headers that never end',
      () =>
        Buffer.concat([
          ...[preface, frame('settings')],
          frame('headers', { stream: 1, payload: getSite }),
        ]),
    ],
  ])('are closed after the idle timeout: %s', async (_what, bytes) => {
    const { open } = await startServer({ keepAliveTimeout: 50 })
    const socket = await open()
    socket.write(bytes())
    // The client sends nothing more.
    await once(socket.resume(), 'close')
    expect(socket.bytesWritten).toBe(bytes().length)
  })

  it('a connection with a current request stays open, and its upload ends after the timeout of requests', async () => {
    const { open, requests } = await startServer({ keepAliveTimeout: 500, requestTimeout: 2_000 })
    const socket = await open()
    socket.resume()
    const upload = frame('headers', { flag: flags.endHeaders, stream: 1, payload: getSite })
    socket.write(Buffer.concat([preface, frame('settings'), upload]))
    const request = await until(() => requests[0])
    const closed = once(socket, 'close')
    await expect(once(request, 'close')).rejects.toThrow('aborted')
    expect(socket.destroyed).toBe(false)
    await closed
  })

  it('are closed when the visitor neither sends nor reads', async () => {
    const { open, requests } = await startServer({ inactivityTimeout: 1_000 })
    const socket = await open()
    socket.write(Buffer.concat([preface, frame('settings'), wholeRequest(1)]))
    await until(() => requests[0])
    await once(socket.resume(), 'close')
    expect(requests).toHaveLength(1)
  })
})

describe('gateway: hostile HTTP/2', () => {
  async function startRaw() {
    const requests: IncomingMessage[] = []
    const world = await startTlsGateway()
    await world.site((request, response) => {
      requests.push(request)
      response.end('page')
    })
    const socket = await world.connectTls({ ALPNProtocols: ['h2'] })
    socket.on('error', () => undefined)
    socket.write(Buffer.concat([preface, frame('settings')]))
    return { world, socket, requests }
  }

  /** Writes until the gateway closes the connection. Returns how often. */
  async function flood(socket: TLSSocket, next: (count: number) => Buffer) {
    let count = 0
    while (!socket.destroyed && count < 1_000_000) {
      const burst = Array.from({ length: 200 }, () => next(count++))
      socket.write(Buffer.concat(burst))
      if (socket.writableLength > 2 ** 20) await once(socket, 'drain').catch(() => undefined)
      await setImmediate()
    }
    return count
  }

  async function expectServed(world: Awaited<ReturnType<typeof startTlsGateway>>) {
    expect((await world.getTls('site.test')).status).toBe(200)
    expect((await sendHttp2(await world.http2())).status).toBe(200)
  }

  it('a flood of streams that the client resets ends its connection (CVE-2023-44487)', async () => {
    const { world, requests } = await startRaw()
    const session = await world.http2()
    let sent = 0
    while (!session.destroyed && !session.closed && sent < 200_000) {
      for (let burst = 0; burst < 100 && !session.destroyed && !session.closed; burst++) {
        const stream = session.request({ ':path': '/' })
        stream.on('error', () => undefined)
        stream.close(constants.NGHTTP2_CANCEL)
        sent++
      }
      await setImmediate()
    }
    expect(sent).toBeLessThan(10_000)
    expect(requests.length).toBeLessThan(10_000)
    await expectServed(world)
  })

  it('a flood of streams that it makes the gateway reset ends its connection (CVE-2025-8671)', async () => {
    const { world, socket, requests } = await startRaw()
    socket.resume()
    const count = await flood(socket, (round) => {
      const stream = 2 * round + 1
      // An increment of 0 is an error of the stream (RFC 9113 §6.9).
      const update = frame('windowUpdate', { stream, payload: Buffer.alloc(4) })
      return Buffer.concat([wholeRequest(stream), update])
    })
    expect(count).toBeLessThan(10_000)
    expect(requests.length).toBeLessThan(10_000)
    await expectServed(world)
  })

  it.each([
    ['settings that it does not read the response to', () => frame('settings')],
    [
      'pings that it does not read the response to',
      () => frame('ping', { payload: Buffer.alloc(8) }),
    ],
    [
      'headers without an end (CVE-2024-27316)',
      (round: number) =>
        round === 0
          ? frame('headers', { stream: 1, payload: getSite })
          : frame('continuation', {
              stream: 1,
              payload: fields({ [`x-${round}`]: 'a'.repeat(100) }),
            }),
    ],
    [
      'empty frames of a body (CVE-2019-9518)',
      (round: number) =>
        round === 0
          ? frame('headers', { stream: 1, flag: flags.endHeaders, payload: getSite })
          : frame('data', { stream: 1 }),
    ],
  ])('endless %s end the connection', async (_what, next) => {
    const { world, socket } = await startRaw()
    socket.pause()
    expect(await flood(socket, next)).toBeLessThan(1_000_000)
    await expectServed(world)
  })

  it('headers that grow a thousandfold when they are decoded do not reach the site', async () => {
    const { world, socket, requests } = await startRaw()
    socket.resume()
    // 3 KB that are stored (RFC 7541 §6.2.1), then thousands of references to them.
    const [name, value] = ['x-bomb', 'a'.repeat(3_000)]
    const stored = Buffer.concat([Buffer.from([0x40]), fields({ [name]: value }).subarray(1)])
    const payload = Buffer.concat([getSite, stored, Buffer.alloc(10_000, 0xbe)])
    const flag = flags.endStream | flags.endHeaders
    for (let request = 0; request < 20; request++)
      socket.write(frame('headers', { flag, stream: 2 * request + 1, payload }))
    await expectServed(world)
    expect(requests.filter(({ headers }) => headers[name] !== undefined)).toEqual([])
  })

  it.each([
    ['noise instead of the preface', Buffer.from('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')],
    ['a frame that is too long', frame('settings', { payload: Buffer.alloc(60_000) })],
    ['settings with a wrong length', frame('settings', { payload: Buffer.alloc(5) })],
    ['a body of no request', frame('data', { stream: 7, payload: Buffer.alloc(10) })],
  ])('%s ends the connection', async (_what, bytes) => {
    const world = await startTlsGateway()
    await world.site((_request, response) => response.end('page'))
    const socket = await world.connectTls({ ALPNProtocols: ['h2'] })
    socket.on('error', () => undefined)
    const start = _what.startsWith('noise') ? [] : [preface, frame('settings')]
    socket.write(Buffer.concat([...start, bytes]))
    await once(socket.resume(), 'close')
    await expectServed(world)
  })

  it.each([
    ['Transfer-Encoding', { 'transfer-encoding': 'chunked' }],
    ['Connection', { connection: 'close' }],
    ['Upgrade', { upgrade: 'websocket' }],
    ['an upper-case name', { 'X-Mine': 'a' }],
    ['two paths', { ':path': '/second' }],
    ['a path with a line break', { ':path': '/ HTTP/1.1\r\nX-Forged: b\r\n\r\n' }],
  ])('a request with %s does not reach the site (request smuggling)', async (_what, wrong) => {
    const { world, socket, requests } = await startRaw()
    const payload = Buffer.concat([
      ...(':path' in wrong && wrong[':path'] !== '/second'
        ? [fields({ ':method': 'GET', ':scheme': 'https', ':authority': 'site.test' })]
        : [getSite]),
      fields(wrong),
    ])
    const flag = flags.endStream | flags.endHeaders
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
    })
    socket.write(frame('headers', { flag, stream: 1, payload }))
    // Responses to frames arrive in order.
    socket.write(frame('ping', { payload: Buffer.from('afterall') }))
    await until(() => socket.destroyed || received.includes('afterall'))
    expect(requests).toEqual([])
    await expectServed(world)
  })

  it('a header with a line break in its value does not reach the site', async () => {
    const { socket, requests } = await startRaw()
    socket.resume()
    const payload = Buffer.concat([getSite, fields({ 'x-mine': 'a\r\nx-forged: b', 'x-end': '1' })])
    const flag = flags.endStream | flags.endHeaders
    socket.write(frame('headers', { flag, stream: 1, payload }))
    const { headers } = await until(() => requests[0])
    expect(headers['x-end']).toBe('1')
    expect(Object.keys(headers).filter((name) => /mine|forged/.test(name))).toEqual([])
  })

  it('a body that differs from its length is broken off for the site', async () => {
    const { world, socket, requests } = await startRaw()
    const payload = Buffer.concat([
      fields({ ':method': 'POST', ':scheme': 'https', ':authority': 'site.test', ':path': '/' }),
      fields({ 'content-length': '5' }),
    ])
    const ended = once(socket.resume(), 'close')
    socket.write(frame('headers', { flag: flags.endHeaders, stream: 1, payload }))
    socket.write(
      frame('data', { flag: flags.endStream, stream: 1, payload: Buffer.from('more than five') }),
    )
    await expectServed(world)
    const served = requests.length
    socket.destroy()
    await ended
    expect(served).toBeLessThanOrEqual(3)
  })
})
