import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { until } from '../testing/until.ts'
import { type GatewayWorld, openRequest, startGateway } from './gateway.fixture.ts'
import type { LeaseOptions, WakeResult } from './leases.ts'
import type { Site } from './pools.ts'

const hour = 3_600_000

/** A gateway to `site.test`, which sleeps until `wake` is called. */
async function sleepingSite(
  listener: RequestListener,
  options: Partial<LeaseOptions> = {},
): Promise<GatewayWorld & { wakes: string[] }> {
  const wakes: string[] = []
  const wake = async ({ key }: Site): Promise<WakeResult> => {
    wakes.push(key)
    if (wakes.length === 1) await world.site(listener)
    return 'awake'
  }
  const world = await startGateway({ sleep: { wake, leaseMs: hour, ...options } })
  world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
  return { ...world, wakes }
}

const echo: RequestListener = (request, response) => void request.pipe(response)

describe('gateway: a site that sleeps', () => {
  it('is woken by a request, whose body arrives whole', async () => {
    const { port, wakes } = await sleepingSite(echo)
    const body = Buffer.alloc(3_000_000, 'body')
    const { outgoing, response } = openRequest(port, 'POST', '/')
    outgoing.end(body)
    const received = await response
    expect(received.statusCode).toBe(200)
    expect(Buffer.concat(await received.toArray()).equals(body)).toBe(true)
    expect(wakes).toEqual(['site'])
  })

  it('is woken once by many requests at once, and not again within its lease', async () => {
    const { get, wakes } = await sleepingSite(echo)
    const responses = await Promise.all(Array.from({ length: 50 }, () => get('site.test')))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await get('site.test')).status).toBe(200)
    expect(wakes).toEqual(['site'])
  })

  it('is woken within its lease if its engine has put it to sleep meanwhile', async () => {
    let isAsleep = false
    const { get, wakes } = await sleepingSite(echo, { isAsleep: () => isAsleep })
    expect((await get('site.test')).status).toBe(200)
    isAsleep = true
    expect((await get('site.test')).status).toBe(200)
    expect(wakes).toEqual(['site', 'site'])
  })

  it('is woken by an upgrade', async () => {
    const { raw } = await sleepingSite((_request, response) => response.writeHead(426).end())
    const response = await raw(
      'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(response).toContain('HTTP/1.1 426 Upgrade Required')
  })

  it('shows a page when it does not wake, and is woken again by the next request', async () => {
    const results: WakeResult[] = ['not_running', 'awake']
    const { get, site } = await startGateway({
      sleep: { wake: async () => results.shift() ?? 'awake', leaseMs: hour },
    }).then((world) => {
      world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
      return world
    })
    const failed = await get('site.test')
    expect([failed.status, failed.headers['retry-after']]).toEqual([503, '2'])
    await site(echo)
    expect((await get('site.test')).status).toBe(200)
  })

  it('is requested anyway when the engine does not say whether it sleeps', async () => {
    const world = await startGateway({
      sleep: { wake: async () => 'unknown', leaseMs: hour },
    })
    await world.site(echo)
    expect((await world.get('site.test')).status).toBe(200)
  })

  it('limits how many requests wait and how long, and logs one line for those that it rejects', async () => {
    const options = { wake: () => new Promise<never>(() => undefined), leaseMs: hour }
    const world = await startGateway({ sleep: { ...options, timeoutMs: 1_000, maxWaiting: 2 } })
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => world.get('site.test')))
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect(responses[0]?.body).toContain('This site is starting')
    const overloadLines = world.lines.filter(({ message }) =>
      message.includes('Too many requests wait'),
    )
    expect(overloadLines).toHaveLength(1)
  })

  it('shows that it was stopped while a request waited', async () => {
    const world: GatewayWorld = await startGateway({
      sleep: {
        leaseMs: hour,
        wake: async () => {
          world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'stopped' })
          return 'not_running'
        },
      },
    })
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    expect((await world.get('site.test')).body).toContain('This site is offline')
  })

  it('does not get the request of a visitor who has left', async () => {
    let wakes = 0
    let woken = () => {}
    const ended: unknown[] = []
    const requests: (string | undefined)[] = []
    const world = await startGateway({
      sleep: {
        leaseMs: hour,
        wake: () =>
          new Promise((resolve) => {
            wakes++
            woken = () => resolve('awake')
          }),
      },
      onRequest: (request) => ended.push(request),
    })
    world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
    await world.site((request, response) => {
      requests.push(request.url)
      response.end()
    })
    const leaving = openRequest(world.port, 'GET', '/left')
    leaving.response.catch(() => undefined)
    leaving.outgoing.end()
    await until(() => wakes === 1)
    leaving.outgoing.destroy()
    await until(() => ended.length === 1)
    const staying = world.get('site.test', '/stayed')
    woken()
    await staying
    expect(requests).toEqual(['/stayed'])
  })
})

describe('gateway: the lease of a site', () => {
  it('is valid for one cluster', async () => {
    const woken: Site[] = []
    const world = await startGateway({
      sleep: {
        wake: async (site) => {
          woken.push(site)
          return 'awake'
        },
        leaseMs: hour,
      },
    })
    await world.site(echo)
    for (const cluster of ['near', 'near', 'far', 'far']) {
      world.routes.set('site.test', { key: 'site', cluster, state: 'ready' })
      expect((await world.get('site.test')).status).toBe(200)
    }
    expect(woken).toEqual([
      { key: 'site', cluster: 'near' },
      { key: 'site', cluster: 'far' },
    ])
  })

  it('is requested in the new cluster when the site moves while a request waits', async () => {
    const woken: string[] = []
    const world: GatewayWorld = await startGateway({
      sleep: {
        wake: async ({ cluster }) => {
          woken.push(cluster)
          world.routes.set('site.test', { key: 'site', cluster: 'far', state: 'ready' })
          return cluster === 'far' ? 'awake' : 'not_running'
        },
        leaseMs: hour,
      },
    })
    await world.site(echo)
    world.routes.set('site.test', { key: 'site', cluster: 'near', state: 'ready' })
    expect((await world.get('site.test')).status).toBe(200)
    expect(woken).toEqual(['near', 'far'])
  })

  it('is renewed while a connection is open', async () => {
    const { port, wakes } = await sleepingSite(
      (_request, response) => void response.writeHead(200).flushHeaders(),
      { leaseMs: 40 },
    )
    const { outgoing, response } = openRequest(port, 'GET', '/events')
    outgoing.end()
    expect((await response).statusCode).toBe(200)
    await until(() => wakes.length >= 4)
    ;(await response).destroy()
  })
})
