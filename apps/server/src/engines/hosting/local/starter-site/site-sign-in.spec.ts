import { readFile, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { httpGet } from '../../../../testing/http-get.ts'
import { createLayout } from '../files/layout.ts'
import { openBrowser } from './browser.fixture.ts'
import { startSignInWorld } from './site-sign-in.fixture.ts'

describe('starter site: sign-in', () => {
  it('the access link leads through the provider to the editor, and sign-out works', async () => {
    const site = await startSignInWorld()
    const editor = await site.signIn()
    expect(editor.status).toBe(200)
    expect(editor.url.href).toBe(site.app)
    expect(editor.body).toContain('Signed in as Ada &lt;b&gt;Example&lt;/b&gt;')

    const saved = await site.save(editor, 'A new title', 'First.\n\nSecond.')
    expect(saved.location?.href).toBe(`${site.app}?saved`)
    const home = (await openBrowser().get(site.home)).body
    expect(home).toContain('<h1>A new title</h1>\n<p>First.</p>\n<p>Second.</p>')

    const out = await site.browser.post(`${site.app}/sign-out`, {
      form_token: editor.hidden('form_token'),
    })
    expect(out.location?.href).toBe(`${site.app}?signed-out`)
    expect(site.browser.cookies.filter(({ name }) => name === 'site_session')).toEqual([])
    const closed = await site.browser.get(site.app)
    expect(closed.body).toContain('href="/yk/app/auth/oauth/cloud"')
    expect(closed.body).not.toContain('<form')
  })

  it("the authorization request has state, nonce, PKCE and the visitor's host as redirect", async () => {
    const { browser, start, callback, provider } = await startSignInWorld()
    const { location } = await browser.get(start)
    expect(location?.origin).toBe(provider.issuer)
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      client_id: 'example',
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('a custom domain with https gets an https callback and secure cookies', async () => {
    const { dataDir } = await startSignInWorld()
    const { socket } = createLayout(dataDir).site('example')
    const forwarded = { 'x-forwarded-host': 'www.example.com', 'x-forwarded-proto': 'https' }
    const response = await httpGet({ socketPath: socket }, '/yk/app/auth/oauth/cloud', forwarded)
    const location = new URL(String(response.headers.location))
    expect(location.searchParams.get('redirect_uri')).toBe(
      'https://www.example.com/yk/app/auth/oauth/cloud/callback',
    )
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-site_sign_in_.*; Path=\/;.*; Secure$/),
    ])
  })

  it('session and home page survive a restart of the site', async () => {
    const before = await startSignInWorld()
    const editor = await before.signIn()
    await before.save(editor, 'It stays', 'And so does the text.')
    const pid = await before.world.pid('example')
    process.kill(pid, 'SIGKILL')

    await expect
      .poll(() => before.world.pid('example').catch(() => pid), { timeout: 20_000, interval: 20 })
      .not.toBe(pid)
    expect((await before.browser.get(before.home)).body).toContain('<h1>It stays</h1>')
    expect((await before.browser.get(before.app)).body).toContain('value="It stays"')
  })

  it('two tabs of one browser can sign in at once', async () => {
    const { callbackUrl, browser } = await startSignInWorld()
    const [first, second] = [await callbackUrl(), await callbackUrl()]
    expect((await browser.follow(second.href)).body).toContain('Signed in as Ada')
    expect((await browser.follow(first.href)).body).toContain('Signed in as Ada')
  })
})

