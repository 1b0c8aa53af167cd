import { request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { healthCheckAgent } from '../health-check-agent.ts'
import { siteCallAddress } from '../site-calls.ts'
import type { FinishedRequest } from './finished-request.ts'
import { startTlsGateway } from './tls/tls.fixture.ts'

const localAddress = siteCallAddress('site')

/** `site.test`, which calls itself, beside `other.test` and the console. */
async function startSites(options: Parameters<typeof startTlsGateway>[0] = {}) {
  const world = await startTlsGateway({
    console: { host: 'console.test', server: new URL('http://127.0.0.1:9') },
    ...options,
  })
  await world.site(({ headers }, response) => void response.end(JSON.stringify(headers)))
  const shared = await world.authority.issue('site.test', 'other.test', 'console.test')
  world.certificates.clear()
  world.routes.set('other.test', { key: 'other', cluster: 'local', state: 'stopped' })
  const { port } = world
  const call = (host: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request({ port, localAddress, agent: false, headers: { host, ...headers } }, (response) =>
        buffer(response).then(
          (bytes) => resolve({ status: response.statusCode, body: bytes.toString() }),
          reject,
        ),
      )
        .on('error', reject)
        .end()
    })
  const serveTls = () => {
    for (const name of ['site.test', 'other.test', 'console.test'])
      world.certificates.set(name, shared)
  }
  return { ...world, call, serveTls }
}

describe('gateway: a site that calls itself', () => {
  it('gets its page, as does a visitor', async () => {
    const { call, getTls, serveTls } = await startSites()
    expect((await call('site.test')).status).toBe(200)
    serveTls()
    expect((await getTls('site.test', '/', { localAddress })).status).toBe(200)
  })

  it.each(['other.test', 'console.test', 'unknown.test'])(
    'does not reach %s from its own address, nor by TLS with a shared certificate',
    async (host) => {
      const { call, getTls, serveTls } = await startSites()
      expect((await call(host)).status).toBe(421)
      serveTls()
      for (const servername of ['site.test', host])
        expect(
          (await getTls(host, '/', { localAddress, servername, rejectUnauthorized: false })).status,
        ).toBe(421)
    },
  )

  it('does not upgrade a connection to another site', async () => {
    const { port } = await startSites()
    const socket = connect({ port, localAddress, host: '127.0.0.1' })
    socket.write('GET / HTTP/1.1\r\nHost: other.test\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 421 /)
  })

  it('forges neither a visitor nor a health check', async () => {
    const finished: FinishedRequest[] = []
    const { call } = await startSites({ onRequest: (each) => finished.push(each) })
    const { body } = await call('site.test', {
      'x-forwarded-for': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
      'x-real-ip': '6.6.6.6',
      'x-forwarded-proto': 'https',
    })
    expect(JSON.parse(body)).toMatchObject({
      'x-forwarded-for': localAddress,
      'x-forwarded-proto': 'http',
    })
    expect(body).not.toContain('6.6.6.6')
    await call('site.test', { 'user-agent': healthCheckAgent })
    await expect
      .poll(() => finished.map(({ address }) => address))
      .toEqual([localAddress, localAddress])
  })

  it('is not kept awake by its own calls', async () => {
    const wakes: string[] = []
    const wake = async ({ key }: { key: string }) => {
      wakes.push(key)
      return 'awake' as const
    }
    const { call, get } = await startSites({ sleep: { wake, leaseMs: 3_600_000 } })
    expect((await call('site.test')).status).toBe(200)
    expect(wakes).toEqual([])
    await get('site.test')
    expect(wakes).toEqual(['site'])
  })
})
