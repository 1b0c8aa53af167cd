import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../testing/until.ts'
import { sendHttp2, startTlsGateway } from './tls/tls.fixture.ts'

/** A gateway that forwards `console.test` to a server of this process. */
async function startWithConsole(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const world = await startTlsGateway({ console: { host: 'console.test', server: address } })
  world.certificates.set('console.test', await world.authority.issue('console.test'))
  return { ...world, server }
}

describe('gateway: the console of another process', () => {
  it('gets requests with the address and the protocol of the visitor', async () => {
    const world = await startWithConsole(({ method, url, headers }, response) => {
      response.setHeader('set-cookie', 'a=1; Domain=console.test; Secure')
      response.end(JSON.stringify({ method, url, headers }))
    })
    const path = '/api/a?b=c'
    const http1 = await world.getTls('console.test', path, { headers: { 'x-forwarded-for': '6' } })
    const http2 = await sendHttp2(await world.http2('console.test'), { ':path': path })
    for (const { status, headers, body } of [http1, http2]) {
      expect([status, JSON.parse(body).url]).toEqual([200, path])
      expect(JSON.parse(body).headers).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'https',
      })
      expect(headers['set-cookie']).toEqual(['a=1; Domain=console.test; Secure'])
      expect(headers).not.toHaveProperty('x-slipway-project')
    }
  })

  it('is never served over http, with or without a certificate', async () => {
    let requests = 0
    const world = await startWithConsole((_request, response) => {
      requests++
      response.end()
    })
    for (let round = 0; round < 2; round++) {
      const { status, headers } = await world.get('console.test', '/auth/login')
      expect([status, headers.location]).toEqual([308, 'https://console.test/auth/login'])
      world.certificates.clear()
    }
    expect(requests).toBe(0)
  })

  it('connects its socket', async () => {
    const world = await startWithConsole((_request, response) => response.end())
    world.server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
      socket.pipe(socket)
    })
    const visitor = await world.connectTls({ servername: 'console.test' })
    visitor.write(
      'GET / HTTP/1.1\r\nHost: console.test\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhi',
    )
    let received = ''
    visitor.on('data', (chunk) => {
      received += chunk
    })
    await until(() => received.endsWith('\r\n\r\nhi'))
    expect(received).toContain('101 Switching Protocols')
  })

  it('is unavailable while it does not respond, and no project can have its name', async () => {
    const world = await startWithConsole((_request, response) => response.end('console'))
    await world.site((_request, response) => response.end('site'))
    world.routes.set('console.test', { key: 'site', cluster: 'local', state: 'ready' })
    expect((await world.getTls('console.test')).body).toBe('console')
    world.server.closeAllConnections()
    world.server.close()
    expect((await world.getTls('console.test')).status).toBe(503)
  })
})
