import { createHash } from 'node:crypto'
import { getProfile } from '@slipway/contract/account'
import { day, hour, limits, second } from '@slipway/contract/limits'
import {
  type AuthorizationRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import { deleteProject } from '@slipway/contract/projects'
import { and, eq } from 'drizzle-orm'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, refused } from '../../testing/matchers.ts'
import { createWorld, type Person, type World } from '../../testing/world.ts'
import * as siteClients from '../site-clients/site-clients.service.ts'
import { teamMembers } from '../teams/teams.schema.ts'
import { isRedirectAllowed } from './login-provider.redirects.ts'
import { authorizationCodes } from './login-provider.schema.ts'
import * as loginProvider from './login-provider.service.ts'

let world: World
let owner: Person
let member: Person
let site: { id: Person['id']; key: string; origin: string; secret: string }
const domain = 'shop.example.com'

beforeAll(async () => {
  // Client libraries look at the machine's clock.
  world = await createWorld({}, new Date())
  await world.listenAtPublicUrl()
  owner = await world.user()
  member = await world.user({ name: 'Team Member' })
  await world.join(member, owner.teamId)
  const project = await world.project({ teamId: owner.teamId, domain })
  site = {
    id: project.id as never,
    key: project.key,
    origin: `http://${project.key}.localhost:${world.env.SITES_PORT}`,
    secret: await siteClients.clientSecret(world.ctx, project.id),
  }
})
afterAll(() => world.close())

const callback = () => `${site.origin}/callback`
const request = (more: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  client_id: site.key,
  redirect_uri: callback(),
  response_type: 'code',
  ...more,
})
const askCode = (person: Person, more: Partial<AuthorizationRequest> = {}) =>
  person.call(createAuthorizationCode, { body: request(more) })

const url = (path: string) => world.env.PUBLIC_URL + path

type TokenField = 'access_token' | 'id_token' | 'scope' | 'token_type' | 'error'

/** A call of the token endpoint; gives status and body. */
async function token(
  form: Record<string, string> | string,
  options: { basic?: [string, string]; type?: string } = {},
) {
  const [id, secret] = options.basic ?? []
  const credentials = Buffer.from(
    `${encodeURIComponent(id ?? '')}:${encodeURIComponent(secret ?? '')}`,
  )
  const answer = await fetch(url('/api/auth/project/token'), {
    method: 'POST',
    headers: {
      'content-type': options.type ?? 'application/x-www-form-urlencoded',
      ...(options.basic ? { authorization: `Basic ${credentials.toString('base64')}` } : {}),
    },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })
  const body = (await answer.json()) as Record<TokenField, string>
  return { status: answer.status, headers: answer.headers, body }
}

const redeem = (code: string, more: Record<string, string> = {}) =>
  token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback(),
    client_id: site.key,
    client_secret: site.secret,
    ...more,
  })

const userInfo = (accessToken: string) =>
  fetch(url('/api/auth/project/userinfo'), { headers: { authorization: `Bearer ${accessToken}` } })

describe('a standard client library', () => {
  it('openid-client signs a member in, with PKCE, nonce and the issuer in the answer', async () => {
    const config = await openid.discovery(
      new URL(world.env.PUBLIC_URL),
      site.key,
      undefined,
      openid.ClientSecretBasic(site.secret),
      { execute: [openid.allowInsecureRequests] },
    )
    const verifier = openid.randomPKCECodeVerifier()
    const [nonce, state] = [openid.randomNonce(), openid.randomState()]
    const asked = openid.buildAuthorizationUrl(config, {
      redirect_uri: callback(),
      scope: 'openid profile email',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce,
      state,
    })
    expect(asked.origin + asked.pathname).toBe(url('/auth/code'))
    // The console's screen reads the query and asks for the code.
    const { state: _, ...query } = Object.fromEntries(asked.searchParams)
    const answer = await member.call(createAuthorizationCode, {
      body: query as AuthorizationRequest,
    })
    const back = new URL(callback())
    back.search = new URLSearchParams({ code: answer.token, state, iss: answer.issuer }).toString()

    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
    })
    expect(tokens.claims()).toMatchObject({
      iss: world.env.PUBLIC_URL,
      sub: member.id,
      aud: site.key,
      nonce,
      name: 'Team Member',
      email: member.email,
      email_verified: true,
    })
    const info = await openid.fetchUserInfo(config, tokens.access_token, member.id)
    expect(info).toMatchObject({ sub: member.id, email: member.email })
  })

  it('oidc-client-ts signs a member in, with the secret in the form', async () => {
    const client = new OidcClient({
      authority: world.env.PUBLIC_URL,
      client_id: site.key,
      client_secret: site.secret,
      client_authentication: 'client_secret_post',
      redirect_uri: callback(),
      scope: 'openid profile email',
      loadUserInfo: true,
      stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    })
    const asked = new URL((await client.createSigninRequest({})).url)
    const { state, ...query } = Object.fromEntries(asked.searchParams)
    const answer = await member.call(createAuthorizationCode, {
      body: query as AuthorizationRequest,
    })
    const back = new URLSearchParams({ code: answer.token, state: state ?? '', iss: answer.issuer })
    const signedIn = await client.processSigninResponse(`${callback()}?${back}`)
    expect(signedIn.profile).toMatchObject({ sub: member.id, name: 'Team Member' })
    expect(signedIn.access_token).not.toBe('')
  })
})

