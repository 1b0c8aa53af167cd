import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { limits, second } from '@slipway/contract/limits'
import type { AuthorizationRequest } from '@slipway/contract/login-provider'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { refusal } from '../../testing/matchers.ts'
import { createProvider, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProvider()
})
afterAll(() => provider.world.close())

describe('POST /api/auth/project/token', () => {
  it('takes the secret by header or form, and answers what nothing may keep', async () => {
    const { member, site, askCode, token, redeem } = provider
    const basic = await token(
      {
        grant_type: 'authorization_code',
        code: (await askCode(member)).token,
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
    expect((await redeem((await askCode(member)).token)).status).toBe(200)
  })

  it('gives an ES256 ID token that the published keys verify', async () => {
    const { world, member, site, askCode, redeem, url } = provider
    const { token: code } = await askCode(member, { nonce: 'n-1', scope: 'openid' })
    const { body } = await redeem(code)
    expect(decodeProtectedHeader(body.id_token)).toMatchObject({ alg: 'ES256' })
    const answer = await fetch(url('/api/auth/project/jwks'))
    const keys = (await answer.json()) as JSONWebKeySet
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
      nonce: 'n-1',
    })
  })

  it('redeems a code once, also at once, and a second use ends the tokens of the first', async () => {
    const { member, askCode, redeem, userInfo } = provider
    const { token: code } = await askCode(member)
    const answers = await Promise.all([redeem(code), redeem(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const first = answers.find(({ status }) => status === 200)
    expect((await userInfo(first?.body.access_token ?? '')).status).toBe(401)

    const { token: another } = await askCode(member)
    const { body } = await redeem(another)
    expect((await userInfo(body.access_token)).status).toBe(200)
    expect((await redeem(another)).body).toMatchObject({ error: 'invalid_grant' })
    expect((await userInfo(body.access_token)).status).toBe(401)
  })

  it('ends a code after 60 seconds', async () => {
    const { world, member, askCode, redeem } = provider
    const { token: code } = await askCode(member)
    world.clock.forward(limits.authorizationCodeLifetime)
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('binds a code to its client, redirect URI and verifier', async () => {
    const { member, site, newSite, askCode, redeem } = provider
    const other = await newSite()
    const verifier = 'v'.repeat(43)
    const challenge = {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    const wrong: [Partial<AuthorizationRequest>, Record<string, string>][] = [
      [{}, { client_id: other.key, client_secret: other.secret }],
      [{}, { redirect_uri: `${site.callback}/` }],
      [{}, { redirect_uri: `${site.origin}/callback?x` }],
      [{}, { code_verifier: verifier }],
      [challenge, {}],
      [challenge, { code_verifier: 'w'.repeat(43) }],
    ]
    for (const [asked, given] of wrong) {
      const { token: code } = await askCode(member, asked)
      expect(await redeem(code, given), JSON.stringify(given)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      })
      // It was spent by the wrong try.
      const right = { ...(asked.code_challenge ? { code_verifier: verifier } : {}) }
      expect((await redeem(code, right)).body.error).toBe('invalid_grant')
    }
    const { token: code } = await askCode(member, challenge)
    expect((await redeem(code, { code_verifier: verifier })).status).toBe(200)
  })

  it('refuses a client it does not know or whose secret is wrong, and leaves the code as it is', async () => {
    const { member, askCode, redeem } = provider
    const { token: code } = await askCode(member)
    const wrongs: Record<string, string>[] = [
      { client_secret: 'wrong' },
      { client_id: 'nothing-bcdfgh' },
      { client_secret: '' },
    ]
    for (const wrong of wrongs) {
      const answer = await redeem(code, wrong)
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      expect(answer.headers.get('www-authenticate')).toContain('Basic')
    }
    expect((await redeem(code)).status).toBe(200)
  })

  it('compares every secret in constant time, also of a client it does not know', async () => {
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
      // Two hashes, so that not even the length of a secret shows.
      expect(compare.mock.calls.map((pair) => pair.map((each) => each.byteLength))).toEqual([
        [32, 32],
      ])
    }
  })

  it('answers malformed requests with invalid_request', async () => {
    const { member, site, askCode, token } = provider
    const { token: code } = await askCode(member)
    const form = { grant_type: 'authorization_code', code, redirect_uri: site.callback }
    const client = { client_id: site.key, client_secret: site.secret }
    const answers = await Promise.all([
      token({ ...client }),
      token({ ...client, grant_type: 'authorization_code', redirect_uri: site.callback }),
      token({ ...client, grant_type: 'authorization_code', code }),
      token(`${new URLSearchParams({ ...form, ...client })}&code=again`),
      token({ ...form, ...client }, { basic: [site.key, site.secret] }),
      token({ ...form, client_id: 'another' }, { basic: [site.key, site.secret] }),
    ])
    expect(answers.map(({ body }) => body.error)).toEqual(answers.map(() => 'invalid_request'))
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

  it('answers invalid_request to a verifier that can be none, and leaves the code as it is', async () => {
    const { member, askCode, redeem } = provider
    for (const verifier of ['a'.repeat(43), 'Z09-._~'.repeat(18)]) {
      const asked = {
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      const { token: code } = await askCode(member, asked)
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

  it('gives nothing to a member who left the team after the code was given', async () => {
    const { newMember, leave, askCode, redeem, userInfo } = provider
    const leaver = await newMember()
    const [redeemedBefore, redeemedAfter] = [await askCode(leaver), await askCode(leaver)]
    const { body } = await redeem(redeemedBefore.token)
    await leave(leaver)
    expect((await redeem(redeemedAfter.token)).body.error).toBe('invalid_grant')
    expect((await userInfo(body.access_token)).status).toBe(401)
    expect(await refusal(askCode(leaver))).toBe('project_not_found')
  })

  it('writes neither code nor secret nor token into the log', async () => {
    const { world, member, site, askCode, redeem } = provider
    const { token: code } = await askCode(member)
    const { body } = await redeem(code)
    await redeem(code)
    const log = world.logged.join('')
    for (const secret of [code, site.secret, body.access_token, body.id_token])
      expect(log).not.toContain(secret)
  })
})
