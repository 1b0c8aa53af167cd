import { hour } from '@slipway/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

async function signIn() {
  const { member, requestCode, redeem } = provider
  const { token: code } = await requestCode(member, { scope: 'openid email offline_access' })
  return (await redeem(code)).body
}

const siteCredentials = () => ({
  client_id: provider.site.key,
  client_secret: provider.site.secret,
})

const call = (
  endpoint: 'introspect' | 'revoke',
  token: string,
  credentials: Record<string, string> = siteCredentials(),
) => provider.post(endpoint, { ...credentials, token })

const refresh = (token: string) =>
  provider.token({ ...siteCredentials(), grant_type: 'refresh_token', refresh_token: token })

describe('POST /api/auth/project/introspect', () => {
  it('describes an access token and a refresh token of the client', async () => {
    const { world, member, site } = provider
    const { access_token, refresh_token } = await signIn()
    const common = {
      active: true,
      scope: 'openid email offline_access',
      client_id: site.key,
      username: member.username,
      sub: member.id,
      iss: world.env.PUBLIC_URL,
      aud: site.key,
    }
    const access = await call('introspect', access_token)
    expect(access.headers.get('cache-control')).toBe('no-store')
    expect(access.body).toMatchObject({ ...common, token_type: 'Bearer' })
    expect((await call('introspect', refresh_token)).body).toMatchObject(common)
  })

  it('reveals nothing about another client’s token, nor about a token that has ended', async () => {
    const { world, newClient, newSite, removeFromTeam, owner, member } = provider
    const { access_token, refresh_token } = await signIn()
    const site = await newSite()
    const customerClient = await newClient()
    for (const credentials of [
      { client_id: site.key, client_secret: site.secret },
      { client_id: customerClient.clientId, client_secret: customerClient.secret },
    ])
      for (const token of [access_token, refresh_token])
        expect((await call('introspect', token, credentials)).body).toEqual({ active: false })
    expect((await call('introspect', 'unknown')).body).toEqual({ active: false })
    expect((await call('introspect', member.token)).body).toEqual({ active: false })
    await removeFromTeam(member)
    expect((await call('introspect', access_token)).body).toEqual({ active: false })
    await world.join(member, owner.teamId)
    await refresh(refresh_token)
    expect((await call('introspect', refresh_token)).body).toEqual({ active: false })
    world.clock.forward(hour)
    expect((await call('introspect', access_token)).body).toEqual({ active: false })
  })

  it('needs a client that authenticates, in one way', async () => {
    const { newClient, post, site } = provider
    const { access_token } = await signIn()
    const { clientId } = await newClient({ isPublic: true })
    for (const credentials of [
      { client_id: site.key },
      { client_id: site.key, client_secret: 'wrong' },
      { client_id: clientId },
      {},
    ])
      expect(await call('introspect', access_token, credentials as never)).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      })
    const twice = await post(
      'introspect',
      { ...siteCredentials(), token: access_token },
      {
        basic: [site.key, site.secret],
      },
    )
    expect(twice.body.error).toBe('invalid_request')
    expect((await post('introspect', siteCredentials())).body.error).toBe('invalid_request')
  })
})

describe('POST /api/auth/project/revoke', () => {
  it('ends an access token alone, and a refresh token with its grant', async () => {
    const { userInfo } = provider
    const first = await signIn()
    expect((await call('revoke', first.access_token)).status).toBe(200)
    expect((await userInfo(first.access_token)).status).toBe(401)
    const second = (await refresh(first.refresh_token)).body
    expect((await call('revoke', second.refresh_token)).status).toBe(200)
    expect((await userInfo(second.access_token)).status).toBe(401)
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
    // RFC 7009 §2.2: an unknown token has ended already.
    expect((await call('revoke', second.refresh_token)).status).toBe(200)
  })

  it('does not revoke another client’s token', async () => {
    const { newClient, userInfo } = provider
    const { access_token, refresh_token } = await signIn()
    const customerClient = await newClient()
    const credentials = { client_id: customerClient.clientId, client_secret: customerClient.secret }
    for (const token of [access_token, refresh_token])
      expect(await call('revoke', token, credentials)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      })
    expect((await userInfo(access_token)).status).toBe(200)
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('needs the client to authenticate', async () => {
    const { site, userInfo } = provider
    const { access_token } = await signIn()
    for (const client_secret of ['', 'wrong'])
      expect(
        (await call('revoke', access_token, { client_id: site.key, client_secret })).status,
      ).toBe(401)
    expect((await userInfo(access_token)).status).toBe(200)
  })
})