describe('POST /auth/project/code', () => {
  it('gives a code for the default origin and the custom domain', async () => {
    const origins = [site.origin, `http://${domain}:${world.env.SITES_PORT}`, `https://${domain}`]
    for (const origin of origins)
      expect((await askCode(member, { redirect_uri: `${origin}/yk/app?x=1` })).token).toMatch(
        /^[\w-]{43}$/,
      )
  })

  it.each([
    'https://evil.example.com/',
    'https://shop.example.com.evil.example.com/',
    'https://evil.example.com/shop.example.com',
    'https://evil.example.com?shop.example.com',
    'https://shop.example.com@evil.example.com/',
    'https://shop.example.com:443@evil.example.com/',
    'https://shop.example.com\\@evil.example.com/',
    'https://shop.example.com\\.evil.example.com/',
    'https://shop.example.com%2eevil.example.com/',
    'https://user:password@shop.example.com/',
    'https://@shop.example.com/',
    'https://shop.example.com/#fragment',
    'https://shop.example.com/#',
    'https://shop.example.com:8443/',
    'https:shop.example.com/',
    'https:///shop.example.com/',
    '//shop.example.com/',
    'javascript:alert(1)//shop.example.com',
    'data:text/html,https://shop.example.com',
    'ftp://shop.example.com/',
    ' https://shop.example.com/',
    'https://shop.example.com/ x',
    'https://shop.example.com/\n',
    'https://ѕhop.example.com/',
    'https://shop.example.com./',
    'https://sub.shop.example.com/',
    '',
    '/callback',
  ])('refuses %j before any code exists', async (redirectUri) => {
    const codes = () => world.ctx.db.$count(authorizationCodes)
    const before = await codes()
    const answer = await refused(askCode(member, { redirect_uri: redirectUri }))
    expect(await codes()).toBe(before)
    expect([answer.code, answer.context]).toEqual(['invalid_params', 'redirect_uri'])
    expect(isRedirectAllowed(redirectUri, ['https://shop.example.com'])).toBe(false)
  })

  it('refuses every other response type and every weak challenge', async () => {
    const challenge = 'x'.repeat(43)
    for (const [more, parameter] of [
      [{ response_type: 'token' }, 'response_type'],
      [{ response_type: 'code id_token' }, 'response_type'],
      [{ code_challenge: challenge }, 'code_challenge_method'],
      [{ code_challenge: challenge, code_challenge_method: 'plain' }, 'code_challenge_method'],
      [{ code_challenge_method: 'S256' }, 'code_challenge_method'],
      [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'code_challenge'],
    ] as const)
      expect((await refused(askCode(member, more))).context).toBe(parameter)
  })

  it('answers invalid_params when a parameter is missing or no string', async () => {
    for (const name of ['client_id', 'redirect_uri', 'response_type'])
      for (const value of [undefined, 7, ['code'], null])
        expect(await refusal(askCode(member, { [name]: value } as never))).toBe('invalid_params')
  })

  it('does not find projects that are unknown, deleted or of another team', async () => {
    const stranger = await world.user()
    expect(await refusal(askCode(stranger))).toBe('project_not_found')
    expect(await refusal(askCode(member, { client_id: 'nothing-bcdfgh' }))).toBe(
      'project_not_found',
    )
    const { id, key } = await world.project({ teamId: owner.teamId })
    await owner.call(deleteProject, { params: { id } })
    expect(await refusal(askCode(owner, { client_id: key }))).toBe('project_not_found')
  })
})

