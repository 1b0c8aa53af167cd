import { getProfile } from '@slipway/contract/account'
import { hour } from '@slipway/contract/limits'
import { deleteProject } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

describe('GET /api/auth/project/userinfo', () => {
  it('returns the claims of the scope, for an hour', async () => {
    const { world, member, requestCode, redeem, userInfo } = provider
    const { token: code } = await requestCode(member, { scope: 'openid email unheard-of' })
    const { body } = await redeem(code)
    expect(body.scope).toBe('openid email')
    expect(await (await userInfo(body.access_token)).json()).toEqual({
      sub: member.id,
      email: member.email,
      email_verified: true,
    })
    world.clock.forward(hour)
    const expired = await userInfo(body.access_token)
    expect(expired.status).toBe(401)
    expect(expired.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('accepts the token in a form, and never in two ways', async () => {
    const { member, url, requestCode, redeem } = provider
    const { body } = await redeem((await requestCode(member)).token)
    const post = (headers: Record<string, string>) =>
      fetch(url('/api/auth/project/userinfo'), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ access_token: body.access_token }).toString(),
      })
    expect(await (await post({})).json()).toMatchObject({ sub: member.id })
    const twice = await post({ authorization: `Bearer ${body.access_token}` })
    expect(twice.status).toBe(400)
  })

  it('rejects a user who left the team, until they are back', async () => {
    const { world, owner, newMember, removeFromTeam, requestCode, redeem, userInfo } = provider
    const user = await newMember()
    const { body } = await redeem((await requestCode(user)).token)
    expect((await userInfo(body.access_token)).status).toBe(200)
    await removeFromTeam(user)
    const response = await userInfo(body.access_token)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await response.text()).not.toContain(user.email)
    await world.join(user, owner.teamId)
    expect((await userInfo(body.access_token)).status).toBe(200)
  })

  it('rejects a token of a deleted project', async () => {
    const { owner, member, newSite, requestCode, redeem, userInfo } = provider
    const { id, key: client_id, secret: client_secret, callback: redirect_uri } = await newSite()
    const { token: code } = await requestCode(member, { client_id, redirect_uri })
    const { body } = await redeem(code, { client_id, client_secret, redirect_uri })
    expect((await userInfo(body.access_token)).status).toBe(200)
    await owner.call(deleteProject, { params: { id } })
    expect((await userInfo(body.access_token)).status).toBe(401)
  })

  it('accepts no token of a site for the API', async () => {
    const { world, member, requestCode, redeem } = provider
    const { body } = await redeem((await requestCode(member)).token)
    for (const each of [body.access_token, body.id_token])
      expect(await errorCodeOf(world.client(each)(getProfile))).toBe('unauthorized')
  })

  it('rejects a request without a token and a session token of the API', async () => {
    const { member, url, userInfo } = provider
    const withoutToken = await fetch(url('/api/auth/project/userinfo'))
    expect([withoutToken.status, withoutToken.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="Slipway"',
    ])
    expect((await userInfo(member.token)).status).toBe(401)
  })
})
