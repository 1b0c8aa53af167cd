import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startEditing } from './editing.fixture.ts'
import { phrases } from './phrases.ts'

const hour = 60 * 60 * 1000

const tooMany = { status: 429, body: { code: 429, error: 'too_many_requests' } }
const discovery = '/.well-known/openid-configuration'

describe('sign-in: failures', () => {
  it.each(['/token', discovery])('a 429 of %s can be retried', async (path) => {
    const { provider, browser, start, callbackUrl, signIn } = await startEditing()
    if (path === discovery) provider.responseOverrides.set(path, tooMany)
    const url = path === discovery ? start : (await callbackUrl()).href
    provider.responseOverrides.set(path, tooMany)
    const page = await browser.get(url)
    expect(page.status).toBe(503)
    expect(page.body).toContain(phrases.en.failures.unavailable.title)
    expect(page.body).toContain('href="/yk/app/auth/oauth/cloud"')
    provider.responseOverrides.clear()
    expect((await signIn()).body).toContain('Signed in as Ada Example')
  })

  it.each([
    ['en', 'Sign-in couldn’t be completed'],
    ['tr', 'Giriş tamamlanamadı'],
  ])(
    'a session that cannot be stored fails the sign-in, with a page in %s',
    async (language, title) => {
      const { files, lines, browser, callbackUrl, signIn } = await startEditing()
      // The temporary file cannot be created, as on a full disk.
      const obstacle = join(files.data, 'sessions.json.new')
      await mkdir(obstacle)
      const page = await browser.get((await callbackUrl()).href, { 'accept-language': language })
      expect(page.status).toBe(500)
      expect(page.body).toContain(`<h1>${title}</h1>`)
      expect(page.body).toContain('href="/yk/app/auth/oauth/cloud"')
      expect(browser.cookies).toEqual([])
      expect(lines.join()).toContain('A sign-in could not be stored')
      await rmdir(obstacle)
      expect((await signIn()).body).toContain('Signed in as Ada Example')
    },
  )

  it('an unreadable site key fails the start and the callback with a page', async () => {
    const { files, browser, start, app, signIn } = await startEditing()
    const key = join(files.data, 'site.key')
    await mkdir(key)
    const callback = `${start}/callback?code=x&state=${'s'.repeat(43)}`
    for (const address of [start, callback]) {
      const page = await browser.get(address)
      expect(page.status).toBe(500)
      expect(page.body).toContain('Sign-in couldn’t be completed')
    }
    const editor = await browser.get(app, {
      cookie: 'site_session=a.b',
      'accept-language': 'tr',
    })
    expect(editor.status).toBe(500)
    expect(editor.body).toContain('Bir sorun oluştu')
    await rmdir(key)
    expect((await signIn()).body).toContain('Signed in as Ada Example')
  })
})

describe('sign-in: cached discovery', () => {
  const discoveries = (paths: string[]) => paths.filter((path) => path === discovery).length

  it('a forged callback does not repeat discovery', async () => {
    const { provider, browser, callbackUrl } = await startEditing()
    for (const change of [
      (url: URL) => url.searchParams.set('code', 'made-up'),
      (url: URL) => url.searchParams.set('iss', 'http://evil.test'),
      (url: URL) => {
        url.searchParams.delete('code')
        url.searchParams.set('error', 'unauthorized_client')
      },
    ]) {
      const callback = await callbackUrl()
      change(callback)
      expect((await browser.get(callback.href)).status).toBeGreaterThanOrEqual(400)
    }
    await callbackUrl()
    expect(discoveries(provider.requestedPaths)).toBe(1)
  })

  it.each([
    ['does not know the site', { status: 401, body: { error: 'invalid_client' } }],
    ['moved its token endpoint', { status: 404, body: {} }],
  ])('discovery is repeated when the console %s', async (_why, override) => {
    const { provider, browser, callbackUrl, signIn } = await startEditing()
    const callback = await callbackUrl()
    provider.responseOverrides.set('/token', override)
    await browser.get(callback.href)
    provider.responseOverrides.clear()
    expect((await signIn()).body).toContain('Signed in as Ada Example')
    expect(discoveries(provider.requestedPaths)).toBe(2)
  })

  it('discovery is repeated when the console signs with an unknown key', async () => {
    const { provider, browser, callbackUrl, signIn } = await startEditing()
    await signIn()
    provider.changeKey()
    const rejected = await browser.get((await callbackUrl()).href)
    expect(rejected.body).toContain(phrases.en.failures.other.title)
    expect((await signIn()).body).toContain('Signed in as Ada Example')
    expect(discoveries(provider.requestedPaths)).toBe(2)
  })
})

describe('sign-in: the page to return to', () => {
  afterEach(() => void vi.useRealTimers())

  /** Moves only the clock: the timers of the network keep running. */
  const expireToken = () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + hour)
  }

  it.each(['/pictures', '/design', '?page=new'])(
    'a renewal returns to the page %s that was requested',
    async (path) => {
      const { browser, app, signIn } = await startEditing()
      await signIn()
      expireToken()
      const renewal = await browser.get(app + path)
      const address = String(renewal.headers.refresh).replace('0; url=', '')
      expect(renewal.body).toContain(`href="${address}"`)
      const page = await browser.follow(new URL(address, app).href)
      expect([page.url.href, page.status]).toEqual([app + path, 200])
      expect(page.body).toContain('Signed in as Ada Example')
    },
  )

  it.each([
    'https://evil.example/yk/app',
    '//evil.example/yk/app',
    '/yk/app/../../',
    '/yk/apple',
    '/yk/app/auth/oauth/cloud',
    `/yk/app?${'a'.repeat(200)}`,
  ])('a sign-in does not return to %s', async (next) => {
    const { browser, app, start } = await startEditing()
    const page = await browser.follow(`${start}?${new URLSearchParams({ next })}`)
    expect([page.url.href, page.status]).toEqual([app, 200])
  })

  it.each([
    ['/design', { design: 'journal', accent: 'rust' }],
    ['/pages', { order: '' }],
    ['/pictures', { picture: '0123456789ab', delete: '' }],
  ])(
    'a form of %s that is sent after the hour says that the session has ended',
    async (path, fields) => {
      const { browser, app, signIn } = await startEditing()
      const form_token = (await signIn()).hidden('form_token')
      expireToken()
      const response = await browser.post(app + path, { form_token, ...fields })
      expect(response.headers.refresh).toBeUndefined()
      expect(response.body).toContain(phrases.en.accessEnded)
      expect(response.body).toContain(`cloud?next=${encodeURIComponent(`/yk/app${path}`)}"`)
    },
  )
})

describe('editor', () => {
  it.each([
    ['en', 'Back to the console'],
    ['tr', 'Konsola dön'],
  ])('links to the project’s page of the console in %s', async (language, label) => {
    const { provider, browser, app, signIn } = await startEditing()
    await signIn()
    const { body } = await browser.get(app, { 'accept-language': language })
    expect(body).toContain(`<a href="${provider.issuer}/projects/view/example">${label}</a>`)
  })

  it('saving redirects with 303, so that a reload does not save again', async () => {
    const { signIn, save, app } = await startEditing()
    const saved = await save(await signIn(), 'Mine')
    expect([saved.status, saved.location?.href]).toEqual([303, `${app}?saved`])
  })
})
