import { getProfile } from '@slipway/contract/account'
import { limits } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import { exchangeExternalLogin } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import {
  browser,
  cookieHeader,
  exchange,
  loginUrl,
  newState,
  signIn,
  verifiedIdentity,
} from './external-login.fixture.ts'
import { externalLoginCodes, externalLogins } from './external-login.schema.ts'

let world: World
beforeAll(async () => {
  // The provider and openid-client use the system clock.
  world = await createWorld({}, new Date())
  await world.listenAtPublicUrl()
})
afterAll(() => world.close())

/** Signs in at the provider and stops before the browser requests the callback. */
async function untilCallback(email: string) {
  const state = newState()
  const first = createBrowser({ stopAt: (url) => url.pathname === '/api/auth/oauth/callback' })
  const picker = await first.visit(loginUrl(world, state))
  const { url } = await first.visit(picker.url, verifiedIdentity(email))
  /** Continues with the cookies of the same browser. */
  const follow = async (to = url) => {
    const second = browser()
    for (const [name, cookie] of first.cookies) second.cookies.set(name, cookie)
    return (await second.visit(to)).url
  }
  return { state, url, follow }
}

const expired = '?error=external_login_expired'

describe('the callback of an external login', () => {
  it('works once: a replayed URL is rejected', async () => {
    const { url, follow } = await untilCallback('replayed@example.com')
    expect((await follow(url)).pathname).toBe('/auth/login/oauth')
    expect((await follow(url)).search).toBe(expired)
  })

  it('accepts one of two concurrent requests', async () => {
    const { follow } = await untilCallback('twice@example.com')
    const ends = await Promise.all([follow(), follow()])
    expect(ends.map(({ pathname }) => pathname).sort()).toEqual([
      '/auth/login',
      '/auth/login/oauth',
    ])
  })

  it('works only in the browser that started the login', async () => {
    const { url } = await untilCallback('victim@example.com')
    // Another browser does not learn the console's state.
    expect((await browser().visit(url)).url.search).toBe(expired)
  })

  it('completes each of a browser’s concurrent logins', async () => {
    const inBrowser = browser()
    const states = [newState(), newState()]
    const pickers = await Promise.all(
      states.map((state) => inBrowser.visit(loginUrl(world, state))),
    )
    for (const [index, picker] of pickers.entries()) {
      const { url } = await inBrowser.visit(
        picker.url,
        verifiedIdentity(`tab.${index}@example.com`),
      )
      expect(url.pathname).toBe('/auth/login/oauth')
      expect(url.searchParams.get('state')).toBe(states[index])
      const { token = '' } = await exchange(world, url, cookieHeader(inBrowser))
      const profile = await world.client(token)(getProfile)
      expect(profile.email).toBe(`tab.${index}@example.com`)
    }
  })

  it.each<[string, string, (url: URL) => void]>([
    ['another code', 'external_login_failed', (url) => url.searchParams.set('code', 'forged')],
    ['no code', 'external_login_failed', (url) => url.searchParams.delete('code')],
    [
      'the name of another issuer',
      'external_login_failed',
      (url) => url.searchParams.set('iss', 'https://evil.example.com'),
    ],
    ['a cancellation', 'external_login_cancelled', toCancelled],
  ])(
    'with %s redirects to the login page with the error and the console’s state',
    async (_, error, change) => {
      const { state, url, follow } = await untilCallback('changed@example.com')
      change(url)
      const end = await follow(url)
      expect(end.pathname + end.search).toBe(`/auth/login?error=${error}&state=${state}`)
    },
  )

  it('is rejected without the state', async () => {
    const { url, follow } = await untilCallback('stateless@example.com')
    url.searchParams.delete('state')
    expect((await follow(url)).search).toBe(expired)
  })

  it('expires after five minutes', async () => {
    const { state, follow } = await untilCallback('late@example.com')
    world.clock.forward(limits.loginStateLifetime)
    expect((await follow()).search).toBe(`${expired}&state=${state}`)
  })

  it('logs and stores no code and no token', async () => {
    const inBrowser = browser()
    const { url } = await signIn(
      world,
      verifiedIdentity('quiet@example.com'),
      newState(),
      inBrowser,
    )
    const code = url.searchParams.get('token') ?? ''
    const storedRows = async () => [
      ...(await world.ctx.db.select().from(externalLogins)),
      ...(await world.ctx.db.select().from(externalLoginCodes)),
    ]
    const rows = JSON.stringify(await storedRows())
    const { token = '' } = await exchange(world, url, cookieHeader(inBrowser))
    for (const secret of [code, token]) {
      expect(secret).not.toBe('')
      expect(world.logged.join('') + rows + JSON.stringify(await storedRows())).not.toContain(
        secret,
      )
    }
  })
})

