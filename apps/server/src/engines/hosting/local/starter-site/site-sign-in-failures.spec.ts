import { describe, expect, it } from 'vitest'
import { openBrowser, type Page } from './browser.fixture.ts'
import { startSignInWorld } from './site-sign-in.fixture.ts'

/** A clear page with a way to begin again, which signs nobody in. */
const expectFailure = (page: Page, status: number, title: string) => {
  expect(page.body).toContain(`<h1>${title}</h1>`)
  expect(page.status).toBe(status)
  expect(page.body).toContain('href="/yk/app/auth/oauth/cloud"')
  expect(String(page.headers['set-cookie'] ?? '')).not.toContain('site_session')
  expect(page.headers['cache-control']).toBe('no-store')
}

const notRecognised = 'This sign-in cannot be continued'

describe('the callback', () => {
  it('signs nobody in a second time, with or without the cookie of the first', async () => {
    const { browser, comeBack, provider } = await startSignInWorld()
    const back = await comeBack()
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    await browser.follow(back.href)
    expect(provider.exchanges).toBe(1)

    expectFailure(await openBrowser().get(back.href), 400, notRecognised)
    expect(provider.exchanges).toBe(1)
    const replayed = await openBrowser().get(back.href, { cookie })
    expectFailure(replayed, 400, 'This sign-in has expired')
  })

  it('needs the browser in which the sign-in began, and asks nothing of the provider without it', async () => {
    const { comeBack, browser, provider } = await startSignInWorld()
    const back = await comeBack()
    expectFailure(await openBrowser().get(back.href), 400, notRecognised)
    expect(provider.exchanges).toBe(0)
    expect((await browser.follow(back.href)).body).toContain('Signed in as Ada')
  })

  it.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['a state that would be a cookie', (url: URL) => url.searchParams.set('state', 'x; Path=/')],
    [
      'no state and no code',
      (url: URL) => ['state', 'code'].map((x) => url.searchParams.delete(x)),
    ],
  ])('refuses %s', async (_case, change) => {
    const { comeBack, browser, provider } = await startSignInWorld()
    const back = await comeBack()
    change(back)
    expectFailure(await browser.get(back.href), 400, notRecognised)
    expect(provider.exchanges).toBe(0)
  })

  it('refuses a cookie that was changed', async () => {
    const { comeBack, browser, provider } = await startSignInWorld()
    const back = await comeBack()
    const ours = browser.cookies.find(({ name }) => name.startsWith('site_sign_in_'))
    const value = ours?.value ?? ''
    const middle = value.length >> 1
    const other = value[middle] === 'A' ? 'B' : 'A'
    const cookie = `${ours?.name}=${value.slice(0, middle)}${other}${value.slice(middle + 1)}`
    expectFailure(await openBrowser().get(back.href, { cookie }), 400, notRecognised)
    expect(provider.exchanges).toBe(0)
  })

  it.each([
    ['another issuer (RFC 9207)', (url: URL) => url.searchParams.set('iss', 'http://evil.test')],
    ['no issuer', (url: URL) => url.searchParams.delete('iss')],
    ['two codes', (url: URL) => url.searchParams.append('code', 'another')],
  ])('refuses an answer with %s, without spending its code', async (_case, change) => {
    const { comeBack, browser, provider } = await startSignInWorld()
    const back = await comeBack()
    change(back)
    expectFailure(await browser.get(back.href), 502, 'The sign-in failed')
    expect(provider.exchanges).toBe(0)
  })

  it('refuses a made-up code', async () => {
    const { comeBack, browser } = await startSignInWorld()
    const back = await comeBack()
    back.searchParams.set('code', 'made-up')
    expectFailure(await browser.get(back.href), 400, 'This sign-in has expired')
  })

  it('refuses a code that was given to another sign-in of the same browser', async () => {
    const { comeBack, browser } = await startSignInWorld()
    const [first, second] = [await comeBack(), await comeBack()]
    first.searchParams.set('code', second.searchParams.get('code') ?? '')
    expectFailure(await browser.get(first.href), 400, 'This sign-in has expired')
  })

  it('answers no HEAD, which would spend a code for nobody', async () => {
    const { comeBack, browser, provider } = await startSignInWorld()
    const back = await comeBack()
    const answer = await browser.head(back.href)
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET'])
    expect(provider.exchanges).toBe(0)
    expect((await browser.follow(back.href)).body).toContain('Signed in as Ada')
  })
})

describe('a sign-in', () => {
  it('that is cancelled says so, in both languages', async () => {
    const { provider, comeBack, browser } = await startSignInWorld()
    provider.decision = 'cancel'
    expectFailure(await browser.get((await comeBack()).href), 403, 'The sign-in was cancelled')
    const turkish = await browser.get((await comeBack()).href, { 'accept-language': 'tr' })
    expectFailure(turkish, 403, 'Giriş iptal edildi')
  })

  it('while the provider is down says so, and the site itself goes on', async () => {
    const { provider, comeBack, browser, start, home } = await startSignInWorld()
    const back = await comeBack()
    provider.close()
    const title = 'Signing in does not work at the moment'
    expectFailure(await browser.get(back.href), 503, title)
    expectFailure(await browser.get(start), 503, title)
    expect((await browser.get(home)).status).toBe(200)
  })

  it('shows the address when the provider told no name', async () => {
    const { provider, signIn } = await startSignInWorld()
    provider.decision = { subject: 'grace' }
    expect((await signIn()).body).toContain('Signed in as grace@example.com')
  })

  it('ends neither by looking at the start nor at the sign-out', async () => {
    const { browser, app, start, signIn } = await startSignInWorld()
    await signIn()
    await browser.get(start)
    expect((await browser.get(`${app}/sign-out`)).status).toBe(405)
    expect((await browser.get(app)).body).toContain('Signed in as Ada')
  })
})
