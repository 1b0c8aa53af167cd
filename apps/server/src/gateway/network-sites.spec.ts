import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../testing/until.ts'
import { startGateway } from './gateway.fixture.ts'

/** A site that listens on the network, closed after the test. */
async function startSite(listener: RequestListener) {
  const server = createServer(listener)
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

const upgradeRequest =
  'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n'

describe('gateway: a site on the network', () => {
  it('gets requests and upgrades at its host and port', async () => {
    const world = await startGateway()
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    world.addresses.set(
      'site',
      await startSite((request, response) => response.end(request.headers.host)),
    )
    expect(await world.get('site.test')).toMatchObject({ status: 200, body: 'site.test' })
    expect(await world.raw(upgradeRequest)).toMatch(/^HTTP\/1\.1 101 /)
  })

  it('gets requests at its new address after it has moved', async () => {
    const world = await startGateway()
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    world.addresses.set('site', await startSite((_, response) => response.end('first')))
    expect((await world.get('site.test')).body).toBe('first')
    world.addresses.set('site', await startSite((_, response) => response.end('second')))
    await until(async () => (await world.get('site.test')).body === 'second')
  })

  it('gets no request in its former cluster once its route names another', async () => {
    const world = await startGateway()
    const routeTo = (cluster: string) =>
      world.routes.set('site.test', { key: 'site', cluster, state: 'ready' })
    for (const cluster of ['near', 'far'])
      world.addresses.set(
        `${cluster}/site`,
        await startSite((_, response) => response.end(cluster)),
      )
    for (const cluster of ['near', 'far', 'near']) {
      routeTo(cluster)
      const responses = await Promise.all([1, 2, 3].map(() => world.get('site.test')))
      expect(responses.map(({ body }) => body)).toEqual([cluster, cluster, cluster])
    }
  })

  it('gets a 503 while it has no address, and responds as soon as it has one', async () => {
    const world = await startGateway()
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    world.addresses.set('site', null)
    expect((await world.get('site.test')).status).toBe(503)
    expect(await world.raw(upgradeRequest)).toMatch(/^HTTP\/1\.1 503 /)
    world.addresses.set('site', await startSite((_, response) => response.end('here')))
    expect((await world.get('site.test')).body).toBe('here')
  })
})
