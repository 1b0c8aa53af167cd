import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectTcp, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { register } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasDebianPackage } from '../../testing/debian-package.ts'
import { until } from '../../testing/until.ts'
import { sendHttp2, startTlsGateway } from './tls.fixture.ts'

const hasOpenssl = await hasDebianPackage('openssl')

const echo = (request: IncomingMessage, response: ServerResponse) => {
  response.end(JSON.stringify({ url: request.url, headers: request.headers }))
}

async function connectPlain(port: number, onEnd: (socket: Socket) => void = () => undefined) {
  const socket = connectTcp(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => onEnd(socket))
  await once(socket, 'connect')
  return socket
}

describe('gateway: certificates', () => {
  it('serves each name with its certificate, in upper case and with a final dot too', async () => {
    const world = await startTlsGateway()
    world.certificates.set('other.test', await world.authority.issue('other.test'))
    await world.site(echo)
    expect((await world.getTls('site.test', '/a?b')).body).toContain('"url":"/a?b"')
    expect(await world.subjectFor('other.test')).toBe('other.test')
    expect(await world.subjectFor('OTHER.test.')).toBe('other.test')
  })

  it.each([
    ['an unknown name', 'unknown.test'],
    ['no name', undefined],
  ])('gives a connection for %s a certificate that tells nothing', async (_what, name) => {
    const world = await startTlsGateway()
    expect(await world.subjectFor(name)).toBe('invalid')
  })

  it.each([
    ['a wildcard', '*.site.test'],
    ['two final dots', 'site.test..'],
    ['only dots', '..'],
    ['a path', 'site.test/../../keys'],
    ['other scripts', 'şite.test'],
    ['a property of objects', '__proto__'],
    ['4,000 characters', 'a'.repeat(4_000)],
  ])('gives a connection for a name with %s no certificate of a site', async (_what, name) => {
    const world = await startTlsGateway()
    await world.site(echo)
    const subject = await world.subjectFor(name).catch((error: Error) => error.message)
    expect(subject).toMatch(/^invalid$|alert|ECONNRESET|disconnected/)
    expect((await world.getTls('site.test')).status).toBe(200)
  })

  it('a renewed certificate serves the next handshake, and open connections continue', async () => {
    const world = await startTlsGateway()
    await world.site(echo)
    const open = await world.connectTls()
    const session = await world.http2()
    const { serialNumber: before } = open.getPeerCertificate()
    world.certificates.set('site.test', await world.authority.issue('site.test'))
    const next = await world.connectTls()
    expect(next.getPeerCertificate().serialNumber).not.toBe(before)
    open.write('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
    expect(String((await once(open, 'data'))[0])).toContain('200 OK')
    expect((await sendHttp2(session)).status).toBe(200)
  })

  it('a certificate that OpenSSL rejects costs its own name only', async () => {
    const world = await startTlsGateway()
    const broken = { certificate: 'no certificate', key: 'no key', etag: 'broken' }
    world.certificates.set('broken.test', broken)
    for (let handshake = 0; handshake < 3; handshake++)
      expect(await world.subjectFor('broken.test')).toBe('invalid')
    expect(await world.subjectFor('site.test')).toBe('site.test')
    expect(world.lines.filter((line) => line.host === 'broken.test')).toHaveLength(1)
  })
})

describe('gateway: a request over a connection to another name', () => {
  async function startTwo() {
    const world = await startTlsGateway({
      console: { host: 'console.test', server: new URL('http://127.0.0.1:9') },
    })
    await world.site((_request, response) => response.end('page'))
    world.routes.set('other.test', { key: 'other', cluster: 'local', state: 'stopped' })
    for (const name of ['other.test', 'console.test', 'alias.test'])
      world.certificates.set(name, await world.authority.issue(name))
    const over = async (servername: string, host: string) => {
      const http1 = await world.getTls(host, '/', { servername })
      const http2 = await sendHttp2(await world.http2(servername), { ':authority': host })
      expect(http2.status).toBe(http1.status)
      return http1.status
    }
    return { world, over }
  }

  it.each([
    ['the site of another project', 'other.test', 'site.test'],
    ['a site', 'console.test', 'site.test'],
    ['the console', 'site.test', 'console.test'],
    ['an unknown name', 'site.test', 'unknown.test'],
  ])('does not reach %s (domain fronting)', async (_what, servername, host) => {
    const { over } = await startTwo()
    expect(await over(servername, host)).toBe(421)
  })

  it('does not upgrade a connection to that name either', async () => {
    const { world } = await startTwo()
    for (const host of ['site.test', 'console.test']) {
      const visitor = await world.connectTls({ servername: 'other.test' })
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket'
      visitor.end(`GET / HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\n`)
      expect((await visitor.toArray()).join('')).toMatch(/^HTTP\/1\.1 421 /)
    }
  })

  it('reaches names of the same project, and of the same certificate', async () => {
    const { world, over } = await startTwo()
    world.routes.set('alias.test', { key: 'site', cluster: 'local', state: 'ready' })
    expect(await over('alias.test', 'site.test')).toBe(200)
    const shared = await world.authority.issue('*.shared.test')
    for (const name of ['a.shared.test', 'b.shared.test']) world.certificates.set(name, shared)
    world.routes.set('a.shared.test', { key: 'a', cluster: 'local', state: 'stopped' })
    world.routes.set('b.shared.test', { key: 'site', cluster: 'local', state: 'ready' })
    expect(await over('a.shared.test', 'b.shared.test')).toBe(200)
  })

  it('reaches a site when it was opened without a name, or to the name of the gateway', async () => {
    const { world } = await startTwo()
    for (const servername of ['', 'gateway-eu.test']) {
      const options = { servername, rejectUnauthorized: false }
      expect((await world.getTls('site.test', '/', options)).status).toBe(200)
    }
  })
})

describe('gateway: TLS', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const world = await startTlsGateway()
    const socket = await world.connectTls({ minVersion: version, maxVersion: version })
    expect(socket.getProtocol()).toBe(version)
  })

  it.each([
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['a cipher without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' }],
    ['a cipher with CBC', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }],
    ['an unknown protocol', { ALPNProtocols: ['acme-tls/1'] }],
  ] as [string, ConnectionOptions][])('rejects %s', async (_what, options) => {
    const world = await startTlsGateway()
    await expect(world.connectTls(options)).rejects.toThrow(/alert|ECONNRESET|disconnected/)
  })

  it.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [[], false],
  ])('chooses of the protocols %j: %s', async (offered, chosen) => {
    const world = await startTlsGateway()
    const socket = await world.connectTls({ ALPNProtocols: offered })
    expect(socket.alpnProtocol).toBe(chosen)
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('resumes a session of %s', async (version) => {
    const world = await startTlsGateway()
    await world.site(echo)
    const first = await world.connectTls({ maxVersion: version })
    const ticket = version === 'TLSv1.2' ? first.getSession() : (await once(first, 'session'))[0]
    const second = await world.connectTls({ maxVersion: version, session: ticket })
    expect(second.isSessionReused()).toBe(true)
    second.write('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
    expect(String((await once(second, 'data'))[0])).toContain('200 OK')
  })

  it.skipIf(!hasOpenssl)('ends a connection that starts another handshake', async () => {
    const world = await startTlsGateway()
    const address = `127.0.0.1:${world.tlsPort}`
    const client = spawn('openssl', ['s_client', '-tls1_2', '-connect', address])
    let output = ''
    for (const stream of [client.stdout, client.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const closed = once(client, 'close')
    await until(() => output.includes('Verify return code'))
    client.stdin.write('R\n')
    await closed
    expect(output).toContain('RENEGOTIATING')
    expect(output).toMatch(/no renegotiation|alert handshake failure/i)
  })

  it('the site sees https, and the address of the visitor', async () => {
    const world = await startTlsGateway()
    await world.site(echo)
    const { body } = await world.getTls('site.test', '/', {
      headers: { 'x-forwarded-proto': 'http', 'x-forwarded-for': '6.6.6.6' },
    })
    expect(JSON.parse(body).headers).toMatchObject({
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'site.test',
    })
    world.certificates.clear()
    expect(JSON.parse((await world.get('site.test')).body).headers['x-forwarded-proto']).toBe(
      'http',
    )
  })

  it('connects a WebSocket', async () => {
    const world = await startTlsGateway()
    const server = await world.site(echo)
    server.on('upgrade', (request, socket) => {
      const proto = request.headers['x-forwarded-proto']
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n`)
      socket.write(`${proto} `)
      socket.pipe(socket)
    })
    const visitor = await world.connectTls()
    visitor.write(
      'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhi',
    )
    let received = ''
    visitor.on('data', (chunk) => {
      received += chunk
    })
    await until(() => received.endsWith('\r\n\r\nhttps hi'))
    expect(received).toContain('101 Switching Protocols')
  })

  it('close completes the current responses of both protocols', async () => {
    const world = await startTlsGateway()
    const responses: ServerResponse[] = []
    await world.site((_request, response) => responses.push(response))
    const http1 = world.getTls('site.test')
    const session = await world.http2()
    const http2 = sendHttp2(session)
    await until(() => responses.length === 2)
    const closed = world.gateway.close()
    for (const response of responses) response.end('last')
    expect([(await http1).body, (await http2).body]).toEqual(['last', 'last'])
    await closed
    await expect(world.connectTls()).rejects.toThrow('ECONNREFUSED')
  })
})

describe('gateway: hostile handshakes', () => {
  it('a silent connection is closed', async () => {
    const world = await startTlsGateway({ tls: { handshakeMs: 50 } })
    const socket = await connectPlain(world.tlsPort)
    await once(socket.resume(), 'close')
    expect(socket.bytesRead).toBe(0)
  })

  it('a handshake that arrives byte by byte is closed, too', async () => {
    const world = await startTlsGateway({ tls: { handshakeMs: 300 } })
    const socket = await connectPlain(world.tlsPort)
    socket.setNoDelay(true)
    // The head of a record of 16 KiB, and never its end.
    const record = Buffer.concat([
      Buffer.from([22, 3, 1, 64, 0, 1, 0, 63, 252]),
      Buffer.alloc(9_000),
    ])
    let sent = 0
    const sending = setInterval(() => socket.write(record.subarray(sent, ++sent)), 20)
    // A byte that arrives after the gateway has closed it resets the connection: closed, too.
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.resume().once('close', resolve))
    clearInterval(sending)
    expect(sent).toBeLessThan(record.length)
  })

  it.each([
    ['plain HTTP', 'GET / HTTP/1.1\r\nHost: site.test\r\n\r\n'],
    ['noise', Buffer.alloc(2_000, 0xa5)],
    ['an empty record', Buffer.from([22, 3, 1, 0, 0])],
    ['a record that is too long', Buffer.from([22, 3, 1, 255, 255, 1, 1, 1])],
  ])('%s is closed, and others are served', async (_what, bytes) => {
    const world = await startTlsGateway({ tls: { handshakeMs: 1_000 } })
    await world.site(echo)
    const socket = await connectPlain(world.tlsPort)
    socket.write(bytes)
    await once(socket.resume(), 'close')
    expect((await world.getTls('site.test')).status).toBe(200)
  })

  /** Waits until one more handshake has failed for this reason. */
  async function expectCounted(reason: string, fail: () => Promise<unknown>) {
    // Other tests of this process count, too.
    const count = async () => {
      const metric = register.getSingleMetric('slipway_gateway_tls_handshake_failures_total')
      return (await metric?.get())?.values.find(({ labels }) => labels.reason === reason)?.value
    }
    const before = (await count()) ?? 0
    await fail()
    await until(async () => (await count()) !== before)
    expect(await count()).toBe(before + 1)
  }

  it('are counted by reason', async () => {
    const world = await startTlsGateway()
    await expectCounted('parameters', () =>
      expect(world.connectTls({ ALPNProtocols: ['acme-tls/1'] })).rejects.toThrow(),
    )
    await expectCounted('no_tls', async () => {
      const socket = await connectPlain(world.tlsPort)
      socket.write('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
      await once(socket.resume(), 'close')
    })
    const { tlsPort } = await startTlsGateway({ tls: { handshakeMs: 50 } })
    await expectCounted('timeout', () => connectPlain(tlsPort))
  })

  it.skipIf(!hasOpenssl)(
    'handshakes that a visitor ends because of the certificate are counted',
    async () => {
      const world = await startTlsGateway()
      // Node's client completes the handshake before it checks the certificate.
      const visit = ['s_client', '-verify_return_error', '-servername', 'unknown.test']
      await expectCounted('certificate', async () => {
        const address = `127.0.0.1:${world.tlsPort}`
        await once(spawn('openssl', [...visit, '-connect', address]), 'close')
      })
    },
  )

  it('above the limit of open handshakes, the oldest is closed and a visitor is served', async () => {
    const world = await startTlsGateway({ tls: { handshakesAtOnce: 5 } })
    await world.site(echo)
    let closed = 0
    for (let count = 0; count < 20; count++) {
      const socket = await connectPlain(world.tlsPort)
      socket.resume().once('close', () => closed++)
    }
    expect((await world.getTls('site.test')).status).toBe(200)
    await until(() => closed === 16)
    const warnings = world.lines.filter(({ message }) =>
      message.includes('too many TLS handshakes'),
    )
    expect(warnings).toHaveLength(1)
  })

  it('count against the limit of an address, from the first byte on', async () => {
    const connections = { total: 100, perAddress: 2, isProxy: () => false }
    const world = await startTlsGateway({ connections })
    await world.site(echo)
    const first = await connectPlain(world.tlsPort)
    await connectPlain(world.tlsPort)
    const third = await connectPlain(world.tlsPort)
    await once(third.resume(), 'close')
    expect(third.bytesRead).toBe(0)
    first.destroy()
    await until(
      async () => (await world.getTls('site.test').catch(() => undefined))?.status === 200,
    )
  })

  it('make room for a new connection at the limit of all', async () => {
    const connections = { total: 3, perAddress: 0, isProxy: () => false }
    const world = await startTlsGateway({ connections })
    await world.site(echo)
    const silent = await connectPlain(world.tlsPort)
    const idleHttp1 = await world.connectTls()
    const idleHttp2 = await world.http2()
    idleHttp1.resume()
    silent.resume()
    for (const idle of [silent, idleHttp1, idleHttp2]) {
      const closed = once(idle, 'close')
      expect((await world.getTls('site.test')).status).toBe(200)
      const filler = await connectPlain(world.tlsPort)
      await closed
      filler.resume()
    }
  })
})
