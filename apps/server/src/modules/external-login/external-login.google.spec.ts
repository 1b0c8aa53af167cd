import { createHash, randomBytes } from 'node:crypto'
import { getProfile } from '@slipway/contract/account'
import { login } from '@slipway/contract/sessions'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import { refusal } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { playGoogle, type TestGoogle } from './external-login.google.fixture.ts'

const clientId = 'example.apps.googleusercontent.com'
const clientSecret = 'GOCSPX-example-secret'

let world: World
let google: TestGoogle
beforeAll(async () => {
  // ID tokens are looked at by the machine's clock.
  world = await createWorld(
    { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret },
    new Date(),
  )
})
beforeEach(async () => {
  google = await playGoogle()
})
afterAll(() => world.close())

const random = () => randomBytes(16).toString('hex')

/** Goes out to Google: what the browser is sent away with. */
async function goOut(app: App = world.app) {
  const state = random()
  const answer = await app.server.app.inject(
    `/api/auth/oauth/redirect?provider=google&state=${state}`,
  )
  const [cookie = ''] = [answer.headers['set-cookie']].flat()
  return { state, cookie: cookie.split(';')[0] ?? '', url: new URL(answer.headers.location ?? '') }
}

/** Comes back from Google with a code: the console's path that the browser is sent to. */
async function comeBack({ url, cookie }: { url: URL; cookie: string }, code = 'example-code') {
  const query = new URLSearchParams({
    state: url.searchParams.get('state') ?? '',
    code,
    // What Google adds beyond the standard.
    scope: 'email profile openid',
    authuser: '0',
    prompt: 'consent',
  })
  const answer = await world.app.server.app.inject({
    url: `/api/auth/oauth/callback?${query}`,
    headers: { cookie, accept: 'text/html' },
  })
  expect(answer.statusCode).toBe(303)
  return new URL(answer.headers.location ?? '')
}

const somebody = (changes: JWTPayload = {}) => {
  const subject = random()
  return {
    aud: clientId,
    azp: clientId,
    sub: subject,
    email: `${subject}@example.com`,
    email_verified: true,
    name: 'Some Body',
    ...changes,
  }
}

/** Signs in as a person of those claims; gives where it ended. */
async function signIn(claims: JWTPayload) {
  const out = await goOut()
  await google.answerWith({ nonce: out.url.searchParams.get('nonce') ?? '', ...claims })
  return { out, back: await comeBack(out) }
}

const failedWith = (error: string, { state }: { state: string }) =>
  `/auth/login?error=${error}&state=${state}`
const pathOf = ({ pathname, search }: URL) => pathname + search

/** Whether an account with that address was made by Google. */
const hasAccount = async (email: string) =>
  (await refusal(world.guest(login, { body: { email, password: 'Correct-horse7' } }))) ===
  'user_not_created_with_email'

