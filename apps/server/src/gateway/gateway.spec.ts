import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { FinishedRequest } from './finished-request.ts'
import { openRequest, startGateway } from './gateway.fixture.ts'

const echoHeaders = (request: IncomingMessage, response: ServerResponse) => {
  response.end(JSON.stringify({ url: request.url, headers: request.headers }))
}

describe('gateway: connections', () => {
  it('connections above the limit of an address are closed', async () => {
    const connections = { total: 100, perAddress: 1, isProxy: () => false }
    const world = await startGateway({ connections })
    await world.site(echoHeaders)
    const first = await world.open()
    first.write('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
    await once(first, 'data')
    const second = await world.open()
    await once(second.resume(), 'close')
    expect(second.bytesRead).toBe(0)
    first.destroy()
  })
})

describe('gateway: routing', () => {
  it.each(['site.test', 'SITE.Test', 'site.test:8080', 'site.test.', 'site.test.:80'])(
    'routes %s to the site of that host',
    async (host) => {
      const world = await startGateway()
      await world.site(echoHeaders)
      const response = await world.get(host, '/a%20b?c=d&e')
      expect(response.status).toBe(200)
      expect(response.headers['x-slipway-project']).toBe('site')
      expect(JSON.parse(response.body)).toMatchObject({ url: '/a%20b?c=d&e', headers: { host } })
    },
  )

  it('an absolute request target overrides the Host header', async () => {
    const world = await startGateway()
    await world.site(echoHeaders)
    const response = await world.raw(
      'GET http://site.test/path HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n',
    )
    expect(response).toContain('HTTP/1.1 200 OK')
    expect(response).toContain('"url":"/path"')
    expect(response).toContain('"host":"site.test"')
  })

  it.each([
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['a malformed Host', 'GET / HTTP/1.1\r\nHost: si te/test\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: site.test\r\nHost: b\r\nConnection: close\r\n\r\n'],
    [
      'a target without a path',
      'OPTIONS * HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n',
    ],
  ])('rejects %s with 400', async (_case, request) => {
    const world = await startGateway()
    await world.site(echoHeaders)
    const response = await world.raw(request)
    expect(response).toContain('HTTP/1.1 400 Bad Request')
    expect(response).toContain('Bad request')
  })
})

describe('gateway: request headers', () => {
  it('forwarding headers name the visitor and cannot be forged', async () => {
    const world = await startGateway()
    await world.site(echoHeaders)
    const { body } = await world.get('site.test', '/', {
      'X-Forwarded-For': '6.6.6.6',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/evil',
      'x-real-ip': '6.6.6.6',
      'x-slipway-project': 'evil',
      forwarded: 'for=6.6.6.6;host=evil.test',
      via: '1.0 proxy',
    })
    const { headers } = JSON.parse(body)
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'site.test',
      'x-forwarded-proto': 'http',
      via: '1.0 proxy, 1.1 slipway',
    })
    expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|evil/)
    expect(headers).not.toHaveProperty('forwarded')
  })

  it.each([
    ['alone', '203.0.113.7', '203.0.113.7'],
    ['a forged one before it', '6.6.6.6, 203.0.113.7', '203.0.113.7'],
    ['a trusted proxy behind another', '203.0.113.7, 127.0.0.1', '203.0.113.7'],
    ['no address', 'unknown', '127.0.0.1'],
  ])(
    'behind a trusted proxy the site sees the address of the visitor: %s',
    async (_case, forwardedFor, client) => {
      const isProxy = (address: string) => address === '127.0.0.1'
      const finished: FinishedRequest[] = []
      const world = await startGateway({
        connections: { total: 100, perAddress: 0, isProxy },
        onRequest: (request) => finished.push(request),
      })
      await world.site(echoHeaders)
      const { body } = await world.get('site.test', '/', { 'x-forwarded-for': forwardedFor })
      expect(JSON.parse(body).headers['x-forwarded-for']).toBe(client)
      await expect.poll(() => finished.map(({ address }) => address)).toEqual([client])
    },
  )

  it('X-Forwarded-Proto is https behind a TLS proxy', async () => {
    const world = await startGateway({ protocol: 'https' })
    await world.site(echoHeaders)
    const { body } = await world.get('site.test', '/', { 'x-forwarded-proto': 'http' })
    expect(JSON.parse(body).headers['x-forwarded-proto']).toBe('https')
  })

  it('hop-by-hop headers do not reach the site', async () => {
    const world = await startGateway()
    await world.site(echoHeaders)
    const { body } = await world.get('site.test', '/', {
      connection: 'close, X-Mine',
      'x-mine': '1',
      'x-end-to-end': '2',
      te: 'trailers',
      'keep-alive': 'timeout=9',
      'proxy-authorization': 'secret',
      'proxy-connection': 'close',
    })
    const { headers } = JSON.parse(body)
    expect(headers).toMatchObject({ 'x-end-to-end': '2' })
    for (const name of ['x-mine', 'te', 'keep-alive', 'proxy-authorization', 'proxy-connection']) {
      expect(headers).not.toHaveProperty(name)
    }
  })

  it('headers that are too large are rejected with 431', async () => {
    const world = await startGateway()
    const large = 'x'.repeat(20_000)
    await expect(
      world.raw(`GET / HTTP/1.1\r\nHost: site.test\r\nX-Large: ${large}\r\n\r\n`),
    ).resolves.toContain('431')
  })
})

