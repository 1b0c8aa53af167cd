import { once } from 'node:events'
import { createServer, request } from 'node:http'
import {
  type AddressInfo,
  createConnection,
  createServer as createTcpServer,
  type Socket,
} from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { siteCallAddress } from '../../../../site-calls.ts'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { createDnsServer, type Records } from '../../../../testing/dns-server.ts'
import { httpGet } from '../../../../testing/http-get.ts'
import { createLogBook } from '../../../../testing/log-book.ts'
import { pollOptions, until } from '../../../../testing/until.ts'
import { egressBytes } from './egress.metrics.ts'
import { createEgress } from './egress-proxy.ts'
import { createSiteAddress, type FindOwnAddress } from './own-address.ts'

/** Sites with a proxy each, a name server, and a server of the internet. */
async function startEgress(zone: Record<string, Records>) {
  const dns = await createDnsServer(zone)
  onTestFinished(() => dns.close())
  const server = createServer((_request, response) => response.end('a page')).listen(0, '127.0.0.1')
  const connections: Socket[] = []
  server.on('connection', (socket) => connections.push(socket))
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = createEgress({
    log: createLogBook().log,
    mayConnect: (address) => address === '127.0.0.1',
    sendEmail: async () => null,
    serviceCalls: () => (_request, response) => void response.end(),
    nameServers: [dns.address],
  })
  onTestFinished(() => egress.closeAll())
  const folder = await createDataFolder()

  /** A site; resolves with the status that its proxy responds with to CONNECT. */
  async function openSite(key: string, findOwnAddress: FindOwnAddress = async () => undefined) {
    await egress.open(key, join(folder, key), null, findOwnAddress)
    return async (host: string, to = port) => {
      const { status, socket } = await connectTo(key, host, to)
      socket.destroy()
      return status
    }
  }
  const socketOf = (key: string) => join(folder, key, 's')
  const connectTo = (key: string, host: string, to: number) =>
    new Promise<{ status: number | undefined; socket: Socket }>((resolve, reject) => {
      const path = `${host}:${to}`
      request({ socketPath: socketOf(key), method: 'CONNECT', path, agent: false })
        .on('connect', ({ statusCode: status }, socket: Socket) => resolve({ status, socket }))
        .on('error', reject)
        .end()
    })
  return { dns, port, connections, egress, folder, openSite, connectTo, socketOf }
}