describe('signing in with Google, at the network', () => {
  it('sends the browser to Google with the client, the scope, PKCE S256, nonce and state', async () => {
    const { url, state } = await goOut()
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

  it('takes new random values for each login', async () => {
    const [one, two] = [await goOut(), await goOut()]
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(one.url.searchParams.get(name)).not.toBe(two.url.searchParams.get(name))
  })

  it('redeems the code with the secret in the form and the verifier of the challenge', async () => {
    const { out } = await signIn(somebody())
    const [{ method, headers, form } = { form: new URLSearchParams() }, ...more] =
      google.tokenRequests
    expect(more).toEqual([])
    expect(method).toBe('POST')
    expect(headers?.['content-type']).toContain('application/x-www-form-urlencoded')
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('cookie')
    const { code_verifier = '', ...sent } = Object.fromEntries(form)
    expect(sent).toEqual({
      grant_type: 'authorization_code',
      code: 'example-code',
      redirect_uri: out.url.searchParams.get('redirect_uri'),
      client_id: clientId,
      client_secret: clientSecret,
    })
    expect(createHash('sha256').update(code_verifier).digest('base64url')).toBe(
      out.url.searchParams.get('code_challenge'),
    )
  })

  it('ends in the console with its state and the token of that person', async () => {
    const claims = somebody()
    const { out, back } = await signIn(claims)
    expect(back.origin + back.pathname).toBe(`${world.env.PUBLIC_URL}/auth/login/oauth`)
    expect(back.searchParams.get('state')).toBe(out.state)
    expect(await world.client(back.searchParams.get('token'))(getProfile)).toMatchObject({
      name: 'Some Body',
      email: claims.email,
      loginKind: 'Google',
    })
  })

  it.each(['\ud800@example.com', 'a b@example.com', 'a@b@example.com', '@example.com'])(
    'makes no account for what is no address: %j',
    async (email) => {
      const { out, back } = await signIn(somebody({ email }))
      expect(pathOf(back)).toBe(failedWith('external_email_not_verified', out))
    },
  )

  it.each<[string, JWTPayload, ('published' | 'unpublished')?]>([
    ['of another login', { nonce: 'another' }],
    ['for another client', { aud: 'another.apps.googleusercontent.com' }],
    ['of another issuer', { iss: 'https://accounts.example.com' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 3600 }],
    ['that Google has not signed', {}, 'unpublished'],
  ])('refuses an ID token %s', async (_what, changes, by) => {
    const claims = somebody()
    const out = await goOut()
    const nonce = out.url.searchParams.get('nonce') ?? ''
    await google.answerWith({ nonce, ...claims, ...changes }, by)
    expect(pathOf(await comeBack(out))).toBe(failedWith('external_login_failed', out))
    expect(google.tokenRequests).toHaveLength(1)
    expect(await hasAccount(claims.email)).toBe(false)
  })

  it('refuses an answer without an ID token, and one without tokens', async () => {
    const bare = await goOut()
    google.answerBody({})
    expect(pathOf(await comeBack(bare))).toBe(failedWith('external_login_failed', bare))
    const refused = await goOut()
    google.refuse('invalid_grant')
    expect(pathOf(await comeBack(refused))).toBe(failedWith('external_login_failed', refused))
  })

  it('leads back to the login page when Google is down on the way back, and works afterwards', async () => {
    const out = await goOut()
    google.goDown()
    expect(pathOf(await comeBack(out))).toBe(failedWith('external_login_failed', out))
    google = await playGoogle()
    const again = await signIn(somebody())
    expect(again.back.pathname).toBe('/auth/login/oauth')
  })

  it('leads back to the login page when Google is down on the way out', async () => {
    // With another client id nothing is known of Google yet.
    const app = await world.anotherApp({ GOOGLE_CLIENT_ID: 'never.asked' })
    google.goDown()
    const out = await goOut(app)
    expect(pathOf(out.url)).toBe(failedWith('external_login_failed', out))
    expect(out.cookie).toBe('')
  })

  it('does not give an account to another Google account with the same address', async () => {
    const claims = somebody()
    const first = await signIn(claims)
    const { out, back } = await signIn({ ...claims, sub: random() })
    expect(pathOf(back)).toBe(failedWith('external_email_in_use', out))
    const call = world.client(first.back.searchParams.get('token'))
    expect(await call(getProfile)).toMatchObject({ email: claims.email })
  })

  it('knows a person by the subject: a changed address finds the same account', async () => {
    const claims = somebody()
    await signIn(claims)
    const { back } = await signIn({ ...claims, email: `moved.${claims.email}` })
    const profile = await world.client(back.searchParams.get('token'))(getProfile)
    expect(profile.email).toBe(claims.email)
  })

  it('writes nothing into the log that would let anybody in', async () => {
    const from = world.logged.length
    const code = `4/${random()}`
    const out = await goOut()
    const nonce = out.url.searchParams.get('nonce') ?? ''
    const idToken = await google.answerWith({ nonce, ...somebody() })
    const token = (await comeBack(out, code)).searchParams.get('token') ?? ''
    const failing = await goOut()
    const forged = await google.answerWith({ nonce, ...somebody() })
    await comeBack(failing, code)
    google.refuse('invalid_grant')
    await comeBack(await goOut(), code)

    const logged = world.logged.slice(from).join('')
    expect(logged).toContain('an external login ended')
    const [verifier = ''] = google.tokenRequests.map(({ form }) => form.get('code_verifier') ?? '')
    for (const secret of [
      ...[code, token, idToken, forged, nonce, verifier, clientSecret, google.accessToken],
      ...[out.cookie, out.state, out.url.searchParams.get('state') ?? ''],
    ]) {
      expect(secret.length).toBeGreaterThan(10)
      expect(logged).not.toContain(secret)
    }
  })
})