describe('starter site: cookies', () => {
  it('cookies are host-only, HttpOnly and SameSite=Lax', async () => {
    const { browser, callbackUrl } = await startSignInWorld()
    const callback = await callbackUrl()
    const ours = () => browser.cookies.filter(({ name }) => name.startsWith('site_'))
    const attributes = (age: number) =>
      expect.stringMatching(
        new RegExp(`^[\\w-]+=[\\w.-]+; Path=/yk/app; Max-Age=${age}; HttpOnly; SameSite=Lax$`),
      )
    expect(ours().map(({ header }) => header)).toEqual([attributes(600)])

    const response = await browser.get(callback.href)
    expect(response.status).toBe(303)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['referrer-policy']).toBe('no-referrer')
    expect(ours().map(({ name }) => name)).toEqual(['site_session'])
    expect(ours().map(({ header }) => header)).toEqual([attributes(43_200)])
  })

  it('the cookie hides the verifier and the nonce', async () => {
    const { browser, start } = await startSignInWorld()
    const { location } = await browser.get(start)
    const cookie = browser.cookies[0]?.value ?? ''
    const text = cookie + Buffer.from(cookie, 'base64url').toString('latin1')
    expect(text.length).toBeGreaterThan(300)
    expect(text).not.toContain(location?.searchParams.get('nonce'))
    expect(text).not.toContain('codeVerifier')
  })

  it('a changed, forged or signed-out cookie is rejected', async () => {
    const { browser, app, signIn } = await startSignInWorld()
    const editor = await signIn()
    const session = browser.cookies.find(({ name }) => name === 'site_session')?.value ?? ''
    const [value = '', signature = ''] = session.split('.')
    const changedLetter = value.startsWith('A') ? 'B' : 'A'
    const enters = async (cookie: string) =>
      (await openBrowser().get(app, { cookie: `site_session=${cookie}` })).body.includes('<form')

    await expect(enters(session)).resolves.toBe(true)
    for (const wrong of [
      '',
      value,
      `${value}.`,
      `.${signature}`,
      `${changedLetter}${value.slice(1)}.${signature}`,
      `${value}.${signature.slice(1)}${signature[0]}`,
      `${session}.`,
    ]) {
      await expect(enters(wrong)).resolves.toBe(false)
    }

    await browser.post(`${app}/sign-out`, { form_token: editor.hidden('form_token') })
    await expect(enters(session)).resolves.toBe(false)
  })

  it('a cookie over https that another subdomain could set is rejected', async () => {
    const { browser, app, dataDir, signIn } = await startSignInWorld()
    await signIn()
    const session = browser.cookies.find(({ name }) => name === 'site_session')?.value ?? ''
    const socketPath = createLayout(dataDir).site('example').socket
    const { pathname, host } = new URL(app)
    const byTls = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' }
    const enters = async (cookie: string) =>
      (await httpGet({ socketPath }, pathname, { ...byTls, cookie })).body.includes('<form')

    await expect(enters(`__Host-site_session=${session}`)).resolves.toBe(true)
    await expect(enters(`site_session=${session}`)).resolves.toBe(false)
    const cookies = `site_session=planted; __Host-site_session=${session}; __Host-=; =x`
    await expect(enters(cookies)).resolves.toBe(true)
  })

  it('each sign-in starts a new session and ends the previous one', async () => {
    const { browser, app, signIn } = await startSignInWorld()
    const sessionOf = () => browser.cookies.find(({ name }) => name === 'site_session')?.value
    await signIn()
    const first = sessionOf()
    await signIn()
    expect(sessionOf()).not.toBe(first)
    const old = await openBrowser().get(app, { cookie: `site_session=${first}` })
    expect(old.body).not.toContain('<form')
  })
})

describe('starter site: client secret', () => {
  it('only the server and the site can read the client secret', async () => {
    const { dataDir, provider } = await startSignInWorld()
    const { settings, folder } = createLayout(dataDir).site('example')
    expect((await stat(settings)).mode & 0o007).toBe(0)
    expect((await stat(folder)).mode & 0o007).toBe(0)
    expect(JSON.parse(await readFile(settings, 'utf8')).signIn.issuer).toBe(provider.issuer)
  })

  it('the client secret is in no log, response or command line', async () => {
    const site = await startSignInWorld()
    await site.signIn()
    await site.browser.get(`${site.callback}?code=a-code&state=${'s'.repeat(43)}`)
    const { log } = createLayout(site.dataDir).site('example')
    const pid = await site.world.pid('example')
    const command =
      process.platform === 'linux' ? await readFile(`/proc/${pid}/cmdline`, 'utf8') : ''
    const logged = [
      await readFile(log, 'utf8'),
      command,
      (await site.browser.get(`${site.home}healthz`)).body,
      JSON.stringify(site.world.lines),
    ].join('\n')
    expect(logged).toContain('A user signed in')
    expect(logged).not.toContain(site.instance.signIn.clientSecret)
    expect(logged).not.toContain('a-code')
  })

  it('a new client secret works without a restart, the old one no longer does', async () => {
    const { world, instance, signIn, callbackUrl, browser } = await startSignInWorld()
    const pid = await world.pid('example')
    const changed = {
      ...instance,
      signIn: { ...instance.signIn, clientSecret: 'another-secret' },
    }
    await world.engine.apply(changed, { mayCreate: false })
    const rejected = await browser.get((await callbackUrl()).href, { 'accept-language': 'tr' })
    expect(rejected.status).toBe(502)
    expect(rejected.body).toContain('Konsol bu web sitesini tanımıyor')
    expect(rejected.body).toContain('href="/yk/app/auth/oauth/cloud"')

    await world.engine.apply(instance, { mayCreate: true })
    expect((await signIn()).body).toContain('Signed in as Ada')
    await expect(world.pid('example')).resolves.toBe(pid)
  })
})
