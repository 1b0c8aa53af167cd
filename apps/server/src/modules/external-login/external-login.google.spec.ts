import { createHash, randomBytes } from 'node:crypto'
import { getProfile } from '@slipway/contract/account'
import { login } from '@slipway/contract/sessions'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { exchange } from './external-login.fixture.ts'
import { startGoogle, type TestGoogle } from './external-login.google.fixture.ts'

const clientId = 'example.apps.googleusercontent.com'
const clientSecret = 'GOCSPX-example-secret'

let world: World
let google: TestGoogle
beforeAll(async () => {
  // openid-client checks ID tokens by the system clock.
  world = await createWorld(
    { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret },
    new Date(),
  )
})
beforeEach(async () => {
  google = await startGoogle()
})
afterAll(() => world.close())

const random = () => randomBytes(16).toString('hex')

/** Starts a login; returns the redirect to Google and the cookie. */
async function startLogin(app: App = world.app) {
  const state = random()
  const response = await app.server.app.inject(
    `/api/auth/oauth/redirect?provider=google&state=${state}`,
  )
  const [cookie = ''] = [response.headers['set-cookie']].flat()
  const url = new URL(response.headers.location ?? '')
  return { state, cookie: cookie.split(';')[0] ?? '', url }
}

/** Returns from Google with a code; returns the console URL that the browser is redirected to. */
async function finishLogin({ url, cookie }: { url: URL; cookie: string }, code = 'example-code') {
  const query = new URLSearchParams({
    state: url.searchParams.get('state') ?? '',
    code,
    // Google adds these to the standard.
    scope: 'email profile openid',
    authuser: '0',
    prompt: 'consent',
  })
  const response = await world.app.server.app.inject({
    url: `/api/auth/oauth/callback?${query}`,
    headers: { cookie, accept: 'text/html' },
  })
  expect(response.statusCode).toBe(303)
  return new URL(response.headers.location ?? '')
}

const tokenOf = async ({ cookie }: { cookie: string }, consoleUrl: URL) =>
  (await exchange(world, consoleUrl, cookie)).token ?? ''

const claimsOf = (changes: JWTPayload = {}) => {
  const subject = random()
  return {
    aud: clientId,
    azp: clientId,
    sub: subject,
    email: `${subject}@example.com`,
    email_verified: true,
    name: 'Test User',
    ...changes,
  }
}

/** Signs in with these claims; returns both redirects. */
async function signIn(claims: JWTPayload) {
  const login = await startLogin()
  await google.respondWithClaims({ nonce: login.url.searchParams.get('nonce') ?? '', ...claims })
  return { login, consoleUrl: await finishLogin(login) }
}

const failedWith = (error: string, { state }: { state: string }) =>
  `/auth/login?error=${error}&state=${state}`
const pathOf = ({ pathname, search }: URL) => pathname + search

const hasAccount = async (email: string) =>
  (await errorCodeOf(world.guest(login, { body: { email, password: 'Correct-horse7' } }))) ===
  'user_not_created_with_email'

