import { getProfile } from '@slipway/contract/account'
import { forgotPassword, resetPassword, verifyEmail } from '@slipway/contract/auth'
import { listLoginProviders, login } from '@slipway/contract/sessions'
import { listTeams } from '@slipway/contract/teams'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../context.ts'
import { outcome, refusal } from '../../testing/matchers.ts'
import { heldUp } from '../../testing/waiting.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { mailedToken, password, signedUp } from '../auth/auth.fixture.ts'
import { browser, newState, outTo, signIn, somebody } from './external-login.fixture.ts'

let world: World
beforeAll(async () => {
  // The provider and its client look at the machine's clock.
  world = await createWorld({}, new Date())
  await world.listenAtPublicUrl()
})
afterAll(() => world.close())

describe('GET /auth/oauth/providers', () => {
  it('offers Google on a development machine, and where it is configured', async () => {
    const offered = [{ provider: 'google', name: 'Google' }]
    expect(await world.guest(listLoginProviders)).toEqual(offered)
    const reachable = { loopback: false, SMTP_URL: 'smtp://127.0.0.1' }
    const configured = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
    const [without, withGoogle] = [
      await world.anotherApp(reachable),
      await world.anotherApp({ ...reachable, ...configured }),
    ]
    expect(await world.client(null, 'en', without)(listLoginProviders)).toEqual([])
    expect(await world.client(null, 'en', withGoogle)(listLoginProviders)).toEqual(offered)
    for (const app of [without, withGoogle])
      expect(
        (await app.server.app.inject('/stand-in/google/.well-known/openid-configuration'))
          .statusCode,
      ).toBe(404)
  })
})