describe('the egress proxy of a site', () => {
  it('connects while look-ups of another site get no response, which end without an address', async () => {
    const { dns, openSite } = await startEgress({
      '*.slow.example': 'silence',
      'shop.example': { a: ['127.0.0.1'] },
    })
    const slowSite = await openSite('slow')
    const site = await openSite('shop')
    const slow = Array.from({ length: 100 }, (_, index) => slowSite(`n${index}.slow.example`))
    await until(() => dns.questions.filter((question) => question.startsWith('A ')).length >= 100)
    expect(await site('shop.example')).toBe(200)
    expect(new Set(await Promise.all(slow))).toEqual(new Set([502]))
  })

  it('rejects when its sockets cannot be opened, and opens at the next call', async () => {
    const { egress, folder, openSite } = await startEgress({ 'shop.example': { a: ['127.0.0.1'] } })
    // Longer than the path of a socket may be.
    const tooLong = join(folder, 'x'.repeat(120))
    await expect(egress.open('shop', tooLong, null, async () => undefined)).rejects.toThrow()
    const site = await openSite('shop')
    expect(await site('shop.example')).toBe(200)
  })

  it('has a limited number of connections for each site', async () => {
    const { openSite, socketOf } = await startEgress({ 'shop.example': { a: ['127.0.0.1'] } })
    const neighbor = await openSite('blog')
    await openSite('shop')
    let closed = 0
    const connections = Array.from({ length: 200 }, () => {
      const connection = createConnection(socketOf('shop'))
      // The server may close it while it connects.
      connection
        .on('error', () => undefined)
        .on('close', () => {
          closed += 1
        })
      return connection.resume()
    })
    // It closes 72 of them: the others wait for a request.
    await until(() => closed >= 72)
    expect(await neighbor('shop.example')).toBe(200)
    expect(closed).toBe(72)
    for (const connection of connections) connection.destroy()
  })

  it('disconnects a site that sends requests before the response, and opens one connection', async () => {
    const { openSite, socketOf } = await startEgress({})
    await openSite('shop')
    let connections = 0
    const silent = createTcpServer((socket) => {
      connections += 1
      socket.on('error', () => undefined).resume()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const client = createConnection(socketOf('shop')).on('error', () => undefined)
    client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(200))
    await once(client, 'close')
    expect(connections).toBeLessThanOrEqual(1)
  })

  it('serves requests of one connection that wait for the response before', async () => {
    const { openSite, socketOf, port } = await startEgress({})
    await openSite('shop')
    const client = createConnection(socketOf('shop'))
    onTestFinished(() => void client.destroy())
    for (const _request of [1, 2, 3]) {
      client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
      let received = ''
      while (!received.includes('a page')) received += (await once(client, 'data'))[0]
      expect(received).toContain('200 OK')
    }
  })

  it('limits the look-ups of clients that left', async () => {
    const { openSite, socketOf } = await startEgress({})
    let lookUps = 0
    const lookUp = Promise.withResolvers<undefined>()
    await openSite('shop', () => {
      lookUps += 1
      return lookUp.promise
    })
    for (let count = 1; count <= 128; count += 1) {
      const client = createConnection(socketOf('shop'))
      client.write('GET http://shop.example/ HTTP/1.1\r\nHost: shop.example\r\n\r\n')
      await until(() => lookUps === count)
      client.destroy()
    }
    const get = () => httpGet({ socketPath: socketOf('shop') }, 'http://shop.example/')
    expect((await get()).status).toBe(503)
    expect(lookUps).toBe(128)
    lookUp.resolve(undefined)
    expect((await get()).status).toBe(502)
  })

  it('opens no connection for a client that left during the look-up', async () => {
    const { dns, openSite, port, socketOf, connections } = await startEgress({
      'shop.example': { a: ['127.0.0.1'] },
    })
    const site = await openSite('shop')
    const resume = dns.pause()
    const client = createConnection(socketOf('shop'))
    client.write(`GET http://shop.example:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
    await until(() => dns.questions.length === 2)
    client.destroy()
    // A later connection: the proxy has noticed that the client left.
    expect(await site('localhost')).toBe(403)
    resume()
    expect(await site('shop.example')).toBe(200)
    expect(connections).toHaveLength(1)
  })

  it('connects to the addresses that it checked, whatever the name leads to later', async () => {
    const { dns, openSite } = await startEgress({ 'shop.example': { a: ['127.0.0.1'] } })
    const site = await openSite('shop')
    expect(await site('shop.example')).toBe(200)
    expect(new Set(dns.questions)).toEqual(new Set(['A shop.example', 'AAAA shop.example']))
  })

  it.each([
    ['a name with one closed address', 'mixed.example'],
    ['a name that leads to a closed address', 'closed.example'],
    ['a name without a dot', 'localhost'],
    ['an address in another spelling', '0x7f.0.0.2'],
    ['a port that is none', 'shop.example', 99_999],
  ])('does not connect to %s', async (_what, host, port?: number) => {
    const { openSite } = await startEgress({
      'mixed.example': { a: ['127.0.0.1', '10.0.0.1'] },
      'closed.example': { aaaa: ['fd00::1'] },
      'shop.example': { a: ['127.0.0.1'] },
    })
    expect(await (await openSite('shop'))(host, port)).toBe(403)
  })

  it('does not connect to a name without an address', async () => {
    const { openSite } = await startEgress({})
    expect(await (await openSite('shop'))('missing.example')).toBe(502)
  })
})

describe('a hostile server of the internet', () => {
  /** A site, and a function that requests a page of a server that responds with these bytes. */
  async function startServer() {
    const world = await startEgress({ 'shop.example': { a: ['127.0.0.1'] } })
    await world.openSite('shop')
    let response = Buffer.alloc(0)
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(response))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return (bytes: Buffer | string) => {
      response = Buffer.from(bytes)
      return httpGet({ socketPath: world.socketOf('shop') }, `http://shop.example:${port}/`)
    }
  }

  it.each(['000', '042', '101'])('the status %s is a 502 for the site', async (status) => {
    const get = await startServer()
    const { status: received, body } = await get(`HTTP/1.1 ${status} X\r\n\r\n`)
    expect([received, body]).toEqual([502, expect.stringContaining('sent an invalid status')])
  })

  it('may respond with any bytes: the proxy keeps serving', async () => {
    const get = await startServer()
    const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))
    const status = fc.integer({ min: 0, max: 999 }).map((code) => String(code).padStart(3, '0'))
    const response = fc
      .tuple(status, bytes, bytes, bytes)
      .map(([code, reason, value, body]) =>
        Buffer.concat([
          Buffer.from(`HTTP/1.1 ${code} `),
          reason,
          Buffer.from('\r\nX-A: '),
          value,
          Buffer.from('\r\n\r\n'),
          body,
        ]),
      )
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, response), async (sent) => {
        await get(sent).catch(() => undefined)
      }),
      { numRuns: 100 },
    )
    expect((await get('HTTP/1.1 200 OK\r\n\r\na page')).body).toBe('a page')
  })
})

