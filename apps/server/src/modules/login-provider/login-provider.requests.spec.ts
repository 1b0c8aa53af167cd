import { hour, minute, second } from '@slipway/contract/limits'
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import { deleteProject } from '@slipway/contract/projects'
import { logout } from '@slipway/contract/sessions'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createProviderWorld, type Provider } from './login-provider.fixture.ts'

let provider: Provider

beforeAll(async () => {
  provider = await createProviderWorld()
})
afterAll(() => provider.world.close())

const check = (parameters: Partial<AuthorizationRequest> = {}) =>
  provider.world.guest(checkAuthorizationRequest, {
    body: {
      client_id: provider.site.key,
      redirect_uri: provider.site.callback,
      response_type: 'code',
      ...parameters,
    },
  })

describe(title(checkAuthorizationRequest), () => {
  it('names the client, and how its response is sent', async () => {
    const { world } = provider
    expect(await check()).toMatchObject({
      issuer: world.env.PUBLIC_URL,
      clientName: 'Example site',
      responseMode: 'query',
      error: null,
      isSilent: false,
      needsConfirmation: false,
    })
    expect(await check({ prompt: 'none', response_mode: 'form_post' })).toMatchObject({
      responseMode: 'form_post',
      isSilent: true,
    })
    for (const prompt of ['consent', 'select_account', 'login consent'])
      expect(await check({ prompt })).toMatchObject({ needsConfirmation: true })
  })

  it.each([
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ request: 'e30.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://example.com/r' }, 'request_uri_not_supported'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ max_age: 'soon' }, 'invalid_request'],
    [{ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    [{ nonce: 'a\n' }, 'invalid_request'],
  ] as const)('names the error of %j, which is sent to the client', async (parameters, code) => {
    expect((await check(parameters)).error?.code).toBe(code)
  })

  it('requires PKCE of a public client', async () => {
    const { newClient, member, requestCode } = provider
    const { request } = await newClient({ isPublic: true })
    expect((await check(request)).error?.code).toBe('invalid_request')
    expect((await errorOf(requestCode(member, request))).context).toBe('code_challenge')
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    expect((await check({ ...request, ...challenge })).error).toBeNull()
  })

  it('reveals nothing about a client whose address is another one', async () => {
    const { owner, newClient, newSite } = provider
    const deleted = await newSite()
    await owner.call(deleteProject, { params: { id: deleted.id } })
    const customerClient = await newClient()
    for (const parameters of [
      { redirect_uri: 'https://evil.example.com/' },
      { client_id: 'nothing-bcdfgh' },
      { client_id: `client_${'0'.repeat(32)}` },
      { client_id: '' },
      { client_id: deleted.key, redirect_uri: deleted.callback },
      { client_id: customerClient.clientId, redirect_uri: `${customerClient.redirectUri}/` },
    ]) {
      const error = await errorOf(check(parameters))
      expect([error.code, error.context]).toEqual(['invalid_params', 'redirect_uri'])
    }
  })
})