describe('POST /api/auth/project/token', () => {
  it('takes the secret by header or form, and answers what nothing may keep', async () => {
    const basic = await token(
      {
        grant_type: 'authorization_code',
        code: (await askCode(member)).token,
        redirect_uri: callback(),
      },
      { basic: [site.key, site.secret] },
    )
    expect(basic.status).toBe(200)
    expect(basic.headers.get('cache-control')).toBe('no-store')
    expect(basic.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid profile email',
    })
    expect((await redeem((await askCode(member)).token)).status).toBe(200)
  })

  it('gives an ES256 ID token that the published keys verify', async () => {
    const { token: code } = await askCode(member, { nonce: 'n-1', scope: 'openid' })
    const { body } = await redeem(code)
    expect(decodeProtectedHeader(body.id_token)).toMatchObject({ alg: 'ES256' })
    const answer = await fetch(url('/api/auth/project/jwks'))
    const keys = (await answer.json()) as JSONWebKeySet
    expect(JSON.stringify(keys)).not.toContain('"d"')
    const { payload } = await jwtVerify(body.id_token, createLocalJWKSet(keys), {
      currentDate: world.clock.now(),
      issuer: world.env.PUBLIC_URL,
      audience: site.key,
    })
    const now = Math.floor(world.clock.now().getTime() / second)
    expect(payload).toEqual({
      iss: world.env.PUBLIC_URL,
      sub: member.id,
      aud: site.key,
      iat: now,
      exp: now + 3600,
      nonce: 'n-1',
    })
  })

  it('redeems a code once, also at once, and a second use ends the tokens of the first', async () => {
    const { token: code } = await askCode(member)
    const answers = await Promise.all([redeem(code), redeem(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const first = answers.find(({ status }) => status === 200)
    expect((await userInfo(first?.body.access_token ?? '')).status).toBe(401)

    const { token: another } = await askCode(member)
    const { body } = await redeem(another)
    expect((await userInfo(body.access_token)).status).toBe(200)
    expect((await redeem(another)).body).toMatchObject({ error: 'invalid_grant' })
    expect((await userInfo(body.access_token)).status).toBe(401)
  })

  it('ends a code after 60 seconds', async () => {
    const { token: code } = await askCode(member)
    world.clock.forward(limits.authorizationCodeLifetime)
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('binds a code to its client, redirect URI and verifier', async () => {
    const other = await world.project({ teamId: owner.teamId })
    const otherSecret = await siteClients.clientSecret(world.ctx, other.id)
    const verifier = 'v'.repeat(43)
    const challenge = {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    const wrong: [Partial<AuthorizationRequest>, Record<string, string>][] = [
      [{}, { client_id: other.key, client_secret: otherSecret }],
      [{}, { redirect_uri: `${callback()}/` }],
      [{}, { redirect_uri: `${site.origin}/callback?x` }],
      [{}, { code_verifier: verifier }],
      [challenge, {}],
      [challenge, { code_verifier: 'w'.repeat(43) }],
    ]
    for (const [asked, given] of wrong) {
      const { token: code } = await askCode(member, asked)
      expect(await redeem(code, given), JSON.stringify(given)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      })
      // It was spent by the wrong try.
      const right = { ...(asked.code_challenge ? { code_verifier: verifier } : {}) }
      expect((await redeem(code, right)).body.error).toBe('invalid_grant')
    }
    const { token: code } = await askCode(member, challenge)
    expect((await redeem(code, { code_verifier: verifier })).status).toBe(200)
  })

  it('refuses a client it does not know or whose secret is wrong, and leaves the code as it is', async () => {
    const { token: code } = await askCode(member)
    const wrongs: Record<string, string>[] = [
      { client_secret: 'wrong' },
      { client_id: 'nothing-bcdfgh' },
      { client_secret: '' },
    ]
    for (const wrong of wrongs) {
      const answer = await redeem(code, wrong)
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      expect(answer.headers.get('www-authenticate')).toContain('Basic')
    }
    expect((await redeem(code)).status).toBe(200)
  })

  it('answers malformed requests with invalid_request', async () => {
    const { token: code } = await askCode(member)
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback() }
    const client = { client_id: site.key, client_secret: site.secret }
    const answers = await Promise.all([
      token({ ...client }),
      token({ ...client, grant_type: 'authorization_code', redirect_uri: callback() }),
      token({ ...client, grant_type: 'authorization_code', code }),
      token(`${new URLSearchParams({ ...form, ...client })}&code=again`),
      token({ ...form, ...client }, { basic: [site.key, site.secret] }),
      token({ ...form, client_id: 'another' }, { basic: [site.key, site.secret] }),
    ])
    expect(answers.map(({ body }) => body.error)).toEqual(answers.map(() => 'invalid_request'))
    const grant = await token({ ...form, ...client, grant_type: 'password' })
    expect(grant.body.error).toBe('unsupported_grant_type')
    for (const type of ['application/json', 'text/plain', 'application/xml'])
      expect((await token(JSON.stringify({ ...form, ...client }), { type })).body.error).toBe(
        'invalid_request',
      )
    expect((await token({ ...form, ...client, client_id: 'a\u0000' })).body.error).toBe(
      'invalid_client',
    )
    expect((await token({ ...form, ...client, code: 'x'.repeat(70_000) })).body.error).toBe(
      'invalid_request',
    )
    expect((await token(form, { basic: ['%', 'x'] })).body.error).toBe('invalid_client')
    expect((await token({ ...form }, {})).body.error).toBe('invalid_client')
  })

  it('gives nothing to a member who left the team after the code was given', async () => {
    const leaver = await world.user()
    await world.join(leaver, owner.teamId)
    const [redeemedBefore, redeemedAfter] = [await askCode(leaver), await askCode(leaver)]
    const { body } = await redeem(redeemedBefore.token)
    const membership = and(eq(teamMembers.teamId, owner.teamId), eq(teamMembers.userId, leaver.id))
    await world.ctx.db.delete(teamMembers).where(membership)
    expect((await redeem(redeemedAfter.token)).body.error).toBe('invalid_grant')
    expect((await userInfo(body.access_token)).status).toBe(401)
    expect(await refusal(askCode(leaver))).toBe('project_not_found')
  })

  it('writes neither code nor secret nor token into the log', async () => {
    const { token: code } = await askCode(member)
    const { body } = await redeem(code)
    await redeem(code)
    const log = world.logged.join('')
    for (const secret of [code, site.secret, body.access_token, body.id_token])
      expect(log).not.toContain(secret)
  })
})

describe('GET /api/auth/project/userinfo', () => {
  it('tells what the scope allows, for an hour', async () => {
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

  it('tells nothing any more once the project is deleted', async () => {
    const project = await world.project({ teamId: owner.teamId })
    const redirect_uri = `http://${project.key}.localhost:${world.env.SITES_PORT}/`
    const { token: code } = await askCode(member, { client_id: project.key, redirect_uri })
    const client_secret = await siteClients.clientSecret(world.ctx, project.id)
    const { body } = await redeem(code, { client_id: project.key, client_secret, redirect_uri })
    expect((await userInfo(body.access_token)).status).toBe(200)
    await owner.call(deleteProject, { params: { id: project.id } })
    expect((await userInfo(body.access_token)).status).toBe(401)
  })

  it('is no door to the API: neither token of a site is a session', async () => {
    const { body } = await redeem((await askCode(member)).token)
    for (const each of [body.access_token, body.id_token])
      expect(await refusal(world.client(each)(getProfile))).toBe('unauthorized')
  })

  it('tells nothing without a token, and does not take one of the API', async () => {
    const none = await fetch(url('/api/auth/project/userinfo'))
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="Slipway"',
    ])
    expect((await userInfo(member.token)).status).toBe(401)
  })
})

describe('the signing keys', () => {
  it('rotate after 30 days; what the old one signed still verifies', async () => {
    const before = await loginProvider.publicKeys(world.ctx)
    const { body } = await redeem((await askCode(member)).token)
    world.clock.forward(29 * day)
    await member.call(getProfile)
    world.clock.forward(day)
    const after = await loginProvider.publicKeys(world.ctx)
    expect(after.keys).toHaveLength(before.keys.length + 1)
    const kid = decodeProtectedHeader(body.id_token).kid
    expect(after.keys.map((key) => key.kid)).toContain(kid)
    const fresh = await redeem((await askCode(await freshMember())).token)
    expect(decodeProtectedHeader(fresh.body.id_token).kid).toBe(after.keys[0]?.kid)
    world.clock.forward(7 * day)
    await loginProvider.tidy(world.ctx)
    expect((await loginProvider.publicKeys(world.ctx)).keys.map((key) => key.kid)).not.toContain(
      kid,
    )
  })

  it('are made once by servers that need one at the same time', async () => {
    const other = await createWorld()
    const apps = [other.app, await other.anotherApp(), await other.anotherApp()]
    const sets = await Promise.all(apps.map(({ ctx }) => loginProvider.publicKeys(ctx)))
    expect(new Set(sets.map(({ keys }) => keys.map((key) => key.kid).join())).size).toBe(1)
    await other.close()
  })
})

async function freshMember() {
  const person = await world.user()
  await world.join(person, owner.teamId)
  return person
}

describe('the rate limit', () => {
  it('does not hold for what the sites of one machine need to sign people in', async () => {
    const { app } = (await world.anotherApp({ RATE_LIMIT: 2 })).server
    for (let times = 0; times < 6; times++) {
      const status = async (url: string, method: 'GET' | 'POST' = 'GET') =>
        (await app.inject({ url, method })).statusCode
      expect(await status('/.well-known/openid-configuration')).toBe(200)
      expect(await status('/api/auth/project/jwks')).toBe(200)
      expect(await status('/api/auth/project/token', 'POST')).toBe(400)
    }
  })
})

describe('GET /.well-known/openid-configuration', () => {
  it('names the console’s screen as the authorization endpoint and itself as issuer', async () => {
    const answer = await (await fetch(url('/.well-known/openid-configuration'))).json()
    expect(answer).toMatchObject({
      issuer: world.env.PUBLIC_URL,
      authorization_endpoint: url('/auth/code'),
      token_endpoint: url('/api/auth/project/token'),
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['ES256'],
    })
  })
})
