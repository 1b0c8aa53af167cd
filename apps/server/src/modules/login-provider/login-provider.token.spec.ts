import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { second } from '@slipway/contract/limits'
import type { AuthorizationRequest } from '@slipway/contract/login-provider'
import { serviceLimits } from '@slipway/contract/service-limits'
import { logout } from '@slipway/contract/sessions'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

describe('POST /api/auth/project/token', () => {
  it('accepts the secret in the header or the form, and forbids caching', async () => {
    const { member, site, requestCode, token, redeem } = provider
    const basic = await token(
      {
        grant_type: 'authorization_code',
        code: (await requestCode(member)).token,
        redirect_uri: site.callback,
      },
      { basic: [site.key, site.secret] },
    )
    expect(basic.status).toBe(200)
    expect(basic.headers.get('cache-control')).toBe('no-store')
    expect(basic.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid profile email',
    })
    expect((await redeem((await requestCode(member)).token)).status).toBe(200)
  })

  it('issues an ES256 ID token that the published keys verify', async () => {
    const { world, member, site, requestCode, redeem, url } = provider
    const { token: code } = await requestCode(member, { nonce: 'n-1', scope: 'openid' })
    const { body } = await redeem(code)
    expect(decodeProtectedHeader(body.id_token)).toMatchObject({ alg: 'ES256' })
    const response = await fetch(url('/api/auth/project/jwks'))
    const keys = (await response.json()) as JSONWebKeySet
    expect(JSON.stringify(keys)).not.toContain('"d"')
    const { payload } = await jwtVerify(body.id_token, createLocalJWKSet(keys), {
      currentDate: world.clock.now(),
      issuer: world.env.PUBLIC_URL,
      audience: site.key,
    })
    const now = Math.floor(world.clock.now().getTime() / second)
    expect(payload).toEqual({
      iss: world.env.PUBLIC_URL,
      sub: member.id,
      aud: site.key,
      iat: now,
      exp: now + 3600,
      auth_time: now,
      nonce: 'n-1',
    })
  })

  it('issues a customer’s own client an RS256 ID token, unless it chooses ES256', async () => {
    const { world, member, newClient, requestCode, redeem, url } = provider
    const response = await fetch(url('/api/auth/project/jwks'))
    const keys = createLocalJWKSet((await response.json()) as JSONWebKeySet)
    for (const [form, alg] of [
      [{}, 'RS256'],
      [{ algorithm: 'ES256' }, 'ES256'],
    ] as const) {
      const client = await newClient(form)
      const { token: code } = await requestCode(member, client.request)
      const { body } = await redeem(code, client.credentials)
      const { payload, protectedHeader } = await jwtVerify(body.id_token, keys, {
        currentDate: world.clock.now(),
        issuer: world.env.PUBLIC_URL,
        audience: client.clientId,
      })
      expect(protectedHeader.alg).toBe(alg)
      // The same user has the same subject at every client.
      expect(payload.sub).toBe(member.id)
    }
  })

  it('redeems a code once, even concurrently; a second use revokes the tokens', async () => {
    const { member, requestCode, redeem, userInfo } = provider
    const { token: code } = await requestCode(member)
    const responses = await Promise.all([redeem(code), redeem(code)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    const first = responses.find(({ status }) => status === 200)
    expect((await userInfo(first?.body.access_token ?? '')).status).toBe(401)

    const { token: another } = await requestCode(member)
    const { body } = await redeem(another)
    expect((await userInfo(body.access_token)).status).toBe(200)
    expect((await redeem(another)).body).toMatchObject({ error: 'invalid_grant' })
    expect((await userInfo(body.access_token)).status).toBe(401)
  })

  it('rejects a code after 60 seconds', async () => {
    const { world, member, requestCode, redeem } = provider
    const { token: code } = await requestCode(member)
    world.clock.forward(serviceLimits.authorizationCodeLifetime)
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('rejects a code whose session has ended', async () => {
    const { world, newMember, requestCode, redeem } = provider
    const user = await newMember()
    const { sessions, write } = world.ctx
    const otherSession = world.client(await write((tx) => sessions.start(tx, user.id)))
    const { token: code } = await requestCode(user)
    await otherSession(logout)
    expect((await redeem(code)).status).toBe(200)

    const { token: unused } = await requestCode(user)
    await user.call(logout)
    expect(await redeem(unused)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('binds a code to its client, redirect URI and verifier', async () => {
    const { member, site, newSite, requestCode, redeem } = provider
    const otherSite = await newSite()
    const verifier = 'v'.repeat(43)
    const challenge = {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    const wrong: [Partial<AuthorizationRequest>, Record<string, string>][] = [
      [{}, { client_id: otherSite.key, client_secret: otherSite.secret }],
      [{}, { redirect_uri: `${site.callback}/` }],
      [{}, { redirect_uri: `${site.origin}/callback?x` }],
      [{}, { code_verifier: verifier }],
      [challenge, {}],
      [challenge, { code_verifier: 'w'.repeat(43) }],
    ]
    for (const [authorization, redemption] of wrong) {
      const { token: code } = await requestCode(member, authorization)
      expect(await redeem(code, redemption), JSON.stringify(redemption)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      })
      // The wrong attempt has used the code.
      const correct = { ...(authorization.code_challenge ? { code_verifier: verifier } : {}) }
      expect((await redeem(code, correct)).body.error).toBe('invalid_grant')
    }
    const { token: code } = await requestCode(member, challenge)
    expect((await redeem(code, { code_verifier: verifier })).status).toBe(200)
  })

  it('rejects an unknown client and a wrong secret, and leaves the code usable', async () => {
    const { member, requestCode, redeem } = provider
    const { token: code } = await requestCode(member)
    const wrongs: Record<string, string>[] = [
      { client_secret: 'wrong' },
      { client_id: 'nothing-bcdfgh' },
      { client_secret: '' },
    ]
    for (const wrong of wrongs) {
      const response = await redeem(code, wrong)
      expect(response).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      expect(response.headers.get('www-authenticate')).toContain('Basic')
    }
    expect((await redeem(code)).status).toBe(200)
  })

  it('compares secrets in constant time, also for an unknown client', async () => {
    const compare = vi.spyOn(crypto, 'timingSafeEqual')
    syncBuiltinESMExports()
    onTestFinished(() => {
      compare.mockRestore()
      syncBuiltinESMExports()
    })
    const { site, redeem } = provider
    const wrongs: Record<string, string>[] = [
      { client_secret: 'wrong' },
      { client_secret: `${site.secret.slice(0, -1)}-` },
      { client_id: 'nothing-bcdfgh' },
    ]
    for (const wrong of wrongs) {
      compare.mockClear()
      expect((await redeem('no-code', wrong)).status).toBe(401)
      // Hashes are compared, so not even the length of a secret leaks.
      expect(compare.mock.calls.map((pair) => pair.map((each) => each.byteLength))).toEqual([
        [32, 32],
      ])
    }
  })

  it('returns invalid_request for malformed requests', async () => {
    const { member, site, requestCode, token } = provider
    const { token: code } = await requestCode(member)
    const form = { grant_type: 'authorization_code', code, redirect_uri: site.callback }
    const client = { client_id: site.key, client_secret: site.secret }
    const responses = await Promise.all([
      token({ ...client }),
      token({ ...client, grant_type: 'authorization_code', redirect_uri: site.callback }),
      token({ ...client, grant_type: 'authorization_code', code }),
      token(`${new URLSearchParams({ ...form, ...client })}&code=again`),
      token({ ...form, ...client }, { basic: [site.key, site.secret] }),
      token({ ...form, client_id: 'another' }, { basic: [site.key, site.secret] }),
    ])
    expect(responses.map(({ body }) => body.error)).toEqual(responses.map(() => 'invalid_request'))
    const grant = await token({ ...form, ...client, grant_type: 'password' })
    expect(grant.body.error).toBe('unsupported_grant_type')
    for (const type of ['application/json', 'text/plain', 'application/xml'])
      expect((await token(JSON.stringify({ ...form, ...client }), { type })).body.error).toBe(
        'invalid_request',
      )
    expect((await token({ ...form, ...client, client_id: 'a\u0000' })).body.error).toBe(
      'invalid_client',
    )
    expect((await token({ ...form, ...client, code: 'x'.repeat(70_000) })).body.error).toBe(
      'invalid_request',
    )
    expect((await token(form, { basic: ['%', 'x'] })).body.error).toBe('invalid_client')
    expect((await token({ ...form }, {})).body.error).toBe('invalid_client')
  })

  it('returns invalid_request for a malformed verifier and leaves the code usable', async () => {
    const { member, requestCode, redeem } = provider
    for (const verifier of ['a'.repeat(43), 'Z09-._~'.repeat(18)]) {
      const challenge = {
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      const { token: code } = await requestCode(member, challenge)
      for (const malformed of [
        '',
        'a'.repeat(42),
        'a'.repeat(129),
        `${'a'.repeat(43)} `,
        'é'.repeat(43),
      ])
        expect(await redeem(code, { code_verifier: malformed })).toMatchObject({
          status: 400,
          body: { error: 'invalid_request' },
        })
      expect((await redeem(code, { code_verifier: verifier })).status).toBe(200)
    }
  })

  it('rejects a member who left the team after the code was issued', async () => {
    const { newMember, removeFromTeam, requestCode, redeem, userInfo } = provider
    const leaver = await newMember()
    const [redeemedBefore, redeemedAfter] = [await requestCode(leaver), await requestCode(leaver)]
    const { body } = await redeem(redeemedBefore.token)
    await removeFromTeam(leaver)
    expect((await redeem(redeemedAfter.token)).body.error).toBe('invalid_grant')
    expect((await userInfo(body.access_token)).status).toBe(401)
    expect(await errorCodeOf(requestCode(leaver))).toBe('project_not_found')
  })

  it('logs neither code nor secret nor token', async () => {
    const { world, member, site, requestCode, redeem } = provider
    const { token: code } = await requestCode(member)
    const { body } = await redeem(code)
    await redeem(code)
    const log = world.logged.join('')
    for (const secret of [code, site.secret, body.access_token, body.id_token])
      expect(log).not.toContain(secret)
  })
})