describe('the time of the login', () => {
  async function logIn() {
    const { world, newMember } = provider
    const user = await newMember()
    return {
      user,
      again: async () => {
        const token = await world.ctx.write((tx) => world.ctx.sessions.start(tx, user.id))
        return world.client(token)
      },
    }
  }
  const requestOf = (parameters: Partial<AuthorizationRequest>) => ({
    client_id: provider.site.key,
    redirect_uri: provider.site.callback,
    response_type: 'code',
    ...parameters,
  })

  it('is in the ID token', async () => {
    const { world, requestCode, redeem } = provider
    const { user } = await logIn()
    const loggedInAt = world.clock.now()
    world.clock.forward(5 * minute)
    const { body } = await redeem((await requestCode(user)).token)
    expect(decodeJwt(body.id_token).auth_time).toBe(Math.floor(loggedInAt.getTime() / second))
  })

  it('must be younger than max_age', async () => {
    const { world, requestCode } = provider
    const { user, again } = await logIn()
    world.clock.forward(10 * second)
    expect((await requestCode(user, { max_age: '10' })).token).not.toBe('')
    world.clock.forward(1)
    expect(await errorCodeOf(requestCode(user, { max_age: '10' }))).toBe('login_required')
    const call = await again()
    const body = requestOf({ max_age: '10' })
    expect((await call(createAuthorizationCode, { body })).token).not.toBe('')
  })

  it('must follow a request with prompt=login, or with max_age=0', async () => {
    const { world, requestCode } = provider
    const { user, again } = await logIn()
    for (const parameters of [{ prompt: 'login' }, { max_age: '0' }]) {
      world.clock.forward(minute)
      const { loginTicket } = await check(parameters)
      const request = { ...parameters, login_ticket: loginTicket }
      expect(await errorCodeOf(requestCode(user, parameters))).toBe('login_required')
      expect(await errorCodeOf(requestCode(user, request))).toBe('login_required')
      world.clock.forward(minute)
      const call = await again()
      world.clock.forward(minute)
      const body = requestOf(request)
      expect((await call(createAuthorizationCode, { body })).token).not.toBe('')
      // The ticket is valid for this request only, and for an hour.
      for (const change of [{ nonce: 'other' }, { login_ticket: `1${loginTicket}` }])
        expect(
          await errorCodeOf(call(createAuthorizationCode, { body: { ...body, ...change } })),
        ).toBe('login_required')
      world.clock.forward(hour)
      expect(await errorCodeOf(call(createAuthorizationCode, { body }))).toBe('login_required')
      await call(logout)
    }
  })
})

describe('a form that is posted to a screen', () => {
  const post = (path: string, payload: string, headers: Record<string, string> = {}) =>
    provider.world.app.server.app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })

  it.each(['/auth/code', '/auth/end-session'])('%s becomes its query', async (path) => {
    const { world } = provider
    const response = await post(path, 'client_id=x&state=a+b%26c&scope=openid&scope=email')
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe(
      `${world.env.PUBLIC_URL}${path}?client_id=x&state=a+b%26c&scope=openid&scope=email`,
    )
    expect((await post(path, `state=${'x'.repeat(20_000)}`)).statusCode).toBe(413)
  })

  describe('as a response to a client', () => {
    const path = '/api/auth/project/form-post'
    const target = () => ({
      client_id: provider.site.key,
      redirect_uri: provider.site.callback,
    })

    it('is posted to its address, with the parameters of a response and no others', async () => {
      const fields = { code: 'c"><script>', state: 's', iss: 'http://i', other: 'planted' }
      const response = await post(path, String(new URLSearchParams({ ...target(), ...fields })))
      expect(response.statusCode).toBe(200)
      expect(response.body).toContain(`<form method="post" action="${provider.site.callback}">`)
      expect(response.body).toContain('name="code" value="c&quot;&gt;&lt;script&gt;"')
      expect(response.body).toContain('name="state" value="s"')
      expect(response.body).not.toContain('planted')
      const policy = String(response.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('unsafe-inline')
      expect(response.headers['cache-control']).toBe('no-store')
    })

    it('is rejected for another address, and from another site', async () => {
      for (const change of [
        { redirect_uri: 'https://evil.example.com/' },
        { redirect_uri: 'javascript:alert(1)' },
        { client_id: 'nothing-bcdfgh' },
      ]) {
        const form = String(new URLSearchParams({ ...target(), code: 'c', ...change }))
        expect((await post(path, form)).statusCode).toBe(400)
      }
      const form = String(new URLSearchParams({ ...target(), code: 'c' }))
      for (const site of ['cross-site', 'same-site', 'none'])
        expect((await post(path, form, { 'sec-fetch-site': site })).statusCode).toBe(403)
      expect((await post(path, form, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
    })
  })
})
