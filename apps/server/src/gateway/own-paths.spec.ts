import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SiteRoute } from './exchange.ts'
import { type GatewayWorld, startGateway } from './gateway.fixture.ts'
import { reachPath, reachProof } from './reach.ts'
import { startTlsGateway } from './tls/tls.fixture.ts'

const token = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'
const challenge = `/.well-known/acme-challenge/${token}`
const reachKey = randomBytes(32)

/** Challenges in memory instead of in PostgreSQL, by host and token. */
function ownPaths(find: (host: string, token: string) => Promise<string | null>) {
  return { ownPaths: { challenges: { find }, reachKey } }
}
const pathsOfToken = ownPaths(async (host, requestedToken) =>
  host === 'new.test' && requestedToken === token ? `${token}.thumbprint` : null,
)

/** Gives the site a name of its owner. */
const addDomain = ({ routes }: GatewayWorld) =>
  routes.set('shop.example', routes.get('site.test') as SiteRoute)

describe('gateway: a challenge of a certificate authority', () => {
  it('works at a name without a site, over http and https', async () => {
    const world = await startTlsGateway(pathsOfToken)
    world.certificates.set('new.test', await world.authority.issue('new.test'))
    for (const response of [
      await world.get('NEW.test', challenge),
      await world.getTls('new.test', challenge),
    ])
      expect([response.status, response.body]).toEqual([200, `${token}.thumbprint`])
  })

  it('is forwarded to the site without an open order, as is a path that only resembles a challenge', async () => {
    const world = await startGateway(pathsOfToken)
    await world.site((request, response) => response.end(request.url))
    addDomain(world)
    for (const path of [
      challenge,
      `${challenge}/more`,
      '/.well-known/acme-challenge/',
      '/.well-known/acme-challenge/../../etc/passwd',
      `/.well-known/acme-challenge/${'a'.repeat(600)}`,
      '/.well-known/security.txt',
    ])
      expect(
        await world.raw(`GET ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`),
      ).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  it('is not redirected to https when the site has to respond', async () => {
    const world = await startTlsGateway(pathsOfToken)
    await world.site((_request, response) => response.end('of the site'))
    addDomain(world)
    world.certificates.set('shop.example', await world.authority.issue('shop.example'))
    expect((await world.get('shop.example', challenge)).body).toBe('of the site')
  })

  it.each([challenge, '/.well-known/acme-challenge/short'])(
    'never reaches a site at a name of the service, or the site could get its certificate: %s',
    async (path) => {
      const world = await startGateway(pathsOfToken)
      await world.site((_request, response) => response.end('of the site'))
      for (const method of ['GET', 'POST']) {
        const request = `${method} ${path} HTTP/1.1\r\nHost: Site.test.:80\r\nConnection: close\r\n\r\n`
        expect(await world.raw(request)).toMatch(/^HTTP\/1\.1 404/)
      }
    },
  )

  it('is a 503 response while the database does not respond', async () => {
    const world = await startGateway(ownPaths(() => Promise.reject(new Error('no database'))))
    await world.site((_request, response) => response.end('of the site'))
    expect((await world.get('site.test', challenge)).status).toBe(503)
    expect((await world.get('site.test')).body).toBe('of the site')
  })
})

describe('gateway: whether a name leads here', () => {
  it('is proven by a response that only a gateway of this service knows', async () => {
    const world = await startGateway(pathsOfToken)
    const path = `${reachPath}${'0'.repeat(32)}`
    const proof = reachProof(reachKey, 'new.test', '0'.repeat(32))
    const { status, body } = await world.get('New.test.:80', path)
    expect([status, body]).toEqual([200, proof])
    expect((await world.get('other.test', path)).body).not.toBe(proof)
    expect(reachProof(randomBytes(32), 'new.test', '0'.repeat(32))).not.toBe(proof)
  })

  it('works over http at a name with a certificate', async () => {
    const world = await startTlsGateway(pathsOfToken)
    expect((await world.get('site.test', `${reachPath}${'0'.repeat(32)}`)).status).toBe(200)
  })
})
