import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openRequest, startGateway } from './gateway.fixture.ts'

const echoHeaders = (request: IncomingMessage, response: ServerResponse) => {
  response.end(JSON.stringify({ url: request.url, headers: request.headers }))
}

describe('the route of a request', () => {
  it.each(['site.test', 'SITE.Test', 'site.test:8080', 'site.test.', 'site.test.:80'])(
    'leads %s to the site of that host',
    async (host) => {
      const world = await startGateway()
      await world.site(echoHeaders)
      const answer = await world.get(host, '/a%20b?c=d&e')
      expect(answer.status).toBe(200)
      expect(answer.headers['x-slipway-project']).toBe('site')
      expect(JSON.parse(answer.body)).toMatchObject({ url: '/a%20b?c=d&e', headers: { host } })
    },
  )

  it('is that of an absolute target when there is one, whatever Host says', async () => {
    const world = await startGateway()
    await world.site(echoHeaders)
    const answer = await world.raw(
      'GET http://site.test/path HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toContain('HTTP/1.1 200 OK')
    expect(answer).toContain('"url":"/path"')
    expect(answer).toContain('"host":"site.test"')
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
  ])('is refused with 400 for %s', async (_case, request) => {
    const world = await startGateway()
    await world.site(echoHeaders)
    const answer = await world.raw(request)
    expect(answer).toContain('HTTP/1.1 400 Bad Request')
    expect(answer).toContain('Bad request')
  })
})

describe('the headers of a request', () => {
  it('tell the site who visits, and the visitor cannot forge it', async () => {
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
      via: '1.0 somebody',
    })
    const { headers } = JSON.parse(body)
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'site.test',
      'x-forwarded-proto': 'http',
      via: '1.0 somebody, 1.1 slipway',
    })
    expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|evil/)
    expect(headers).not.toHaveProperty('forwarded')
  })

  it('tell it that visitors come by https when the gateway stands behind TLS', async () => {
    const world = await startGateway({ protocol: 'https' })
    await world.site(echoHeaders)
    const { body } = await world.get('site.test', '/', { 'x-forwarded-proto': 'http' })
    expect(JSON.parse(body).headers['x-forwarded-proto']).toBe('https')
  })

  it('that are for one connection only do not reach the site', async () => {
    const world = await startGateway()
    await world.site(echoHeaders)
    const { body } = await world.get('site.test', '/', {
      connection: 'close, X-Mine',
      'x-mine': '1',
      'x-kept': '2',
      te: 'trailers',
      'keep-alive': 'timeout=9',
      'proxy-authorization': 'secret',
      'proxy-connection': 'close',
    })
    const { headers } = JSON.parse(body)
    expect(headers).toMatchObject({ 'x-kept': '2' })
    for (const name of ['x-mine', 'te', 'keep-alive', 'proxy-authorization', 'proxy-connection']) {
      expect(headers).not.toHaveProperty(name)
    }
  })

  it('are refused with 431 when they are too large', async () => {
    const world = await startGateway()
    const large = 'x'.repeat(20_000)
    await expect(
      world.raw(`GET / HTTP/1.1\r\nHost: site.test\r\nX-Large: ${large}\r\n\r\n`),
    ).resolves.toContain('431')
  })
})

describe('the answer of a site', () => {
  it('keeps its status, its headers and repeated ones', async () => {
    const world = await startGateway()
    await world.site((_request, response) => {
      response.writeHead(418, 'Short and stout', [
        ...['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-name', 'caf\u00e9'],
        ...['x-slipway-project', 'forged', 'connection', 'x-own', 'x-own', '1'],
      ])
      response.end('tea')
    })
    const { outgoing, answer } = openRequest(world.port, 'GET', '/')
    outgoing.end()
    const { statusCode, statusMessage, headers } = await answer
    expect([statusCode, statusMessage]).toEqual([418, 'Short and stout'])
    expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-name': 'caf\u00e9' })
    expect(headers['x-slipway-project']).toBe('site')
    expect(headers).not.toHaveProperty('x-own')
  })

  it('sets no cookie for all sites', async () => {
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

  it.each([204, 304])('without a body (%i) stays without one', async (status) => {
    const world = await startGateway()
    await world.site((_request, response) => response.writeHead(status).end())
    const answer = await world.get('site.test')
    expect([answer.status, answer.body]).toEqual([status, ''])
  })

  it('to HEAD has the headers of GET and no body', async () => {
    const world = await startGateway()
    await world.site((_request, response) => {
      response.writeHead(200, { 'content-length': 5 }).end('12345')
    })
    const { outgoing, answer } = openRequest(world.port, 'HEAD', '/')
    outgoing.end()
    const { headers } = await answer
    expect(headers['content-length']).toBe('5')
  })

  it('sends its headers before it has a body to send', async () => {
    const world = await startGateway()
    let stream: ServerResponse | undefined
    await world.site((_request, response) => {
      stream = response
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    })
    const { outgoing, answer } = openRequest(world.port, 'GET', '/events')
    outgoing.end()
    const events = await answer
    stream?.write('data: 1\n\n')
    const [chunk] = await once(events, 'data')
    expect(String(chunk)).toBe('data: 1\n\n')
    stream?.end()
  })

  it('that breaks off breaks off for the visitor, too', async () => {
    const world = await startGateway()
    await world.site((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    })
    const { outgoing, answer } = openRequest(world.port, 'GET', '/')
    outgoing.end()
    await expect((await answer).toArray()).rejects.toThrow('aborted')
  })

  it('that never comes is a 502, and what is not safe to repeat is not repeated', async () => {
    const world = await startGateway()
    let requests = 0
    await world.site((request) => {
      requests += 1
      request.socket.destroy()
    })
    const { outgoing, answer } = openRequest(world.port, 'POST', '/')
    outgoing.end('order')
    expect((await answer).statusCode).toBe(502)
    expect(requests).toBe(1)
  })

  it('is asked for once more when the connection to the site was lost and the request is safe', async () => {
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

  it('is given up when the visitor leaves', async () => {
    const world = await startGateway()
    const asked = Promise.withResolvers<ServerResponse>()
    await world.site((_request, response) => asked.resolve(response))
    const { outgoing, answer } = openRequest(world.port, 'GET', '/')
    outgoing.end()
    const response = await asked.promise
    const failure = expect(answer).rejects.toThrow('socket hang up')
    const closed = once(response, 'close')
    outgoing.destroy()
    await Promise.all([failure, closed])
    expect(response.writableFinished).toBe(false)
  })
})

describe('close', () => {
  it('lets an answer under way finish and accepts no more', async () => {
    const world = await startGateway()
    const asked = Promise.withResolvers<ServerResponse>()
    await world.site((_request, response) => asked.resolve(response))
    const { outgoing, answer } = openRequest(world.port, 'GET', '/', { connection: 'keep-alive' })
    outgoing.end()
    const response = await asked.promise

    const closed = world.gateway.close()
    await expect(world.get('site.test')).rejects.toThrow('ECONNREFUSED')
    response.end('last')
    expect((await (await answer).toArray()).join('')).toBe('last')
    await closed
  })
})