describe('slipway_egress_bytes_total', () => {
  const readBytes = async () => {
    const { values } = await egressBytes.get()
    const of = (name: string) => values.find(({ labels }) => labels.direction === name)?.value ?? 0
    return { sent: of('sent'), received: of('received') }
  }

  /** The traffic that is counted while a task runs, compared with what the server counts. */
  async function expectCounted(
    world: Awaited<ReturnType<typeof startEgress>>,
    task: () => unknown,
  ) {
    const before = await readBytes()
    await task()
    await until(() => world.connections.length > 0 && world.connections.every((s) => s.closed))
    const [sent, received] = [
      world.connections.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
      world.connections.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    ]
    expect(Math.min(sent, received)).toBeGreaterThan(0)
    const counted = async () => {
      const after = await readBytes()
      return { sent: after.sent - before.sent, received: after.received - before.received }
    }
    await expect.poll(counted, pollOptions).toEqual({ sent, received })
  }

  it('counts both directions of a tunnel', async () => {
    const world = await startEgress({ 'shop.example': { a: ['127.0.0.1'] } })
    await world.openSite('shop')
    await expectCounted(world, async () => {
      const { socket } = await world.connectTo('shop', 'shop.example', world.port)
      socket.end('GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n')
      expect(await text(socket)).toContain('a page')
    })
  })

  it('counts both directions of a forwarded request', async () => {
    const world = await startEgress({ 'shop.example': { a: ['127.0.0.1'] } })
    await world.openSite('shop')
    await expectCounted(world, async () => {
      const url = `http://shop.example:${world.port}/`
      const { body } = await httpGet({ socketPath: world.socketOf('shop') }, url)
      expect(body).toBe('a page')
    })
  })
})

describe('the way of a site to itself', () => {
  /** The site `blog` with these names, in front of a gateway that reports each caller and host. */
  async function startSite(hosts: string[]) {
    const calls: string[] = []
    const gateway = createServer(({ headers, socket }, response) => {
      calls.push(`${socket.remoteAddress} ${headers.host}`)
      response.end('own page')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => {
      gateway.closeAllConnections()
      gateway.close()
    })
    await once(gateway, 'listening')
    const address = { host: '0.0.0.0', port: (gateway.address() as AddressInfo).port }
    const ports = { publicPorts: { http: 8080, https: 8443 }, tlsPort: address.port }
    const world = await startEgress({})
    const connect = await world.openSite(
      'blog',
      createSiteAddress('blog', address, ports, async () => hosts),
    )
    const get = (url: string, headers: Record<string, string> = {}) =>
      httpGet({ socketPath: world.socketOf('blog') }, url, headers)
    return { ...world, calls, connect, get }
  }

  it('leads from an address of its own to the gateway, whatever its Host header says', async () => {
    const { get, calls } = await startSite(['blog.localhost'])
    const urls = [
      'http://blog.localhost:8080/',
      'http://blog.localhost/',
      'http://BLOG.localhost./',
    ]
    for (const url of urls)
      expect((await get(url, { host: 'other.localhost' })).body).toBe('own page')
    expect(calls).toEqual(
      ['blog.localhost:8080', 'blog.localhost', 'blog.localhost.'].map(
        (host) => `${siteCallAddress('blog')} ${host}`,
      ),
    )
  })

  it('is a tunnel at the ports of http and https, and at no other port of its names', async () => {
    const { connect } = await startSite(['blog.localhost'])
    for (const port of [80, 443, 8080, 8443])
      expect(await connect('blog.localhost', port)).toBe(200)
    for (const port of [22, 5432, 8081]) expect(await connect('blog.localhost', port)).toBe(502)
  })

  it('is open for the current names of the site, and for those of no other site', async () => {
    const hosts = ['blog.localhost']
    const { connect } = await startSite(hosts)
    expect(await connect('other.localhost', 80)).toBe(502)
    expect(await connect('shop.example', 80)).toBe(502)
    hosts.push('shop.example')
    expect(await connect('shop.example', 80)).toBe(200)
    hosts.pop()
    expect(await connect('shop.example', 80)).toBe(502)
  })

  it('has a limit of its own, which ends a site that calls itself in each call', async () => {
    const { connectTo, connect, get, openSite } = await startSite(['blog.localhost'])
    const open = await Promise.all(
      Array.from({ length: 64 }, () => connectTo('blog', 'blog.localhost', 80)),
    )
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await connect('blog.localhost', 80)).toBe(503)
    expect((await get('http://blog.localhost/')).status).toBe(503)
    for (const { socket } of open) socket.destroy()
    await until(async () => (await connect('blog.localhost', 80)) === 200)
    expect((await get('http://blog.localhost/')).body).toBe('own page')
    expect(await (await openSite('neighbor'))('blog.localhost', 80)).toBe(502)
  })

  it('is closed where the gateway would not recognize the site: at an address of IPv6', async () => {
    const find = createSiteAddress('blog', { host: '::1', port: 80 }, {}, async () => ['blog.test'])
    expect(await find('blog.test', 80)).toBeUndefined()
  })
})
