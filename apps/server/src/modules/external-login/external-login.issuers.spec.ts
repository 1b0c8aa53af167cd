import { getProfile } from '@slipway/contract/account'
import { listLoginProviders } from '@slipway/contract/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { externalProviders } from '../../env/values.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { browser, cookieHeader, exchange, newState } from './external-login.fixture.ts'
import {
  clientId,
  clientSecret,
  startGitHub,
  startOidcProvider,
} from './external-login.issuers.fixture.ts'

const email = 'outside@example.com'
const gitHubEmails = [
  { email: 'other@example.com', primary: false, verified: true },
  { email: 'octocat@example.com', primary: true, verified: true },
]

let world: World
let acme: Awaited<ReturnType<typeof startOidcProvider>>
let gitHub: Awaited<ReturnType<typeof startGitHub>>

const parse = (list: object[]) => externalProviders.parse(JSON.stringify(list))
const client = { clientId, clientSecret }

beforeAll(async () => {
  acme = await startOidcProvider()
  gitHub = await startGitHub({ id: 583231, login: 'octocat', name: null }, gitHubEmails)
  const LOGIN_PROVIDERS = parse([
    {
      id: 'acme',
      name: 'Acme',
      issuer: acme.origin,
      icon: 'data:image/png;base64,AA==',
      ...client,
    },
    { id: 'github', type: 'github', name: 'GitHub', issuer: gitHub.origin, ...client },
  ])
  // openid-client checks ID tokens by the system clock.
  world = await createWorld({ LOGIN_PROVIDERS }, new Date())
  acme.register(`${world.env.PUBLIC_URL}/api/auth/oauth/callback`, {
    name: 'Outside User',
    email,
    email_verified: true,
  })
  await world.listenAtPublicUrl()
})
afterAll(async () => {
  await world.close()
  acme.close()
  gitHub.close()
})

const startUrl = (provider: string) =>
  `${world.env.PUBLIC_URL}/api/auth/oauth/redirect?provider=${provider}&state=${newState()}`

async function profileOf(consoleUrl: URL, inBrowser: ReturnType<typeof browser>) {
  expect(consoleUrl.searchParams.get('error')).toBeNull()
  const { token = null } = await exchange(world, consoleUrl, cookieHeader(inBrowser))
  return world.client(token)(getProfile)
}

describe('a provider of LOGIN_PROVIDERS', () => {
  it('is offered with its name and picture, instead of the stand-in and after Google', async () => {
    const listedProviders = [
      { provider: 'acme', name: 'Acme', icon: 'data:image/png;base64,AA==' },
      { provider: 'github', name: 'GitHub', icon: expect.stringMatching(/^data:image\/svg/) },
    ]
    expect(await world.guest(listLoginProviders)).toEqual(listedProviders)
    const appWithGoogle = await world.anotherApp({
      GOOGLE_CLIENT_ID: 'x',
      GOOGLE_CLIENT_SECRET: 'y',
    })
    const google = { provider: 'google', name: 'Google', icon: '/google.svg' }
    expect(await world.client(null, 'en', appWithGoogle)(listLoginProviders)).toEqual([
      google,
      ...listedProviders,
    ])
  })

  it('signs in by oidc-provider, which has the email at its userinfo endpoint', async () => {
    const first = browser()
    const completed = await acme.signIn(first.visit, startUrl('acme'), 'subject-1')
    const profile = await profileOf(completed.url, first)
    expect(profile).toMatchObject({ name: 'Outside User', email, loginKind: 'Acme' })
    const secondBrowser = browser()
    const next = await acme.signIn(secondBrowser.visit, startUrl('acme'), 'subject-1')
    expect((await profileOf(next.url, secondBrowser)).id).toBe(profile.id)
  })

  it('rejects another account of the issuer with the same address', async () => {
    const { url } = await acme.signIn(browser().visit, startUrl('acme'), 'subject-2')
    expect(url.searchParams.get('error')).toBe('external_email_in_use')
  })

  it('signs in by GitHub, with the primary address and the login as name', async () => {
    const inBrowser = browser()
    const completed = await inBrowser.visit(startUrl('github'))
    expect(await profileOf(completed.url, inBrowser)).toMatchObject({
      name: 'octocat',
      email: 'octocat@example.com',
      loginKind: 'GitHub',
    })
    const [form] = gitHub.tokenRequests
    expect(form?.get('client_secret')).toBe(clientSecret)
    expect(form?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  })

  it('rejects an address of GitHub that is not verified', async () => {
    const verified = gitHubEmails.splice(0, 2, {
      email: 'new@example.com',
      primary: true,
      verified: false,
    })
    gitHub.user.id = 1
    const { url } = await browser().visit(startUrl('github'))
    expect(url.searchParams.get('error')).toBe('external_email_not_verified')
    gitHub.user.id = 583231
    gitHubEmails.splice(0, 1, ...verified)
  })

  it('rejects a code that GitHub does not know, which it says with status 200', async () => {
    const inBrowser = browser()
    gitHub.issueCode('a-wrong-code')
    const { url } = await inBrowser.visit(startUrl('github'))
    expect(url.searchParams.get('error')).toBe('external_login_failed')
    expect(world.logged.join('')).toContain('bad_verification_code')
  })
})

describe('LOGIN_PROVIDERS', () => {
  const valid = { id: 'acme', name: 'Acme', issuer: 'https://login.acme.example', ...client }

  it.each([
    ['no JSON', 'acme'],
    ['no list', JSON.stringify(valid)],
    ['an id twice', JSON.stringify([valid, valid])],
    ['an issuer without TLS', JSON.stringify([{ ...valid, issuer: 'http://login.acme.example' }])],
    ['the name of our own login', JSON.stringify([{ ...valid, name: 'Email' }])],
    ['no secret', JSON.stringify([{ ...valid, clientSecret: undefined }])],
    ['a picture of another server', JSON.stringify([{ ...valid, icon: 'https://x.example/i' }])],
  ])('rejects %s', (_what, value) => {
    expect(externalProviders.safeParse(value).success).toBe(false)
  })

  it('accepts a list', () => {
    expect(externalProviders.safeParse(JSON.stringify([valid])).data).toEqual([
      { ...valid, type: 'oidc' },
    ])
  })
})
