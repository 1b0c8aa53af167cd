import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type GatewayWorld, startGateway } from './gateway.fixture.ts'

const handshake = (extra = '', protocol = 'websocket', connection = 'Upgrade') =>
  `GET /live?x=1 HTTP/1.1\r\nHost: site.test\r\nConnection: ${connection}\r\nUpgrade: ${protocol}\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${extra}\r\n`

/** Accepts every upgrade and echoes in upper case. */
const startEcho = async (world: GatewayWorld): Promise<Server> => {
  const server = await world.site((_request, response) => response.end('no upgrade'))
  server.on('upgrade', (request, socket, head) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nX-Slipway-Project: forged\r\n' +
        'Set-Cookie: all=1; Domain=test\r\n\r\n' +
        `${JSON.stringify(request.headers)}\n`,
    )
    const echo = (bytes: Buffer) => socket.write(String(bytes).toUpperCase())
    if (head.length > 0) echo(head)
    socket.on('data', echo)
    socket.on('end', () => socket.end())
  })
  return server
}

const readUntil = async (socket: Socket, end: string): Promise<string> => {
  let text = ''
  while (!text.includes(end)) {
    const [bytes] = await once(socket, 'data')
    text += bytes
  }
  return text
}

describe('gateway: upgrades', () => {
  it('connects visitor and site in both directions', async () => {
    const world = await startGateway()
    await startEcho(world)
    const visitor = await world.open()
    visitor.write(`${handshake('X-Forwarded-For: 6.6.6.6\r\n')}first`)

    const response = await readUntil(visitor, 'FIRST')
    expect(response).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/)
    expect(response).toContain('sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n')
    expect(response).toContain('x-slipway-project: site\r\n')
    expect(response).not.toContain('forged')
    expect(response).toContain('set-cookie: all=1\r\n')
    expect(response).toContain('"x-forwarded-for":"127.0.0.1"')
    expect(response).not.toContain('6.6.6.6')

    visitor.write('second')
    await expect(readUntil(visitor, 'SECOND')).resolves.toBe('SECOND')
    visitor.destroy()
  })

  it('closing one side closes the other', async () => {
    const world = await startGateway()
    const server = await startEcho(world)
    const first = await world.open()
    const [[, firstSiteSocket]] = await Promise.all([
      once(server, 'upgrade'),
      first.write(handshake()),
    ])
    first.destroy()
    await once(firstSiteSocket, 'close')

    const second = await world.open()
    const [[, secondSiteSocket]] = await Promise.all([
      once(server, 'upgrade'),
      second.write(handshake()),
    ])
    await readUntil(second, '\r\n\r\n')
    secondSiteSocket.end()
    second.resume()
    await once(second, 'close')
    expect(second.destroyed).toBe(true)
  })

  it("forwards a rejected upgrade's response, and drops what follows it", async () => {
    const world = await startGateway()
    const urls: (string | undefined)[] = []
    const server = await world.site(() => {})
    server.on('upgrade', (request, socket) => {
      urls.push(request.url)
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno')
    })
    const response = await world.raw(
      `${handshake()}GET /smuggled HTTP/1.1\r\nHost: site.test\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n`,
    )
    expect(response).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(response).toMatch(/no$/)
    expect(urls).toEqual(['/live?x=1'])
  })

  it.each(['h2c', 'TLS/1.0, HTTP/1.1'])(
    'handles a request to upgrade to %s as a plain request',
    async (protocol) => {
      const world = await startGateway()
      await world.site((request, response) => response.end(`upgrade: ${request.headers.upgrade}`))
      const response = await world.raw(handshake('', protocol, 'close, Upgrade'))
      expect(response).toContain('HTTP/1.1 200 OK')
      expect(response).toContain('upgrade: undefined')
    },
  )

  it('an unknown host is a 404, an unreachable site a 503', async () => {
    const world = await startGateway()
    world.routes.set('late.test', { key: 'late', cluster: 'local', state: 'ready' })
    await expect(world.raw(handshake())).resolves.toContain('HTTP/1.1 404 Not Found')
    await expect(world.raw(handshake().replace('site.test', 'late.test'))).resolves.toContain(
      'HTTP/1.1 503 Service Unavailable',
    )
  })

  it('closes the connection after a rejected upgrade, even if the visitor does not', async () => {
    const world = await startGateway()
    const server = await world.site((_request, response) => response.end('no upgrade'))
    server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
    for (const head of [handshake(), handshake('', 'x'), handshake().replace('site', 'other')]) {
      const visitor = await world.open()
      visitor.allowHalfOpen = true
      visitor.write(head)
      visitor.resume()
      await once(visitor, 'end')
      // Writes fail once the gateway has closed its side too.
      const closed = once(visitor, 'close')
      const writing = setInterval(() => visitor.write('more'), 20)
      await closed.catch((error: NodeJS.ErrnoException) =>
        expect(error.code).toMatch(/ECONNRESET|EPIPE/),
      )
      clearInterval(writing)
      expect(visitor.destroyed).toBe(true)
    }
  })

  it('an open connection does not delay close', async () => {
    const world = await startGateway()
    await startEcho(world)
    const visitor = await world.open()
    visitor.write(handshake())
    await readUntil(visitor, '\r\n\r\n')
    visitor.resume()
    await Promise.all([once(visitor, 'close'), world.gateway.close()])
    expect(visitor.destroyed).toBe(true)
  })

  it('an upgrade without a response is a 504, an upgraded connection has no timeout', async () => {
    const world = await startGateway({ responseTimeoutMs: 1_000 })
    const server = await startEcho(world)
    const upgradedVisitor = await world.open()
    upgradedVisitor.write(`${handshake()}first`)
    await readUntil(upgradedVisitor, 'FIRST')

    server.removeAllListeners('upgrade')
    server.on('upgrade', () => {})
    const waitingVisitor = await world.open()
    waitingVisitor.write(handshake())
    const response = (await waitingVisitor.toArray()).join('')
    expect(response).toMatch(/^HTTP\/1\.1 504 /)
    expect(response).toContain("The site didn't respond in time")

    upgradedVisitor.write('second')
    await expect(readUntil(upgradedVisitor, 'SECOND')).resolves.toBe('SECOND')
    upgradedVisitor.destroy()
  })
})
