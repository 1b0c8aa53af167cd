import { getProfile } from '@slipway/contract/account'
import { forgotPassword, resetPassword, verifyEmail } from '@slipway/contract/auth'
import { listLoginProviders, login } from '@slipway/contract/sessions'
import { listTeams } from '@slipway/contract/teams'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../context.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { mailedToken, password, signUpUser } from '../auth/auth.fixture.ts'
import { browser, loginUrl, newState, signIn, verifiedIdentity } from './external-login.fixture.ts'

let world: World
beforeAll(async () => {
  // The provider and openid-client use the system clock.
  world = await createWorld({}, new Date())
  await world.listenAtPublicUrl()
})
afterAll(() => world.close())

describe(title(listLoginProviders), () => {
  it('lists Google where it is configured, and on a development machine', async () => {
    const offered = [{ provider: 'google', name: 'Google', icon: '/google.svg' }]
    expect(await world.guest(listLoginProviders)).toEqual(offered)
    const reachable = { standIns: false, SMTP_URL: 'smtp://127.0.0.1' }
    const configured = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
    const [withoutGoogle, withGoogle] = [
      await world.anotherApp(reachable),
      await world.anotherApp({ ...reachable, ...configured }),
    ]
    expect(await world.client(null, 'en', withoutGoogle)(listLoginProviders)).toEqual([])
    expect(await world.client(null, 'en', withGoogle)(listLoginProviders)).toEqual(offered)
    for (const app of [withoutGoogle, withGoogle])
      expect(
        (await app.server.app.inject('/stand-in/google/.well-known/openid-configuration'))
          .statusCode,
      ).toBe(404)
  })
})