describe('an external login', () => {
  it('comes back with the console’s state and a token, of a new and verified account', async () => {
    const state = newState()
    const back = await signIn(world, somebody('New.Body+tag@example.com'), state)
    expect(back.url.pathname).toBe('/auth/login/oauth')
    expect(back.url.searchParams.get('state')).toBe(state)
    const call = world.client(back.url.searchParams.get('token'))
    expect(await call(getProfile)).toMatchObject({
      name: 'Some Body',
      email: 'new.body+tag@example.com',
      loginKind: 'Google',
    })
    expect(await call(listTeams)).toHaveLength(1)
  })

  it('finds the same account again, also when it comes back twice at once', async () => {
    const email = 'again@example.com'
    const backs = await Promise.all([
      signIn(world, somebody(email)),
      signIn(world, somebody(email)),
    ])
    backs.push(await signIn(world, somebody(email)))
    const ids = await Promise.all(
      backs.map(async ({ url }) => {
        const profile = await world.client(url.searchParams.get('token'))(getProfile)
        return profile.id
      }),
    )
    expect(new Set(ids).size).toBe(1)
  })

  it('takes a name as our own forms would, or the local part of the address', async () => {
    for (const name of ['x', 'n'.repeat(500), '\u202eevil name']) {
      const email = `odd.name${name.length}@example.com`
      const back = await signIn(world, { name, email, verified: 'yes' })
      const profile = await world.client(back.url.searchParams.get('token'))(getProfile)
      expect(profile.name).toBe(`odd.name${name.length}`)
    }
  })

  it('makes no password login: that says user_not_created_with_email', async () => {
    const email = 'external@example.com'
    await signIn(world, somebody(email))
    const body = { email, password: 'Correct-horse7' }
    expect(await refusal(world.guest(login, { body }))).toBe('user_not_created_with_email')
  })

  it('does not take over an account that was made with a password', async () => {
    const { email, call } = await world.user({ email: 'owned@example.com' })
    const back = await signIn(world, somebody(email))
    expect(back.url.pathname).toBe('/auth/login')
    expect(back.url.searchParams.get('error')).toBe('email_already_exists')
    expect((await call(getProfile)).loginKind).toBe('Email')
  })

  it('takes the place of an account that nobody verified: its password and sessions are gone', async () => {
    await world.work()
    const squatter = await signedUp(world, 'squatted@example.com')
    const { email } = squatter
    const mailed = await mailedToken(world, email, '/auth/verify')
    await world.guest(forgotPassword, { body: { email } })
    const reset = await mailedToken(world, email, '/auth/reset-password')
    const unproven = await signIn(world, { name: 'Some Body', email })
    expect(unproven.url.searchParams.get('error')).toBe('external_email_not_verified')
    expect(await refusal(squatter.call(getProfile))).toBe('user_not_verified')

    const back = await signIn(world, somebody(email))
    const call = world.client(back.url.searchParams.get('token'))
    const profile = await call(getProfile)
    expect(profile).toMatchObject({ email, username: 'squatted', loginKind: 'Google' })
    expect(await call(listTeams)).toHaveLength(1)
    expect(await refusal(squatter.call(getProfile))).toBe('unauthorized')
    expect(await refusal(world.guest(login, { body: { email, password } }))).toBe(
      'user_not_created_with_email',
    )
    expect(
      await Promise.all([
        refusal(world.guest(verifyEmail, { body: { token: mailed } })),
        refusal(world.guest(resetPassword, { body: { token: reset, password } })),
      ]),
    ).toEqual(['invalid_token', 'invalid_token'])
    expect((await call(getProfile)).id).toBe(profile.id)
  })

  it.each(['the link', 'the provider'])(
    'and the mailed link at once: %s wins when it is first',
    async (first) => {
      await world.work()
      const { email, call } = await signedUp(world)
      const token = await mailedToken(world, email, '/auth/verify')
      const by = browser()
      const pick = await by.visit(outTo(world))
      const lock = (tx: Tx) => tx.select().from(users).where(eq(users.email, email)).for('update')
      const verifying = () => outcome(call(verifyEmail, { body: { token } }))
      const returning = async () => {
        const { url } = await by.visit(pick.url, somebody(email))
        return url.searchParams.get('error') ?? 'ok'
      }
      const calls = first === 'the link' ? [verifying, returning] : [returning, verifying]
      const ended = await heldUp(world, lock, calls)
      expect(ended.map((each) => each.status === 'fulfilled' && each.value)).toEqual([
        'ok',
        first === 'the link' ? 'email_already_exists' : 'invalid_token',
      ])
      expect(await outcome(call(getProfile))).toBe(first === 'the link' ? 'ok' : 'unauthorized')
    },
  )

  it('refuses an address that the provider has not verified', async () => {
    const email = 'unproven@example.com'
    const back = await signIn(world, { name: 'Some Body', email })
    expect(back.url.searchParams.get('error')).toBe('external_email_not_verified')
    // The address is still free for whoever owns it.
    expect((await signIn(world, somebody(email))).url.pathname).toBe('/auth/login/oauth')
  })

  it('is somebody else’s when another person is picked in the same browser', async () => {
    const by = browser()
    for (const email of ['first@example.com', 'second@example.com']) {
      const { url } = await signIn(world, somebody(email), newState(), by)
      const profile = await world.client(url.searchParams.get('token'))(getProfile)
      expect(profile.email).toBe(email)
    }
  })

  it('says so when it was cancelled', async () => {
    const { url } = await signIn(world, { cancel: 'yes' })
    expect(url.searchParams.get('error')).toBe('external_login_cancelled')
  })

  it('shows the stand-in’s page in the language of the browser, and again when nobody was named', async () => {
    const by = browser()
    const pick = await by.visit(outTo(world))
    expect(pick.body).toContain('Pick a person')
    const wrong = await by.visit(pick.url, { name: '', email: 'nobody' })
    expect([wrong.status, wrong.body.includes('role="alert"')]).toEqual([422, true])
    expect((await by.visit(pick.url, somebody('late@example.com'))).url.pathname).toBe(
      '/auth/login/oauth',
    )
  })

  it('sends the browser on from the stand-in’s form by 303, so that nothing is posted on', async () => {
    const by = browser()
    const pick = await by.visit(outTo(world))
    const cookie = [...by.cookies.values()].map(({ value }) => value).join('; ')
    const body = new URLSearchParams(somebody('posted@example.com'))
    const answer = await fetch(pick.url, {
      method: 'POST',
      body,
      headers: { cookie },
      redirect: 'manual',
    })
    expect(answer.status).toBe(303)
  })

  it('goes out with PKCE, nonce and state, and keeps none of them in the browser', async () => {
    const direct = await fetch(outTo(world), { redirect: 'manual' })
    const asked = new URL(direct.headers.get('location') ?? '')
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256')
    expect(asked.searchParams.get('nonce')).not.toBeNull()
    const [cookie = ''] = direct.headers.getSetCookie()
    expect(cookie).toMatch(
      /^slipway_external_login_[\w-]{8}=[\w-]{43}; Max-Age=300; Path=\/api\/auth\/oauth; HttpOnly; SameSite=Lax$/,
    )
    expect(direct.headers.get('cache-control')).toBe('no-store')
  })

  it('that cannot reach the provider leads back to the login page', async () => {
    const elsewhere = await createWorld({}, new Date())
    // Nobody listens there: its stand-in cannot be asked.
    const state = newState()
    const answer = await elsewhere.app.server.app.inject(
      `/api/auth/oauth/redirect?provider=google&state=${state}`,
    )
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(
      `${elsewhere.env.PUBLIC_URL}/auth/login?error=external_login_failed&state=${state}`,
    )
    await elsewhere.close()
  })

  it.each([
    ['no state', '?provider=google'],
    ['no provider', `?state=${'a'.repeat(32)}`],
    ['a state that is not 32 hex characters', '?provider=google&state=xyz'],
    ['a state given twice', `?provider=google&state=${'a'.repeat(32)}&state=${'b'.repeat(32)}`],
    ['an unknown provider', `?provider=other&state=${'a'.repeat(32)}`],
  ])('with %s is invalid_params', async (_what, query) => {
    const answer = await world.app.server.app.inject(`/api/auth/oauth/redirect${query}`)
    expect(answer.json()).toMatchObject({ code: 400, error: 'invalid_params' })
    expect(answer.headers).not.toHaveProperty('location')
  })

  it('that fails for a person in a browser leads back to the login page, not to JSON', async () => {
    const answer = await world.app.server.app.inject({
      url: '/api/auth/oauth/redirect',
      headers: { accept: 'text/html' },
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      `${world.env.PUBLIC_URL}/auth/login?error=external_login_failed`,
    ])
  })

  it('has a stand-in for this machine alone', async () => {
    const url = '/stand-in/google/.well-known/openid-configuration'
    const get = (headers: Record<string, string>) =>
      world.app.server.app.inject({ url, headers }).then(({ statusCode }) => statusCode)
    expect(await get({ host: `localhost:${world.env.PORT}` })).toBe(200)
    expect(await get({ host: 'rebound.example.com' })).toBe(404)
    expect(await get({ host: 'localhost', 'x-forwarded-for': '203.0.113.7' })).toBe(404)
  })
})
