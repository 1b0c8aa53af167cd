import { getProfile } from '@slipway/contract/account'
import { limits } from '@slipway/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { browser, newState, outTo, signIn, somebody } from './external-login.fixture.ts'
import { externalLogins } from './external-login.schema.ts'

let world: World
beforeAll(async () => {
  // The provider and its client look at the machine's clock.
  world = await createWorld({}, new Date())
  await world.listenAtPublicUrl()
})
afterAll(() => world.close())

/** Goes as far as the provider's answer, which its own browser has not followed yet. */
async function answered(email: string) {
  const state = newState()
  const by = createBrowser({ stopAt: (url) => url.pathname === '/api/auth/oauth/callback' })
  const pick = await by.visit(outTo(world, state))
  const { url } = await by.visit(pick.url, somebody(email))
  /** The same browser goes on, to the answer as it is or another address. */
  const follow = async (to = url) => {
    const same = browser()
    for (const [name, cookie] of by.cookies) same.cookies.set(name, cookie)
    return (await same.visit(to)).url
  }
  return { state, url, follow }
}

const expired = '?error=external_login_expired'

describe('the way back from a provider', () => {
  it('can be gone once: a replayed answer is refused', async () => {
    const { url, follow } = await answered('replayed@example.com')
    expect((await follow(url)).pathname).toBe('/auth/login/oauth')
    expect((await follow(url)).search).toBe(expired)
  })

  it('is gone by one of two at once', async () => {
    const { follow } = await answered('twice@example.com')
    const ends = await Promise.all([follow(), follow()])
    expect(ends.map(({ pathname }) => pathname).sort()).toEqual([
      '/auth/login',
      '/auth/login/oauth',
    ])
  })

  it('leads into the browser that began it, and into no other', async () => {
    const { url } = await answered('victim@example.com')
    // The console's state is for the browser that made it alone.
    expect((await browser().visit(url)).url.search).toBe(expired)
  })

  it('is there for each of the logins that a browser begins at the same time', async () => {
    const by = browser()
    const states = [newState(), newState()]
    const picks = await Promise.all(states.map((state) => by.visit(outTo(world, state))))
    for (const [index, pick] of picks.entries()) {
      const { url } = await by.visit(pick.url, somebody(`tab.${index}@example.com`))
      expect(url.pathname).toBe('/auth/login/oauth')
      expect(url.searchParams.get('state')).toBe(states[index])
      const profile = await world.client(url.searchParams.get('token'))(getProfile)
      expect(profile.email).toBe(`tab.${index}@example.com`)
    }
  })

  it('leaves no cookie behind', async () => {
    const by = browser()
    await signIn(world, somebody('tidy@example.com'), newState(), by)
    expect(by.setCookies.join()).toContain('slipway_external_login_')
    expect([...by.cookies.keys()].join()).not.toContain('slipway_external_login_')
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
    'with %s leads to the login page, which learns which login it was',
    async (_, error, change) => {
      const { state, url, follow } = await answered('changed@example.com')
      change(url)
      const end = await follow(url)
      expect(end.pathname + end.search).toBe(`/auth/login?error=${error}&state=${state}`)
    },
  )

  it('leads nowhere without the state', async () => {
    const { url, follow } = await answered('stateless@example.com')
    url.searchParams.delete('state')
    expect((await follow(url)).search).toBe(expired)
  })

  it('ends after five minutes', async () => {
    const { state, follow } = await answered('late@example.com')
    world.clock.forward(limits.loginStateLifetime)
    expect((await follow()).search).toBe(`${expired}&state=${state}`)
  })

  it('writes no token into the log, and leaves nothing stored', async () => {
    const { url } = await signIn(world, somebody('quiet@example.com'))
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