describe('gateway: responses', () => {
  it('the status and all headers are forwarded, also repeated ones', async () => {
    const world = await startGateway()
    await world.site((_request, response) => {
      response.writeHead(418, [
        ...['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-name', 'caf\u00e9'],
        ...['x-slipway-project', 'forged', 'connection', 'x-own', 'x-own', '1'],
      ])
      response.end('tea')
    })
    const { outgoing, response } = openRequest(world.port, 'GET', '/')
    outgoing.end()
    const { statusCode, headers } = await response
    expect(statusCode).toBe(418)
    expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-name': 'caf\u00e9' })
    expect(headers['x-slipway-project']).toBe('site')
    expect(headers).not.toHaveProperty('x-own')
  })

  it('a site cannot have a proxy in front send files of the machine', async () => {
    const world = await startGateway()
    await world.site((_request, response) => {
      response.writeHead(200, { 'X-Accel-Redirect': '/etc/passwd', 'X-Sendfile': '/etc/passwd' })
      response.end('page')
    })
    const { headers, body } = await world.get('site.test')
    expect(body).toBe('page')
    expect(Object.keys(headers).filter((name) => /accel|sendfile/.test(name))).toEqual([])
  })

  it('a site cannot set a cookie for all sites', async () => {
    const world = await startGateway()
    await world.site((_request, response) => {
      response.writeHead(200, [
        ...['set-cookie', 'all=1; Domain=test; Path=/', 'Set-Cookie', 'own=2; Domain=site.test'],
      ])
      response.end()
    })
    const { headers } = await world.get('site.test')
    expect(headers['set-cookie']).toEqual(['all=1; Path=/', 'own=2; Domain=site.test'])
  })

  it.each([204, 304])('a response without a body (%i) is forwarded without one', async (status) => {
    const world = await startGateway()
    await world.site((_request, response) => response.writeHead(status).end())
    const response = await world.get('site.test')
    expect([response.status, response.body]).toEqual([status, ''])
  })

  it('a HEAD response has the headers of GET and no body', async () => {
    const world = await startGateway()
    await world.site((_request, response) => {
      response.writeHead(200, { 'content-length': 5 }).end('12345')
    })
    const { outgoing, response } = openRequest(world.port, 'HEAD', '/')
    outgoing.end()
    const { headers } = await response
    expect(headers['content-length']).toBe('5')
  })

  it('headers are sent before the body arrives', async () => {
    const world = await startGateway()
    let stream: ServerResponse | undefined
    await world.site((_request, response) => {
      stream = response
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    })
    const { outgoing, response } = openRequest(world.port, 'GET', '/events')
    outgoing.end()
    const events = await response
    stream?.write('data: 1\n\n')
    const [chunk] = await once(events, 'data')
    expect(String(chunk)).toBe('data: 1\n\n')
    stream?.end()
  })

  it('an aborted response is aborted for the visitor', async () => {
    const world = await startGateway()
    await world.site((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    })
    const { outgoing, response } = openRequest(world.port, 'GET', '/')
    outgoing.end()
    await expect((await response).toArray()).rejects.toThrow('aborted')
  })

  it('an unsafe request is not retried: a closed connection results in a 502', async () => {
    const world = await startGateway()
    let requests = 0
    await world.site((request) => {
      requests += 1
      request.socket.destroy()
    })
    const { outgoing, response } = openRequest(world.port, 'POST', '/')
    outgoing.end('order')
    expect(await response).toMatchObject({
      statusCode: 502,
      headers: { 'x-slipway-project': 'site' },
    })
    expect(requests).toBe(1)
  })

  it('a safe request is retried once when the connection to the site is lost', async () => {
    const world = await startGateway()
    let requests = 0
    await world.site((request, response) => {
      requests += 1
      if (requests === 1) request.socket.destroy()
      else response.end('here')
    })
    await expect(world.get('site.test')).resolves.toMatchObject({ status: 200, body: 'here' })
    expect(requests).toBe(2)
  })

  it('the request to the site is aborted when the visitor disconnects', async () => {
    const world = await startGateway()
    const received = Promise.withResolvers<ServerResponse>()
    await world.site((_request, siteResponse) => received.resolve(siteResponse))
    const { outgoing, response } = openRequest(world.port, 'GET', '/')
    outgoing.end()
    const siteResponse = await received.promise
    const failure = expect(response).rejects.toThrow('socket hang up')
    const closed = once(siteResponse, 'close')
    outgoing.destroy()
    await Promise.all([failure, closed])
    expect(siteResponse.writableFinished).toBe(false)
  })
})

describe('gateway: drain', () => {
  it('ends each connection after its response, and accepts further ones', async () => {
    const world = await startGateway()
    await world.site((_request, siteResponse) => siteResponse.end('still here'))
    const request = 'GET / HTTP/1.1\r\nHost: site.test\r\n\r\n'
    const socket = await world.open()
    world.gateway.drain()
    socket.write(request)
    expect((await socket.toArray()).join('')).toContain('still here')
    expect(await world.raw(request)).toContain('still here')
  })
})

describe('gateway: close', () => {
  it('close finishes the current response and accepts no new connection', async () => {
    const world = await startGateway()
    const received = Promise.withResolvers<ServerResponse>()
    await world.site((_request, siteResponse) => received.resolve(siteResponse))
    const { outgoing, response } = openRequest(world.port, 'GET', '/', { connection: 'keep-alive' })
    outgoing.end()
    const siteResponse = await received.promise

    const closed = world.gateway.close()
    await expect(world.get('site.test')).rejects.toThrow('ECONNREFUSED')
    siteResponse.end('last')
    expect((await (await response).toArray()).join('')).toBe('last')
    await closed
  })
})
