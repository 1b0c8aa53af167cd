import { getProfile } from '@slipway/contract/account'
import { limits } from '@slipway/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { browser, loginUrl, newState, signIn, verifiedIdentity } from './external-login.fixture.ts'
import { externalLogins } from './external-login.schema.ts'

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
      const profile = await world.client(url.searchParams.get('token'))(getProfile)
      expect(profile.email).toBe(`tab.${index}@example.com`)
    }
  })

  it('removes its cookie', async () => {
    const inBrowser = browser()
    await signIn(world, verifiedIdentity('cookie@example.com'), newState(), inBrowser)
    expect(inBrowser.setCookies.join()).toContain('slipway_external_login_')
    expect([...inBrowser.cookies.keys()].join()).not.toContain('slipway_external_login_')
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

  it('logs and stores no token', async () => {
    const { url } = await signIn(world, verifiedIdentity('quiet@example.com'))
    const token = url.searchParams.get('token') ?? ''
    expect(token).not.toBe('')
    expect(world.logged.join('')).not.toContain(token)
    const rows = await world.ctx.db.select().from(externalLogins)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

function toCancelled(url: URL) {
  url.searchParams.delete('code')
  url.searchParams.set('error', 'access_denied')
}
