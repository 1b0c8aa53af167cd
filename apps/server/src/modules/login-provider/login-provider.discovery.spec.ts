import { day } from '@slipway/contract/limits'
import { signingAlgorithms } from '@slipway/contract/sign-in-clients'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Context } from '../../context.ts'
import { createWorld } from '../../testing/world.ts'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'
import { signingKey } from './login-provider.keys.ts'
import * as loginProvider from './login-provider.service.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

describe('GET /.well-known/openid-configuration', () => {
  it('names the console page as the authorization endpoint and the service as issuer', async () => {
    const { world, url } = provider
    const metadata = await (await fetch(url('/.well-known/openid-configuration'))).json()
    const forOAuth = await fetch(url('/.well-known/oauth-authorization-server'))
    expect(await forOAuth.json()).toEqual(metadata)
    expect(metadata).toMatchObject({
      issuer: world.env.PUBLIC_URL,
      authorization_endpoint: url('/auth/code'),
      token_endpoint: url('/api/auth/project/token'),
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      end_session_endpoint: url('/auth/end-session'),
      revocation_endpoint: url('/api/auth/project/revoke'),
      introspection_endpoint: url('/api/auth/project/introspect'),
    })
  })
})

describe.each(signingAlgorithms)('the signing keys of %s', (algorithm) => {
  const keysOf = async (ctx: Context) =>
    (await loginProvider.publicKeys(ctx)).keys.flatMap(({ alg, kid }) =>
      alg === algorithm ? [kid] : [],
    )

  it('sign from a day after they are published, and stay published a day after they last sign', async () => {
    const provider = await createProviderWorld()
    onTestFinished(() => provider.world.close())
    const { world, newClient, newMember, requestCode, redeem } = provider
    const published = () => keysOf(world.ctx)
    const client = await newClient({ algorithm })
    const signer = async () => {
      // A new user each time, because sessions expire while the clock moves.
      const { token: code } = await requestCode(await newMember(), client.request)
      const { body } = await redeem(code, client.credentials)
      return decodeProtectedHeader(body.id_token).kid
    }
    const [first] = await published()
    expect(await signer()).toBe(first)
    world.clock.forward(30 * day - 1)
    expect(await published()).toEqual([first])

    world.clock.forward(1)
    await loginProvider.rotateKeysAndRemoveExpired(world.ctx)
    const [second, ...older] = await published()
    expect(older).toEqual([first])
    expect(await signer()).toBe(first)
    world.clock.forward(day - 1)
    expect(await signer()).toBe(first)
    world.clock.forward(1)
    expect(await signer()).toBe(second)

    world.clock.forward(day - 1)
    await loginProvider.rotateKeysAndRemoveExpired(world.ctx)
    expect(await published()).toEqual([second, first])
    world.clock.forward(1)
    await loginProvider.rotateKeysAndRemoveExpired(world.ctx)
    expect(await published()).toEqual([second])
    expect(await signer()).toBe(second)
  })

  it('rotate on use when the job did not run in time', async () => {
    const otherWorld = await createWorld()
    const published = () => keysOf(otherWorld.ctx)
    const [first] = await published()
    otherWorld.clock.forward(365 * day)
    const [second, ...older] = await published()
    expect(older).toEqual([first])
    expect((await signingKey(otherWorld.ctx, algorithm)).kid).toBe(first)
    otherWorld.clock.forward(day)
    expect((await signingKey(otherWorld.ctx, algorithm)).kid).toBe(second)
    await otherWorld.close()
  })

  it('are created once by concurrent servers', async () => {
    const otherWorld = await createWorld()
    const apps = [otherWorld.app, await otherWorld.anotherApp(), await otherWorld.anotherApp()]
    const sets = await Promise.all(apps.map(({ ctx }) => loginProvider.publicKeys(ctx)))
    expect(new Set(sets.map(({ keys }) => keys.map((key) => key.kid).join())).size).toBe(1)
    await otherWorld.close()
  })
})

describe('the rate limit', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it('applies to each site before it applies to the address that all sites share', async () => {
    const app = await provider.world.anotherServer({ RATE_LIMIT: 2 })
    const redeem = async (client: string) =>
      (
        await app.inject({
          url: '/api/auth/project/token',
          method: 'POST',
          headers: form,
          payload: `grant_type=authorization_code&client_id=${client}&client_secret=x&code=x&redirect_uri=x`,
        })
      ).statusCode
    for (let times = 0; times < 30; times++)
      expect(await redeem('busy')).toBe(times < 2 ? 401 : 429)
    expect(await redeem('other')).toBe(401)
  })

  it.each([
    ['GET', '/.well-known/openid-configuration', 200],
    ['GET', '/.well-known/oauth-authorization-server', 200],
    ['GET', '/api/auth/project/jwks', 200],
    ['POST', '/api/auth/project/token', 401],
    ['POST', '/api/auth/project/introspect', 401],
    ['POST', '/api/auth/project/revoke', 401],
    ['GET', '/api/auth/project/userinfo', 401],
  ] as const)('limits the requests of an address: %s %s', async (method, url, status) => {
    const app = await provider.world.anotherServer({ RATE_LIMIT: 1 })
    const statuses: number[] = []
    for (let times = 0; times < 11; times++) {
      const payload = `grant_type=authorization_code&client_id=site-${times}&client_secret=x&code=x&redirect_uri=x&token=x`
      const authorization = { authorization: `Bearer ${times}` }
      const { statusCode } = await app.inject({
        method,
        url,
        ...(method === 'POST' ? { headers: form, payload } : {}),
        ...(url.endsWith('userinfo') ? { headers: authorization } : {}),
      })
      statuses.push(statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => status), 429])
  })
})

describe('the start of the server', () => {
  it('warns when the console uses https and the sites do not', async () => {
    const { world } = provider
    const warnings = () =>
      world.logged.filter((line) => line.includes('authorization codes unencrypted'))
    const [PUBLIC_URL, sites] = ['https://console.example.com', '://sites.example.com']
    await world.anotherApp({ PUBLIC_URL, SITES_URL: `https${sites}` })
    expect(warnings()).toEqual([])
    await world.anotherApp({ PUBLIC_URL, SITES_URL: `http${sites}` })
    expect(warnings()).toHaveLength(1)
  })
})

describe('GET /api/auth/project/jwks', () => {
  it('may be cached for five minutes, except an error', async () => {
    const { world, url } = provider
    const caching = async () => {
      const response = await fetch(url('/api/auth/project/jwks'))
      return [response.status, response.headers.get('cache-control')]
    }
    expect(await caching()).toEqual([200, 'public, max-age=300'])
    await world.ctx.db.execute('alter table signing_keys rename to away')
    expect(await caching()).toEqual([500, 'no-store'])
    await world.ctx.db.execute('alter table away rename to signing_keys')
  })
})
