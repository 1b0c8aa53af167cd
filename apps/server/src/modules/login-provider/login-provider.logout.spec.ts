import { hour } from '@slipway/contract/limits'
import { checkLogoutRequest } from '@slipway/contract/login-provider'
import { getSession } from '@slipway/contract/sessions'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorOf } from '../../testing/matchers.ts'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'

let provider: Provider
let idToken: string

beforeAll(async () => {
  provider = await createProviderWorld()
  const { member, requestCode, redeem } = provider
  idToken = (await redeem((await requestCode(member)).token)).body.id_token
})
afterAll(() => provider.world.close())

const check = (body: {
  id_token_hint?: string
  client_id?: string
  post_logout_redirect_uri?: string
}) => provider.world.guest(checkLogoutRequest, { body })

describe(title(checkLogoutRequest), () => {
  it('names the client and its address, by its id or by an ID token, also an expired one', async () => {
    const { world, site } = provider
    const post_logout_redirect_uri = `${site.origin}/bye?x=1`
    const expected = { clientName: 'Example site', redirectUri: post_logout_redirect_uri }
    expect(await check({ client_id: site.key, post_logout_redirect_uri })).toEqual(expected)
    world.clock.forward(2 * hour)
    const hint = { id_token_hint: idToken, post_logout_redirect_uri }
    expect(await check(hint)).toEqual(expected)
    expect(await check({ ...hint, client_id: site.key })).toEqual(expected)
  })

  it('ends no session: the user confirms it', async () => {
    const { member, site } = provider
    await check({ id_token_hint: idToken, post_logout_redirect_uri: site.origin })
    expect(await member.call(getSession)).toEqual({ verified: true })
  })

  it('responds to a request without client and address', async () => {
    expect(await check({})).toEqual({ clientName: null, redirectUri: null })
  })

  it('redirects a customer’s own client to its registered addresses alone', async () => {
    const { site, newClient } = provider
    const bye = `${site.origin}/own/bye`
    const { clientId: client_id, redirectUri } = await newClient({
      logoutRedirectUris: [bye, 'http://localhost/bye'],
    })
    for (const uri of [bye, 'http://localhost:5173/bye'])
      expect((await check({ client_id, post_logout_redirect_uri: uri })).redirectUri).toBe(uri)
    for (const uri of [`${bye}/`, `${bye}?x`, redirectUri, 'http://localhost:5173/other'])
      expect((await errorOf(check({ client_id, post_logout_redirect_uri: uri }))).context).toBe(
        'post_logout_redirect_uri',
      )
  })

  it.each([
    'https://evil.example.com/',
    'javascript:alert(1)',
    'https://shop.example.com@evil.example.com/',
    'https://shop.example.com.evil.example.com/',
    'https://shop.example.com/#x',
    '//shop.example.com/',
  ])('rejects the address %j', async (uri) => {
    const { site } = provider
    for (const client of [{ client_id: site.key }, { id_token_hint: idToken }, {}]) {
      const error = await errorOf(check({ ...client, post_logout_redirect_uri: uri }))
      expect([error.code, error.context]).toEqual(['invalid_params', 'post_logout_redirect_uri'])
    }
  })

  it('rejects an ID token of another issuer, client or key, and a malformed one', async () => {
    const { world, site, newSite } = provider
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const forged = await new SignJWT({ sub: 'x' })
      .setProtectedHeader({ alg: 'ES256', jwk: await exportJWK(publicKey) })
      .setIssuer(world.env.PUBLIC_URL)
      .setAudience(site.key)
      .sign(privateKey)
    const [header, payload] = idToken.split('.')
    const unsignedHeader = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const id_token_hint of [
      '',
      'x',
      forged,
      `${unsignedHeader}.${payload}.`,
      `${header}.${payload}.`,
    ])
      expect((await errorOf(check({ id_token_hint }))).context).toBe('id_token_hint')
    const otherSite = await newSite()
    expect(
      (await errorOf(check({ id_token_hint: idToken, client_id: otherSite.key }))).context,
    ).toBe('client_id')
    expect((await errorOf(check({ client_id: 'nothing-bcdfgh' }))).context).toBe('client_id')
  })
})