describe('an external login', () => {
  it('creates a verified account and returns the console’s state and a code', async () => {
    const state = newState()
    const completed = await signIn(world, verifiedIdentity('New.Body+tag@example.com'), state)
    expect(completed.url.pathname).toBe('/auth/login/oauth')
    expect(completed.url.searchParams.get('state')).toBe(state)
    const call = await completed.logIn()
    expect(await call(getProfile)).toMatchObject({
      name: 'Test User',
      email: 'new.body+tag@example.com',
      loginKind: 'Google',
    })
    expect(await call(listTeams)).toHaveLength(1)
  })

  it('finds the same account again, even when two logins return at once', async () => {
    const email = 'again@example.com'
    const logins = await Promise.all([
      signIn(world, verifiedIdentity(email)),
      signIn(world, verifiedIdentity(email)),
    ])
    logins.push(await signIn(world, verifiedIdentity(email)))
    const ids = await Promise.all(
      logins.map(async (completed) => {
        const profile = await (await completed.logIn())(getProfile)
        return profile.id
      }),
    )
    expect(new Set(ids).size).toBe(1)
  })

  it('uses the local part of the address when the name is invalid', async () => {
    for (const name of ['x', 'n'.repeat(500), '\u202eevil name']) {
      const email = `odd.name${name.length}@example.com`
      const completed = await signIn(world, { name, email, verified: 'yes' })
      const profile = await (await completed.logIn())(getProfile)
      expect(profile.name).toBe(`odd.name${name.length}`)
    }
  })

  it('creates an account that rejects a password login', async () => {
    const email = 'external@example.com'
    await signIn(world, verifiedIdentity(email))
    const body = { email, password: 'Correct-horse7' }
    expect(await errorCodeOf(world.guest(login, { body }))).toBe('user_not_created_with_email')
  })

  it('does not take over an account that has a password', async () => {
    const { email, call } = await world.user({ email: 'owned@example.com' })
    const completed = await signIn(world, verifiedIdentity(email))
    expect(completed.url.pathname).toBe('/auth/login')
    expect(completed.url.searchParams.get('error')).toBe('email_already_exists')
    expect((await call(getProfile)).loginKind).toBe('Email')
  })

  it('replaces an unverified account and ends its sessions, password and emailed tokens', async () => {
    await world.startWorkers()
    const squatter = await signUpUser(world, 'squatted@example.com')
    const { email } = squatter
    const mailed = await mailedToken(world, email, '/auth/verify')
    await world.guest(forgotPassword, { body: { email } })
    const reset = await mailedToken(world, email, '/auth/reset-password')
    const unproven = await signIn(world, { name: 'Test User', email })
    expect(unproven.url.searchParams.get('error')).toBe('external_email_not_verified')
    expect(await errorCodeOf(squatter.call(getProfile))).toBe('user_not_verified')

    const completed = await signIn(world, verifiedIdentity(email))
    const call = await completed.logIn()
    const profile = await call(getProfile)
    expect(profile).toMatchObject({ email, username: 'squatted', loginKind: 'Google' })
    expect(await call(listTeams)).toHaveLength(1)
    expect(await errorCodeOf(squatter.call(getProfile))).toBe('unauthorized')
    expect(await errorCodeOf(world.guest(login, { body: { email, password } }))).toBe(
      'user_not_created_with_email',
    )
    expect(
      await Promise.all([
        errorCodeOf(world.guest(verifyEmail, { body: { token: mailed } })),
        errorCodeOf(world.guest(resetPassword, { body: { token: reset, password } })),
      ]),
    ).toEqual(['invalid_token', 'invalid_token'])
    expect((await call(getProfile)).id).toBe(profile.id)
  })

  it.each(['the link', 'the provider'])(
    'resolves a race with the verification link: %s wins when it is first',
    async (first) => {
      await world.startWorkers()
      const { email, call } = await signUpUser(world)
      const token = await mailedToken(world, email, '/auth/verify')
      const inBrowser = browser()
      const picker = await inBrowser.visit(loginUrl(world))
      const lock = (tx: Tx) => tx.select().from(users).where(eq(users.email, email)).for('update')
      const verifying = () => outcome(call(verifyEmail, { body: { token } }))
      const returning = async () => {
        const { url } = await inBrowser.visit(picker.url, verifiedIdentity(email))
        return url.searchParams.get('error') ?? 'ok'
      }
      const calls = first === 'the link' ? [verifying, returning] : [returning, verifying]
      const ended = await runBehindLock(world, lock, calls)
      expect(ended.map((each) => each.status === 'fulfilled' && each.value)).toEqual([
        'ok',
        first === 'the link' ? 'email_already_exists' : 'invalid_token',
      ])
      expect(await outcome(call(getProfile))).toBe(first === 'the link' ? 'ok' : 'unauthorized')
    },
  )

  it('rejects an address that the provider has not verified', async () => {
    const email = 'unproven@example.com'
    const completed = await signIn(world, { name: 'Test User', email })
    expect(completed.url.searchParams.get('error')).toBe('external_email_not_verified')
    // The address is still free for its owner.
    expect((await signIn(world, verifiedIdentity(email))).url.pathname).toBe('/auth/login/oauth')
  })

  it('signs in another user in the same browser', async () => {
    const inBrowser = browser()
    for (const email of ['first@example.com', 'second@example.com']) {
      const completed = await signIn(world, verifiedIdentity(email), newState(), inBrowser)
      const profile = await (await completed.logIn())(getProfile)
      expect(profile.email).toBe(email)
    }
  })

  it('reports a canceled login', async () => {
    const { url } = await signIn(world, { cancel: 'yes' })
    expect(url.searchParams.get('error')).toBe('external_login_cancelled')
  })

  it('shows the stand-in’s page in the browser’s language, and again for an invalid form', async () => {
    const inBrowser = browser()
    const picker = await inBrowser.visit(loginUrl(world))
    expect(picker.body).toContain('Choose an account')
    const invalid = await inBrowser.visit(picker.url, { name: '', email: 'nobody' })
    expect([invalid.status, invalid.body.includes('role="alert"')]).toEqual([422, true])
    expect(
      (await inBrowser.visit(picker.url, verifiedIdentity('late@example.com'))).url.pathname,
    ).toBe('/auth/login/oauth')
  })

  it('redirects from the stand-in’s form with 303, so that the next request is a GET', async () => {
    const inBrowser = browser()
    const picker = await inBrowser.visit(loginUrl(world))
    const cookie = [...inBrowser.cookies.values()].map(({ value }) => value).join('; ')
    const body = new URLSearchParams(verifiedIdentity('posted@example.com'))
    const response = await fetch(picker.url, {
      method: 'POST',
      body,
      headers: { cookie },
      redirect: 'manual',
    })
    expect(response.status).toBe(303)
  })

  it('sends PKCE, nonce and state, and stores none of them in the browser', async () => {
    const redirect = await fetch(loginUrl(world), { redirect: 'manual' })
    const requestedUrl = new URL(redirect.headers.get('location') ?? '')
    expect(requestedUrl.searchParams.get('code_challenge_method')).toBe('S256')
    expect(requestedUrl.searchParams.get('nonce')).not.toBeNull()
    const [cookie = ''] = redirect.headers.getSetCookie()
    expect(cookie).toMatch(
      /^slipway_external_login_[\w-]{8}=[\w-]{43}; Max-Age=360; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(redirect.headers.get('cache-control')).toBe('no-store')
  })

  it('redirects to the login page when the provider is unreachable', async () => {
    const unreachable = await createWorld({}, new Date())
    // This server does not listen, so its stand-in is unreachable.
    const state = newState()
    const response = await unreachable.app.server.app.inject(
      `/api/auth/oauth/redirect?provider=google&state=${state}`,
    )
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe(
      `${unreachable.env.PUBLIC_URL}/auth/login?error=external_login_failed&state=${state}`,
    )
    await unreachable.close()
  })

  it.each([
    ['no state', '?provider=google'],
    ['no provider', `?state=${'a'.repeat(32)}`],
    ['a state that is not 32 hex characters', '?provider=google&state=xyz'],
    ['a state given twice', `?provider=google&state=${'a'.repeat(32)}&state=${'b'.repeat(32)}`],
    ['an unknown provider', `?provider=other&state=${'a'.repeat(32)}`],
  ])('with %s returns invalid_params', async (_name, query) => {
    const response = await world.app.server.app.inject(`/api/auth/oauth/redirect${query}`)
    expect(response.json()).toMatchObject({ code: 400, error: 'invalid_params' })
    expect(response.headers).not.toHaveProperty('location')
  })

  it('that fails in a browser redirects to the login page instead of returning JSON', async () => {
    const response = await world.app.server.app.inject({
      url: '/api/auth/oauth/redirect',
      headers: { accept: 'text/html' },
    })
    expect([response.statusCode, response.headers.location]).toEqual([
      303,
      `${world.env.PUBLIC_URL}/auth/login?error=external_login_failed`,
    ])
  })

  it('serves the stand-in to this machine only', async () => {
    const url = '/stand-in/google/.well-known/openid-configuration'
    const get = (headers: Record<string, string>) =>
      world.app.server.app.inject({ url, headers }).then(({ statusCode }) => statusCode)
    expect(await get({ host: `localhost:${world.env.PORT}` })).toBe(200)
    expect(await get({ host: 'rebound.example.com' })).toBe(404)
    expect(await get({ host: 'localhost', 'x-forwarded-for': '203.0.113.7' })).toBe(404)
  })
})
