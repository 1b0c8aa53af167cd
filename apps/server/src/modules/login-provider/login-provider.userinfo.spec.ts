import { getProfile } from '@slipway/contract/account'
import { hour } from '@slipway/contract/limits'
import { deleteProject } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../testing/matchers.ts'
import { createProvider, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProvider()
})
afterAll(() => provider.world.close())

describe('GET /api/auth/project/userinfo', () => {
  it('tells what the scope allows, for an hour', async () => {
    const { world, member, askCode, redeem, userInfo } = provider
    const { token: code } = await askCode(member, { scope: 'openid email unheard-of' })
    const { body } = await redeem(code)
    expect(body.scope).toBe('openid email')
    expect(await (await userInfo(body.access_token)).json()).toEqual({
      sub: member.id,
      email: member.email,
      email_verified: true,
    })
    world.clock.forward(hour)
    const ended = await userInfo(body.access_token)
    expect(ended.status).toBe(401)
    expect(ended.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('tells nothing any more once the user has left the team, and again once they are back', async () => {
    const { world, owner, newMember, leave, askCode, redeem, userInfo } = provider
    const person = await newMember()
    const { body } = await redeem((await askCode(person)).token)
    expect((await userInfo(body.access_token)).status).toBe(200)
    await leave(person)
    const answer = await userInfo(body.access_token)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await answer.text()).not.toContain(person.email)
    await world.join(person, owner.teamId)
    expect((await userInfo(body.access_token)).status).toBe(200)
  })

  it('tells nothing any more once the project is deleted', async () => {
    const { owner, member, newSite, askCode, redeem, userInfo } = provider
    const { id, key: client_id, secret: client_secret, callback: redirect_uri } = await newSite()
    const { token: code } = await askCode(member, { client_id, redirect_uri })
    const { body } = await redeem(code, { client_id, client_secret, redirect_uri })
    expect((await userInfo(body.access_token)).status).toBe(200)
    await owner.call(deleteProject, { params: { id } })
    expect((await userInfo(body.access_token)).status).toBe(401)
  })

  it('is no door to the API: neither token of a site is a session', async () => {
    const { world, member, askCode, redeem } = provider
    const { body } = await redeem((await askCode(member)).token)
    for (const each of [body.access_token, body.id_token])
      expect(await refusal(world.client(each)(getProfile))).toBe('unauthorized')
  })

  it('tells nothing without a token, and does not take one of the API', async () => {
    const { member, url, userInfo } = provider
    const none = await fetch(url('/api/auth/project/userinfo'))
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="Slipway"',
    ])
    expect((await userInfo(member.token)).status).toBe(401)
  })
})
