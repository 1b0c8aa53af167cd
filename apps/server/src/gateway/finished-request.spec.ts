import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { healthCheckAgent } from '../health-check-agent.ts'
import type { FinishedRequest } from './finished-request.ts'
import { startGateway } from './gateway.fixture.ts'

async function startRecorded() {
  const finished: FinishedRequest[] = []
  const world = await startGateway({ onRequest: (request) => finished.push(request) })
  const untilFinished = (count: number) => expect.poll(() => finished.length).toBe(count)
  return { ...world, finished, untilFinished }
}

describe('a request to a site', () => {
  it('is reported once when its response has ended', async () => {
    const world = await startRecorded()
    await world.site((_request, response) => response.writeHead(201).end('created'))
    await world.get('site.test', '/path?query=1', {
      'user-agent': 'Example/1.2',
      referer: 'https://search.example/?q=secret',
    })
    await world.untilFinished(1)
    expect(world.finished).toEqual([
      {
        key: 'site',
        time: expect.any(Number),
        method: 'GET',
        host: 'site.test',
        path: '/path?query=1',
        status: 201,
        isOffline: false,
        bytes: expect.any(Number),
        duration: expect.any(Number),
        referrer: 'https://search.example/?q=secret',
        agent: 'Example/1.2',
        address: '127.0.0.1',
      },
    ])
  })

  it('is reported with the first 1,000 characters of a long User-Agent', async () => {
    const world = await startRecorded()
    await world.site((_request, response) => response.end())
    await world.get('site.test', '/', { 'user-agent': '1'.repeat(10_000) })
    await world.untilFinished(1)
    expect(world.finished[0]?.agent).toBe('1'.repeat(1_000))
  })

  it('counts the bytes of each response of a connection by itself', async () => {
    const world = await startRecorded()
    await world.site((request, response) =>
      response.end('x'.repeat(request.url === '/large' ? 100_000 : 10)),
    )
    const socket = await world.open()
    const chunks: string[] = []
    socket.on('data', (chunk) => chunks.push(String(chunk)))
    for (const path of ['/small', '/large', '/small']) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: site.test\r\n\r\n`)
      const count = world.finished.length
      await world.untilFinished(count + 1)
    }
    socket.destroy()
    const [first, large, last] = world.finished.map(({ bytes }) => bytes)
    expect(large).toBeGreaterThan(100_000)
    expect(first).toBeLessThan(1_000)
    expect(last).toBe(first)
    expect(chunks.join('').length).toBeGreaterThan(100_000)
  })

  it('is reported with the page that the gateway sends instead of the site', async () => {
    const world = await startRecorded()
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    await world.get('site.test')
    await world.untilFinished(1)
    expect(world.finished[0]).toMatchObject({ key: 'site', status: 503, isOffline: false })
  })

  it.each(['stopped', 'suspended'] as const)('is reported as one to a %s site', async (state) => {
    const world = await startRecorded()
    world.routes.set('site.test', { key: 'site', cluster: 'local', state })
    await world.get('site.test')
    await world.untilFinished(1)
    expect(world.finished[0]).toMatchObject({ key: 'site', status: 503, isOffline: true })
  })

  it.each([
    ['a chunk', 'Transfer-Encoding: chunked', '5\r\nab'],
    ['a body of a known length', 'Content-Length: 500', 'abc'],
  ])('is reported when its visitor leaves after half of %s', async (_what, header, half) => {
    const world = await startRecorded()
    // A site may respond before it has read the body.
    await world.site((request, response) => {
      request.resume()
      response.end('early')
    })
    const socket = connect(world.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`POST / HTTP/1.1\r\nHost: site.test\r\n${header}\r\n\r\n${half}`)
    await once(socket, 'data')
    socket.destroy()
    await world.untilFinished(1)
    expect(world.finished[0]).toMatchObject({ method: 'POST', status: 200, address: '127.0.0.1' })
  })

  it('is reported when the visitor disconnects', async () => {
    const world = await startRecorded()
    await world.site((_request, response) => response.write('a beginning'))
    const socket = connect(world.port, '127.0.0.1')
    socket.write('GET /endless HTTP/1.1\r\nHost: site.test\r\n\r\n')
    await once(socket, 'data')
    socket.destroy()
    await world.untilFinished(1)
    expect(world.finished[0]).toMatchObject({ path: '/endless', status: 200 })
  })

  it('is reported with status 101 when an upgraded connection has closed', async () => {
    const world = await startRecorded()
    const site = await world.site((_request, response) => response.end())
    site.on('upgrade', (_request, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n',
      )
      socket.end('hello')
    })
    await world.raw(
      'GET /socket HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n',
    )
    await world.untilFinished(1)
    expect(world.finished[0]).toMatchObject({ path: '/socket', status: 101 })
  })

  it('is not reported when the engine checks the health of the site, or takes its picture', async () => {
    const world = await startRecorded()
    await world.site((_request, response) => response.end('ok'))
    await world.get('site.test', '/healthz', { 'user-agent': healthCheckAgent })
    await world.get('site.test', '/', { 'user-agent': `Chrome/1 ${healthCheckAgent}` })
    await world.get('site.test', '/after')
    await world.untilFinished(1)
    expect(world.finished[0]?.path).toBe('/after')
  })

  it('a request to a host without a site belongs to no project', async () => {
    const world = await startRecorded()
    await world.site((_request, response) => response.end('ok'))
    await world.get('other.test', '/')
    await world.get('site.test', '/')
    await world.untilFinished(1)
    expect(world.finished[0]?.host).toBe('site.test')
  })
})
