import { describe, expect, it } from 'vitest'
import { openBrowser, type Page } from './browser.fixture.ts'
import { startSignInWorld } from './site-sign-in.fixture.ts'

/** Expects an error page with a retry link and no session. */
const expectFailure = (page: Page, status: number, title: string) => {
  expect(page.body).toContain(`<h1>${title}</h1>`)
  expect(page.status).toBe(status)
  expect(page.body).toContain('href="/yk/app/auth/oauth/cloud"')
  expect(String(page.headers['set-cookie'] ?? '')).not.toContain('site_session')
  expect(page.headers['cache-control']).toBe('no-store')
}

const notRecognized = 'This sign-in is no longer valid'

describe('starter site: sign-in callback', () => {
  it('a used callback is rejected, with or without the cookie', async () => {
    const { browser, callbackUrl, provider } = await startSignInWorld()
    const callback = await callbackUrl()
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    await browser.follow(callback.href)
    expect(provider.exchanges).toBe(1)

    expectFailure(await openBrowser().get(callback.href), 400, notRecognized)
    expect(provider.exchanges).toBe(1)
    const replayed = await openBrowser().get(callback.href, { cookie })
    expectFailure(replayed, 400, 'This sign-in has expired')
  })

  it('rejects another browser without a request to the provider', async () => {
    const { callbackUrl, browser, provider } = await startSignInWorld()
    const callback = await callbackUrl()
    expectFailure(await openBrowser().get(callback.href), 400, notRecognized)
    expect(provider.exchanges).toBe(0)
    expect((await browser.follow(callback.href)).body).toContain('Signed in as Ada')
  })

  it.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['a state that would be a cookie', (url: URL) => url.searchParams.set('state', 'x; Path=/')],
    [
      'no state and no code',
      (url: URL) => ['state', 'code'].map((x) => url.searchParams.delete(x)),
    ],
  ])('rejects %s', async (_case, change) => {
    const { callbackUrl, browser, provider } = await startSignInWorld()
    const callback = await callbackUrl()
    change(callback)
    expectFailure(await browser.get(callback.href), 400, notRecognized)
    expect(provider.exchanges).toBe(0)
  })

  it('rejects a changed cookie', async () => {
    const { callbackUrl, browser, provider } = await startSignInWorld()
    const callback = await callbackUrl()
    const ours = browser.cookies.find(({ name }) => name.startsWith('site_sign_in_'))
    const value = ours?.value ?? ''
    const middle = value.length >> 1
    const changedLetter = value[middle] === 'A' ? 'B' : 'A'
    const cookie = `${ours?.name}=${value.slice(0, middle)}${changedLetter}${value.slice(middle + 1)}`
    expectFailure(await openBrowser().get(callback.href, { cookie }), 400, notRecognized)
    expect(provider.exchanges).toBe(0)
  })

  it.each([
    ['another issuer (RFC 9207)', (url: URL) => url.searchParams.set('iss', 'http://evil.test')],
    ['no issuer', (url: URL) => url.searchParams.delete('iss')],
    ['two codes', (url: URL) => url.searchParams.append('code', 'another')],
  ])('rejects a response with %s without using its code', async (_case, change) => {
    const { callbackUrl, browser, provider } = await startSignInWorld()
    const callback = await callbackUrl()
    change(callback)
    expectFailure(await browser.get(callback.href), 502, 'Sign-in failed')
    expect(provider.exchanges).toBe(0)
  })

  it('rejects a forged code', async () => {
    const { callbackUrl, browser } = await startSignInWorld()
    const callback = await callbackUrl()
    callback.searchParams.set('code', 'made-up')
    expectFailure(await browser.get(callback.href), 400, 'This sign-in has expired')
  })

  it('rejects a code of another sign-in of the same browser', async () => {
    const { callbackUrl, browser } = await startSignInWorld()
    const [first, second] = [await callbackUrl(), await callbackUrl()]
    first.searchParams.set('code', second.searchParams.get('code') ?? '')
    expectFailure(await browser.get(first.href), 400, 'This sign-in has expired')
  })

  it('rejects HEAD, which would use the code', async () => {
    const { callbackUrl, browser, provider } = await startSignInWorld()
    const callback = await callbackUrl()
    const response = await browser.head(callback.href)
    expect([response.status, response.headers.allow]).toEqual([405, 'GET'])
    expect(provider.exchanges).toBe(0)
    expect((await browser.follow(callback.href)).body).toContain('Signed in as Ada')
  })
})

describe('starter site: failed sign-in', () => {
  it('a cancelled sign-in has its own page in both languages', async () => {
    const { provider, callbackUrl, browser } = await startSignInWorld()
    provider.decision = 'cancel'
    expectFailure(await browser.get((await callbackUrl()).href), 403, 'Sign-in canceled')
    const turkish = await browser.get((await callbackUrl()).href, { 'accept-language': 'tr' })
    expectFailure(turkish, 403, 'Giriş iptal edildi')
  })

  it('an unreachable provider has its own page, and the site stays up', async () => {
    const { provider, callbackUrl, browser, start, home } = await startSignInWorld()
    const callback = await callbackUrl()
    provider.close()
    const title = 'Sign-in is temporarily unavailable'
    expectFailure(await browser.get(callback.href), 503, title)
    expectFailure(await browser.get(start), 503, title)
    expect((await browser.get(home)).status).toBe(200)
  })

  it('the editor shows the email when the provider sends no name', async () => {
    const { provider, signIn } = await startSignInWorld()
    provider.decision = { subject: 'grace' }
    expect((await signIn()).body).toContain('Signed in as grace@example.com')
  })

  it('GET of the start or the sign-out does not end the session', async () => {
    const { browser, app, start, signIn } = await startSignInWorld()
    await signIn()
    await browser.get(start)
    expect((await browser.get(`${app}/sign-out`)).status).toBe(405)
    expect((await browser.get(app)).body).toContain('Signed in as Ada')
  })
})
