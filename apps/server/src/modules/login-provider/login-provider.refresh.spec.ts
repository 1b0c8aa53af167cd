import { changePassword } from '@slipway/contract/account-security'
import { forgotPassword, resetPassword } from '@slipway/contract/auth'
import { day, hour } from '@slipway/contract/limits'
import { deleteProject } from '@slipway/contract/projects'
import { deleteSignInClient } from '@slipway/contract/sign-in-clients'
import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import type { TestUser } from '../../testing/world.ts'
import { mailedToken } from '../auth/auth.fixture.ts'
import { projects } from '../projects/projects.schema.ts'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'
import { accessTokens, offlineGrants, refreshTokens } from './login-provider.schema.ts'
import { rotateKeysAndRemoveExpired } from './login-provider.service.ts'
import { endGrants } from './login-provider.tokens.service.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

const scope = 'openid profile email offline_access'

/** Signs a user in to the site with `offline_access`. */
async function signIn(user: TestUser = provider.member) {
  const { requestCode, redeem } = provider
  const { token: code } = await requestCode(user, { scope, nonce: 'n' })
  return { code, ...(await redeem(code)).body }
}

const refresh = (token: string, parameters: Record<string, string> = {}) =>
  provider.token({
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: provider.site.key,
    client_secret: provider.site.secret,
    ...parameters,
  })

const isAccepted = async (accessToken: string) =>
  (await provider.userInfo(accessToken)).status === 200

