import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { healthCheckAgent } from '../health-check-agent.ts'
import { startGateway } from './gateway.fixture.ts'
import { sendHttp2, startTlsGateway } from './tls/tls.fixture.ts'

const page = (_request: IncomingMessage, response: ServerResponse) => void response.end('page')

describe('gateway: http to https', () => {
  it('a name with a certificate is redirected, with path and query', async () => {
    const world = await startTlsGateway()
    await world.site(page)
    const { status, headers } = await world.get('SITE.test:8080', '/a%20b/?c=d&e')
    expect([status, headers.location]).toEqual([308, 'https://site.test/a%20b/?c=d&e'])
    expect((await world.getTls('site.test')).body).toBe('page')
  })

  it('the redirect has the public port of https', async () => {
    const world = await startTlsGateway({ publicPorts: { http: 8080, https: 8443 } })
    await world.site(page)
    expect((await world.get('site.test')).headers.location).toBe('https://site.test:8443/')
  })

  it('a name without a certificate is served, until it has one', async () => {
    const world = await startTlsGateway()
    await world.site(page)
    const certificate = world.certificates.get('site.test')
    world.certificates.clear()
    expect((await world.get('site.test')).body).toBe('page')
    if (certificate) world.certificates.set('site.test', certificate)
    expect((await world.get('site.test')).status).toBe(308)
  })

  it.each([
    '//evil.test/a',
    '///evil.test',
    '/\\evil.test',
    '/@evil.test',
    '/.evil.test',
    '/%0d%0aset-cookie:%20a=b',
    '/a?b=//evil.test',
    `/${'a'.repeat(8_000)}`,
  ])('the path %s leads to no other host', async (path) => {
    const world = await startTlsGateway()
    await world.site(page)
    const { status, headers } = await world.get('site.test', path)
    expect(status).toBe(308)
    expect(headers.location).toBe(`https://site.test${path}`)
    expect(new URL(String(headers.location)).host).toBe('site.test')
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it.each([
    ['a line break', 'GET /a\rb HTTP/1.1\r\nHost: site.test\r\n\r\n'],
    ['a tab', 'GET /a\tb HTTP/1.1\r\nHost: site.test\r\n\r\n'],
    ['bytes above ASCII', 'GET /caf\xe9 HTTP/1.1\r\nHost: site.test\r\n\r\n'],
    ['another host as its target', 'GET http://site.test@evil.test/ HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('a path with %s is safe in the redirect', async (_what, text) => {
    const world = await startTlsGateway()
    await world.site(page)
    const socket = await world.open()
    socket.end(Buffer.from(text, 'latin1'))
    const response = (await socket.toArray()).join('')
    expect(response).toMatch(/^HTTP\/1\.1 (?:400|404|308) /)
    expect(response).not.toMatch(/^location: (?!https:\/\/site\.test\/[\x21-\x7e]*\r?$)/im)
  })

  it('a request with a body, and an upgrade, are redirected and their connection is closed', async () => {
    const world = await startTlsGateway()
    await world.site(page)
    for (const head of ['Content-Length: 9', 'Connection: Upgrade\r\nUpgrade: websocket']) {
      const method = head.startsWith('Content') ? 'POST' : 'GET'
      const response = await world.raw(`${method} / HTTP/1.1\r\nHost: site.test\r\n${head}\r\n\r\n`)
      expect(response).toMatch(/^HTTP\/1\.1 308 /)
    }
  })

  it('a health check of the engine is served', async () => {
    const world = await startTlsGateway()
    await world.site(page)
    const agent = { 'user-agent': healthCheckAgent }
    expect((await world.get('site.test', '/', agent)).body).toBe('page')
    const proxied = { ...agent, 'x-forwarded-for': '127.0.0.1' }
    expect((await world.get('site.test', '/', proxied)).status).toBe(308)
  })
})

describe('gateway: a name that redirects', () => {
  it.each([301, 308] as const)('leads to its target with %i, path and query', async (status) => {
    const world = await startTlsGateway()
    await world.site(page)
    world.routes.set('www.site.test', {
      key: 'site',
      cluster: 'local',
      state: 'ready',
      redirect: { host: 'site.test', status },
    })
    const response = await world.get('www.site.test', '//a?b=c')
    expect([response.status, response.headers.location]).toEqual([
      status,
      'https://site.test//a?b=c',
    ])
    expect(response.headers['x-slipway-project']).toBe('site')
    world.certificates.clear()
    expect((await world.get('www.site.test')).headers.location).toBe('http://site.test/')
  })

  it('leads to https behind a proxy that terminates TLS', async () => {
    const world = await startGateway({ protocol: 'https' })
    const redirect = { host: 'site.test', status: 308 } as const
    world.routes.set('www.site.test', { key: 'site', cluster: 'local', state: 'ready', redirect })
    expect((await world.get('www.site.test')).headers.location).toBe('https://site.test/')
  })
})

describe('gateway: HSTS', () => {
  const header = 'strict-transport-security'

  it('is sent over https alone, over HTTP/1.1 and HTTP/2, with the error pages too', async () => {
    const world = await startTlsGateway()
    await world.site(page)
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready', hsts: 'on' })
    expect((await world.getTls('site.test')).headers[header]).toBe('max-age=63072000')
    const session = await world.http2()
    expect((await sendHttp2(session)).headers[header]).toBe('max-age=63072000')
    expect((await world.get('site.test')).headers).not.toHaveProperty(header)
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'stopped', hsts: 'on' })
    const stopped = await world.getTls('site.test')
    expect([stopped.status, stopped.headers[header]]).toEqual([503, 'max-age=63072000'])
  })

  it('is missing unless the project has chosen it, and is replaced by the header of the site', async () => {
    const world = await startTlsGateway()
    await world.site((request, response) => {
      if (request.url === '/own') response.setHeader(header, 'max-age=1')
      response.end()
    })
    expect((await world.getTls('site.test')).headers).not.toHaveProperty(header)
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready', hsts: 'on' })
    expect((await world.getTls('site.test', '/own')).headers[header]).toBe('max-age=1')
    const session = await world.http2()
    expect((await sendHttp2(session, { ':path': '/own' })).headers[header]).toBe('max-age=1')
  })

  it('max-age=0, over https alone, makes browsers delete HSTS that was turned off', async () => {
    const world = await startTlsGateway()
    await world.site(page)
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready', hsts: 'off' })
    expect((await world.getTls('site.test')).headers[header]).toBe('max-age=0')
    expect((await world.get('site.test')).headers).not.toHaveProperty(header)
  })
})