describe('signing in with Google', () => {
  it('redirects to Google with client, scope, PKCE S256, nonce and state', async () => {
    const { url, state } = await startLogin()
    expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: `${world.env.PUBLIC_URL}/api/auth/oauth/callback`,
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      prompt: 'select_account',
    })
    expect(url.href).not.toContain(state)
    expect(url.href).not.toContain(clientSecret)
  })

  it('uses new random values for each login', async () => {
    const [firstLogin, secondLogin] = [await startLogin(), await startLogin()]
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(firstLogin.url.searchParams.get(name)).not.toBe(secondLogin.url.searchParams.get(name))
  })

  it('redeems the code with the client secret in the form and the PKCE verifier', async () => {
    const { login } = await signIn(claimsOf())
    const [{ method, headers, form } = { form: new URLSearchParams() }, ...furtherRequests] =
      google.tokenRequests
    expect(furtherRequests).toEqual([])
    expect(method).toBe('POST')
    expect(headers?.['content-type']).toContain('application/x-www-form-urlencoded')
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('cookie')
    const { code_verifier = '', ...sent } = Object.fromEntries(form)
    expect(sent).toEqual({
      grant_type: 'authorization_code',
      code: 'example-code',
      redirect_uri: login.url.searchParams.get('redirect_uri'),
      client_id: clientId,
      client_secret: clientSecret,
    })
    expect(createHash('sha256').update(code_verifier).digest('base64url')).toBe(
      login.url.searchParams.get('code_challenge'),
    )
  })

  it('redirects to the console with its state and a code for the user’s token', async () => {
    const claims = claimsOf()
    const { login, consoleUrl } = await signIn(claims)
    expect(consoleUrl.origin + consoleUrl.pathname).toBe(`${world.env.PUBLIC_URL}/auth/login/oauth`)
    expect(consoleUrl.searchParams.get('state')).toBe(login.state)
    expect(await world.client(await tokenOf(login, consoleUrl))(getProfile)).toMatchObject({
      name: 'Test User',
      email: claims.email,
      loginKind: 'Google',
    })
  })

  it.each([
    ...['\ud800@example.com', 'a b@example.com', 'a@b@example.com', '@example.com'],
    // Unicode's lower case of each is another user's address.
    ...['\u212aate@example.com', '\u0130ris@example.com', 'kate@e\uff38ample.com'],
    ...['x@example.com.', 'x@münchen.example', 'x@example\u3002com'],
  ])('creates no account for an address that cannot be one of ours: %j', async (email) => {
    const { login, consoleUrl } = await signIn(claimsOf({ email }))
    expect(pathOf(consoleUrl)).toBe(failedWith('external_email_not_supported', login))
    expect(await hasAccount(email.toLowerCase())).toBe(false)
  })

  it.each<[string, JWTPayload, ('published' | 'unpublished')?]>([
    ['of another login', { nonce: 'another' }],
    ['for another client', { aud: 'another.apps.googleusercontent.com' }],
    ['of another issuer', { iss: 'https://accounts.example.com' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 3600 }],
    ['that Google has not signed', {}, 'unpublished'],
  ])('rejects an ID token %s', async (_what, changes, signedBy) => {
    const claims = claimsOf()
    const login = await startLogin()
    const nonce = login.url.searchParams.get('nonce') ?? ''
    await google.respondWithClaims({ nonce, ...claims, ...changes }, signedBy)
    expect(pathOf(await finishLogin(login))).toBe(failedWith('external_login_failed', login))
    expect(google.tokenRequests).toHaveLength(1)
    expect(await hasAccount(claims.email)).toBe(false)
  })

  it('rejects a response without an ID token and an error response', async () => {
    const withoutIdToken = await startLogin()
    google.respondWith({})
    expect(pathOf(await finishLogin(withoutIdToken))).toBe(
      failedWith('external_login_failed', withoutIdToken),
    )
    const withError = await startLogin()
    google.respondWithError('invalid_grant')
    expect(pathOf(await finishLogin(withError))).toBe(
      failedWith('external_login_failed', withError),
    )
  })

  it('redirects to the login page when Google is down at the callback, and recovers', async () => {
    const login = await startLogin()
    google.stop()
    expect(pathOf(await finishLogin(login))).toBe(failedWith('external_login_failed', login))
    google = await startGoogle()
    const secondLogin = await signIn(claimsOf())
    expect(secondLogin.consoleUrl.pathname).toBe('/auth/login/oauth')
  })

  it('redirects to the login page when Google is down at the start', async () => {
    // Another client id, so that no configuration is cached.
    const app = await world.anotherApp({ GOOGLE_CLIENT_ID: 'not.cached' })
    google.stop()
    const login = await startLogin(app)
    expect(pathOf(login.url)).toBe(failedWith('external_login_failed', login))
    expect(login.cookie).toBe('')
  })

  it('rejects another Google account with the same address', async () => {
    const claims = claimsOf()
    const first = await signIn(claims)
    const { login, consoleUrl } = await signIn({ ...claims, sub: random() })
    expect(pathOf(consoleUrl)).toBe(failedWith('external_email_in_use', login))
    const call = world.client(await tokenOf(first.login, first.consoleUrl))
    expect(await call(getProfile)).toMatchObject({ email: claims.email })
  })

  it('identifies a user by the subject when the address has changed', async () => {
    const claims = claimsOf()
    await signIn(claims)
    const { login, consoleUrl } = await signIn({ ...claims, email: `moved.${claims.email}` })
    const profile = await world.client(await tokenOf(login, consoleUrl))(getProfile)
    expect(profile.email).toBe(claims.email)
  })

  it('logs no secret that would let another person sign in', async () => {
    const firstLine = world.logged.length
    const code = `4/${random()}`
    const login = await startLogin()
    const nonce = login.url.searchParams.get('nonce') ?? ''
    const idToken = await google.respondWithClaims({ nonce, ...claimsOf() })
    const consoleUrl = await finishLogin(login, code)
    const token = consoleUrl.searchParams.get('token') ?? ''
    const session = await tokenOf(login, consoleUrl)
    const failing = await startLogin()
    const forged = await google.respondWithClaims({ nonce, ...claimsOf() })
    await finishLogin(failing, code)
    google.respondWithError('invalid_grant')
    await finishLogin(await startLogin(), code)

    const logged = world.logged.slice(firstLine).join('')
    expect(logged).toContain('an external login ended')
    const [verifier = ''] = google.tokenRequests.map(({ form }) => form.get('code_verifier') ?? '')
    for (const secret of [
      ...[code, token, session, idToken, forged, nonce, verifier, clientSecret, google.accessToken],
      ...[login.cookie, login.state, login.url.searchParams.get('state') ?? ''],
    ]) {
      expect(secret.length).toBeGreaterThan(10)
      expect(logged).not.toContain(secret)
    }
  })
})