describe('POST /api/auth/project/token with a refresh token', () => {
  it('issues a refresh token only if the scope has offline_access', async () => {
    const { member, requestCode, redeem } = provider
    expect((await redeem((await requestCode(member)).token)).body).not.toHaveProperty(
      'refresh_token',
    )
    expect((await signIn()).refresh_token).toMatch(/^[\w-]{43}$/)
  })

  it('issues new tokens of the same user, scope and login, without a nonce', async () => {
    const { world } = provider
    const first = await signIn()
    world.clock.forward(2 * hour)
    const { status, headers, body } = await refresh(first.refresh_token)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body.scope).toBe(scope)
    expect(body.refresh_token).not.toBe(first.refresh_token)
    expect(await isAccepted(body.access_token)).toBe(true)
    const [before, after] = [decodeJwt(first.id_token), decodeJwt(body.id_token)]
    for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'email'])
      expect(after[claim]).toEqual(before[claim])
    expect(after).not.toHaveProperty('nonce')
  })

  it('narrows the scope of the tokens, never of the grant, and never widens it', async () => {
    const first = await signIn()
    const narrow = await refresh(first.refresh_token, { scope: 'openid' })
    expect(decodeJwt(narrow.body.id_token)).not.toHaveProperty('email')
    expect(narrow.body.scope).toBe('openid')
    const wide = await refresh(narrow.body.refresh_token, { scope: 'openid admin' })
    expect(wide).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect((await refresh(narrow.body.refresh_token)).body.scope).toBe(scope)
  })

  it('ends every token of the grant when a used refresh token is sent again', async () => {
    const first = await signIn()
    const second = (await refresh(first.refresh_token)).body
    const reused = await refresh(first.refresh_token)
    expect(reused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isAccepted(second.access_token)).toBe(false)
    expect(await isAccepted(first.access_token)).toBe(false)
    expect(provider.world.logged.join('')).toContain('refresh_token_reused')
  })

  it('accepts one of several concurrent refreshes on two servers, and ends the grant', async () => {
    const { world, site } = provider
    const otherApp = await world.anotherApp()
    const first = await signIn()
    const payload = String(
      new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: first.refresh_token,
        client_id: site.key,
        client_secret: site.secret,
      }),
    )
    const responses = await Promise.all(
      [world.app, otherApp, world.app, otherApp].map((app) =>
        app.server.app.inject({
          method: 'POST',
          url: '/api/auth/project/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload,
        }),
      ),
    )
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400])
    const won = responses.find(({ statusCode }) => statusCode === 200)?.json()
    expect((await refresh(won.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isAccepted(won.access_token)).toBe(false)
  })

  it('rejects the token of another client, and ends its grant', async () => {
    const { newClient, newSite } = provider
    const customerClient = await newClient()
    const site = await newSite()
    for (const otherCredentials of [
      customerClient.credentials,
      { client_id: site.key, client_secret: site.secret },
    ]) {
      const { refresh_token } = await signIn()
      expect((await refresh(refresh_token, otherCredentials)).body.error).toBe('invalid_grant')
      expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    }
  })

  it('rejects a client that does not authenticate, and leaves the token usable', async () => {
    const { refresh_token } = await signIn()
    for (const wrong of [{ client_secret: 'wrong' }, { client_secret: '' }])
      expect((await refresh(refresh_token, wrong)).body.error).toBe('invalid_client')
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('rejects a user who is not in the team, and accepts them again once they are', async () => {
    const { world, owner, newMember, removeFromTeam } = provider
    const user = await newMember()
    const { refresh_token } = await signIn(user)
    await removeFromTeam(user)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    await world.join(user, owner.teamId)
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('rejects the token once its code is used a second time', async () => {
    const { newMember, redeem } = provider
    const { code, refresh_token } = await signIn(await newMember())
    expect((await redeem(code)).body.error).toBe('invalid_grant')
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
  })

  it('rejects the token once the user resets the password', async () => {
    const { world, owner } = provider
    const user = await world.user({ email: 'new.password@example.com', password: 'Old-horse97' })
    await world.join(user, owner.teamId)
    const { refresh_token } = await signIn(user)
    // A job sends the email.
    await world.startWorkers()
    await world.guest(forgotPassword, { body: { email: user.email } })
    const token = await mailedToken(world, user.email, '/auth/reset-password')
    await world.guest(resetPassword, { body: { token, password: 'New-horse98' } })
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
  })

  it('rejects the token once the user changes the password', async () => {
    const { world, owner } = provider
    const user = await world.user({ password: 'Old-horse97' })
    await world.join(user, owner.teamId)
    const { refresh_token } = await signIn(user)
    await user.call(changePassword, {
      body: { currentPassword: 'Old-horse97', password: 'New-horse98' },
    })
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
  })

  it('issues no token that outlasts a new password set at the same time', async () => {
    const { world, site, newMember, requestCode, redeem } = provider
    const user = await newMember()
    const { token: code } = await requestCode(user, { scope })
    const setPassword = () =>
      world.ctx.write(async (tx) => {
        await world.ctx.sessions.endAll(tx, user.id)
        await endGrants(tx, user.id)
      })
    await runBehindLock<unknown>(
      world,
      // The insertion of a grant waits for this lock.
      (tx) => tx.select().from(projects).where(eq(projects.id, site.id)).for('update'),
      [() => redeem(code), setPassword],
    )
    expect(await world.ctx.db.$count(offlineGrants, eq(offlineGrants.userId, user.id))).toBe(0)
    expect(await world.ctx.db.$count(accessTokens, eq(accessTokens.userId, user.id))).toBe(0)
  })

  it('ends access tokens without a refresh token with a new password, of this user alone', async () => {
    const { world, member, owner, requestCode, redeem } = provider
    const user = await world.user({ password: 'Old-horse97' })
    await world.join(user, owner.teamId)
    const { body: own } = await redeem((await requestCode(user)).token)
    const { body: others } = await redeem((await requestCode(member)).token)
    expect(await isAccepted(own.access_token)).toBe(true)
    await user.call(changePassword, {
      body: { currentPassword: 'Old-horse97', password: 'New-horse98' },
    })
    expect(await isAccepted(own.access_token)).toBe(false)
    expect(await isAccepted(others.access_token)).toBe(true)
  })

  it('rejects the token once its project or its client is deleted', async () => {
    const { owner, newMember, newSite, newClient, requestCode, redeem } = provider
    const user = await newMember()
    const site = await newSite()
    const request = { client_id: site.key, redirect_uri: site.callback, scope }
    const credentials = { client_id: site.key, client_secret: site.secret }
    const { token: code } = await requestCode(user, request)
    const ofSite = await redeem(code, { ...credentials, redirect_uri: site.callback })
    await owner.call(deleteProject, { params: { id: site.id } })
    expect((await refresh(ofSite.body.refresh_token, credentials)).body.error).toBe(
      'invalid_client',
    )

    const client = await newClient()
    const { token: ownCode } = await requestCode(user, { ...client.request, scope })
    const ofClient = await redeem(ownCode, client.credentials)
    expect((await refresh(ofClient.body.refresh_token, client.credentials)).status).toBe(200)
    await owner.call(deleteSignInClient, {
      params: { id: provider.site.id, clientId: client.id },
    })
    expect((await refresh(ofClient.body.refresh_token, client.credentials)).body.error).toBe(
      'invalid_client',
    )
    expect(await isAccepted(ofClient.body.access_token)).toBe(false)
  })

  it('accepts a token for 30 days, and the tokens of its grant for 90 days in all', async () => {
    const { world } = provider
    const late = await signIn()
    let { refresh_token } = await signIn()
    for (let days = 0; days < 87; days += 29) {
      world.clock.forward(29 * day)
      const { status, body } = await refresh(refresh_token)
      expect(status).toBe(200)
      refresh_token = body.refresh_token
    }
    expect((await refresh(late.refresh_token)).body.error).toBe('invalid_grant')
    world.clock.forward(3 * day)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    world.clock.forward(day + 1)
    await rotateKeysAndRemoveExpired(world.ctx)
    expect(await world.ctx.db.$count(refreshTokens)).toBe(0)
    expect(await world.ctx.db.$count(offlineGrants)).toBe(0)
  })
})