describe(title(exchangeExternalLogin), () => {
  /** A completed login whose code was not exchanged. */
  async function completed(email: string) {
    const inBrowser = browser()
    const { url } = await signIn(world, verifiedIdentity(email), newState(), inBrowser)
    return { url, cookie: cookieHeader(inBrowser), inBrowser }
  }

  it('starts one session, even with concurrent requests, and removes the cookie', async () => {
    const { url, cookie } = await completed('exchanged@example.com')
    const results = await Promise.all(Array.from({ length: 4 }, () => exchange(world, url, cookie)))
    const [first, ...others] = results.filter(({ token }) => token !== undefined)
    expect(others).toEqual([])
    expect(results.filter(({ error }) => error === 'invalid_token')).toHaveLength(3)
    expect((await world.client(first?.token ?? '')(getProfile)).email).toBe('exchanged@example.com')
    expect(first?.setCookies.join()).toMatch(/slipway_external_login_\w{8}=;/)
  })

  it('starts no session before the code is exchanged', async () => {
    const { url } = await completed('waiting@example.com')
    expect(await errorCodeOf(world.client(url.searchParams.get('token'))(getProfile))).toBe(
      'unauthorized',
    )
  })

  it('rejects a code after a minute', async () => {
    const { url, cookie } = await completed('slow@example.com')
    world.clock.forward(serviceLimits.externalLoginCodeLifetime)
    expect((await exchange(world, url, cookie)).error).toBe('invalid_token')
  })

  it('rejects a code in another browser and with another state, and redeems it', async () => {
    const stranger = await completed('stranger@example.com')
    for (const [what, cookie, changes] of [
      ['no cookie', '', {}],
      ['the cookie of another login', stranger.cookie, {}],
      ['another state', undefined, { state: newState() }],
    ] as const) {
      const { url, cookie: ownCookie } = await completed(`bound.${what.length}@example.com`)
      expect((await exchange(world, url, cookie ?? ownCookie, changes)).error, what).toBe(
        'invalid_token',
      )
      expect((await exchange(world, url, ownCookie)).error, what).toBe('invalid_token')
    }
    expect((await exchange(world, stranger.url, stranger.cookie)).token).toBeDefined()
  })

  it('tells the owner of a login in an unknown browser, except the first', async () => {
    const email = 'traveller@example.com'
    const identity = verifiedIdentity(email)
    const home = browser()
    for (const inBrowser of [home, home, browser()]) {
      const completedLogin = await signIn(world, identity, newState(), inBrowser)
      const { setCookies } = await exchange(world, completedLogin.url, cookieHeader(inBrowser))
      for (const line of setCookies) {
        const [value = ''] = line.split(';')
        if (value.startsWith('slipway_device='))
          inBrowser.cookies.set('/ device', { value, path: '/' })
      }
    }
    const [mail, ...others] = await world.mailsTo(email)
    expect(others).toEqual([])
    expect(mail?.subject).toBe(m.mail_new_device_subject({}, { locale: 'en' }))
    // The account has no password to change.
    expect(mail?.text).toContain('secure your Google account')
    expect(mail?.text).toContain(`${world.env.PUBLIC_URL}/account/security\n`)
  })
})

function toCancelled(url: URL) {
  url.searchParams.delete('code')
  url.searchParams.set('error', 'access_denied')
}
