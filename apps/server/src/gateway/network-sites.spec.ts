import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { healthCheckAgent } from '../health-check-agent.ts'
import { freePort } from '../testing/free-port.ts'
import { until } from '../testing/until.ts'
import { openRequest, startGateway } from './gateway.fixture.ts'
import { createReplacementWaits } from './replacement-waits.ts'

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

/** A site at an address that completes no further connection, as one that drops packets. */
async function startSilentSite() {
  const program = `const server = require('net').createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('fs').writeSync(1, String(server.address().port))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const child = spawn(process.execPath, ['--eval', program])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output] = await once(child.stdout, 'data')
  const address = { host: '127.0.0.1', port: Number(output) }
  // The kernel completes as many connections as the backlog allows, and drops the others.
  const waiting = Array.from({ length: 8 }, () => connect(address))
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy()
  })
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')))
  return address
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

  it('gets a 503 while it has no address for too long, and responds as soon as it has one', async () => {
    const world = await startGateway({ replacementMs: 50 })
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    world.addresses.set('site', null)
    expect(await world.raw(upgradeRequest)).toMatch(/^HTTP\/1\.1 503 /)
    expect((await world.get('site.test')).status).toBe(503)
    world.addresses.set('site', await startSite((_, response) => response.end('here')))
    expect((await world.get('site.test')).body).toBe('here')
  })

  it.each([
    ['has ended', async () => ({ host: '127.0.0.1', port: await freePort() })],
    ['has no address', async () => null],
  ])('whose pod %s gets the requests that have waited for the next pod', async (_, addressOf) => {
    const world = await startGateway()
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    world.addresses.set('site', await addressOf())
    const upload = openRequest(world.port, 'POST', '/', { 'content-length': '5' })
    upload.outgoing.end('hello')
    const upgrade = world.raw(upgradeRequest)
    const responses = [world.get('site.test'), upload.response.then(text), upgrade]
    // Longer than a request needs to find that no pod accepts it.
    expect(await Promise.race([...responses, sleep(300, 'waiting')])).toBe('waiting')
    world.addresses.set(
      'site',
      await startSite((request, response) => request.pipe(response, { end: true })),
    )
    expect(await Promise.all(responses)).toMatchObject([
      { status: 200 },
      'hello',
      expect.stringMatching(/^HTTP\/1\.1 101 /),
    ])
  })

  it('gets an upgrade again when its address drops packets', async () => {
    const world = await startGateway()
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    world.addresses.set('site', await startSilentSite())
    const upgrade = world.raw(upgradeRequest)
    // Longer than a connection to this machine takes.
    expect(await Promise.race([upgrade, sleep(300, 'waiting')])).toBe('waiting')
    world.addresses.set('site', await startSite((_, response) => response.end()))
    expect(await upgrade).toMatch(/^HTTP\/1\.1 101 /)
  })

  it('gets a check of an engine on another machine at once or not at all', async () => {
    const world = await startGateway({ replacementMs: 1_000_000 })
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    world.addresses.set('site', null)
    const headers = { 'user-agent': healthCheckAgent, 'x-forwarded-for': '192.0.2.1' }
    expect((await world.get('site.test', '/', headers)).status).toBe(503)
  })

  it('that does not run or is starting lets no request wait', async () => {
    const world = await startGateway()
    world.addresses.set('site', null)
    for (const state of ['starting', 'stopped'] as const) {
      world.routes.set('site.test', { key: 'site', cluster: 'local', state })
      expect((await world.get('site.test')).status).toBe(503)
    }
  })
})

describe('the requests that wait for another pod', () => {
  const site = { key: 'site', cluster: 'local' }
  const begin = (address: { host: string; port: number } | null | { socketPath: string }) =>
    createReplacementWaits({
      addressOf: () =>
        address && 'socketPath' in address ? { ...address, dataFolder: '/data' } : address,
      maxWaitingPerSite: 1,
    })

  it('are limited for each site', async () => {
    const wait = begin({ host: '127.0.0.1', port: 1 })
    const first = wait(site, () => true)()
    expect(await wait(site, () => true)()).toBe(false)
    expect(await wait({ ...site, key: 'other' }, () => true)()).toBe(true)
    expect(await first).toBe(true)
    expect(await wait(site, () => true)()).toBe(true)
  })

  it('are none after a wait in vain, until the address changes', async () => {
    let address: { host: string; port: number } | null = null
    const wait = createReplacementWaits({ addressOf: () => address, timeoutMs: 300 })
    expect(await wait(site, () => true)()).toBe(false)
    const next = wait(site, () => true)
    expect(await Promise.race([next(), setImmediate('waiting')])).toBe(false)
    address = { host: '127.0.0.1', port: 1 }
    expect(await next()).toBe(true)
  })

  it('do not wait for a site on this machine, nor without a visitor', async () => {
    expect(await begin({ socketPath: '/site' })(site, () => true)()).toBe(false)
    expect(await begin(null)(site, () => false)()).toBe(false)
  })
})
