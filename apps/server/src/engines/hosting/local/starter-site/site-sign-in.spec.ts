import { readFile, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { httpGet } from '../../../../testing/http-get.ts'
import { createLayout } from '../files/layout.ts'
import { openBrowser } from './browser.fixture.ts'
import { startSignInWorld } from './site-sign-in.fixture.ts'

describe('the whole way', () => {
  it('leads from the access link through the provider to the editor, and out again', async () => {
    const it = await startSignInWorld()
    const editor = await it.signIn()
    expect(editor.status).toBe(200)
    expect(editor.url.href).toBe(it.app)
    expect(editor.body).toContain('Signed in as Ada &lt;b&gt;Example&lt;/b&gt;')

    const saved = await it.save(editor, 'A new title', 'First.\n\nSecond.')
    expect(saved.location?.href).toBe(`${it.app}?saved`)
    const home = (await openBrowser().get(it.home)).body
    expect(home).toContain('<h1>A new title</h1>\n<p>First.</p>\n<p>Second.</p>')

    const out = await it.browser.post(`${it.app}/sign-out`, {
      form_token: editor.hidden('form_token'),
    })
    expect(out.location?.href).toBe(`${it.app}?signed-out`)
    expect(it.browser.cookies.filter(({ name }) => name === 'site_session')).toEqual([])
    const closed = await it.browser.get(it.app)
    expect(closed.body).toContain('href="/yk/app/auth/oauth/cloud"')
    expect(closed.body).not.toContain('<form')
  })

  it('asks the provider with state, nonce and PKCE, to come back to where the visitor is', async () => {
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

  it('comes back to a custom domain by https when the visitor is there, with cookies for https', async () => {
    const { dataDir } = await startSignInWorld()
    const { socket } = createLayout(dataDir).site('example')
    const there = { 'x-forwarded-host': 'www.example.com', 'x-forwarded-proto': 'https' }
    const answer = await httpGet({ socketPath: socket }, '/yk/app/auth/oauth/cloud', there)
    const location = new URL(String(answer.headers.location))
    expect(location.searchParams.get('redirect_uri')).toBe(
      'https://www.example.com/yk/app/auth/oauth/cloud/callback',
    )
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-site_sign_in_.*; Path=\/;.*; Secure$/),
    ])
  })

  it('keeps session and home page over a restart of the site', async () => {
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

  it('lets two tabs of one browser sign in at once', async () => {
    const { comeBack, browser } = await startSignInWorld()
    const [first, second] = [await comeBack(), await comeBack()]
    expect((await browser.follow(second.href)).body).toContain('Signed in as Ada')
    expect((await browser.follow(first.href)).body).toContain('Signed in as Ada')
  })
})

describe('the cookies', () => {
  it('are for this site alone, unreadable for scripts, and sent by foreign pages only with links', async () => {
    const { browser, comeBack } = await startSignInWorld()
    const back = await comeBack()
    const ours = () => browser.cookies.filter(({ name }) => name.startsWith('site_'))
    const attributes = (age: number) =>
      expect.stringMatching(
        new RegExp(`^[\\w-]+=[\\w.-]+; Path=/yk/app; Max-Age=${age}; HttpOnly; SameSite=Lax$`),
      )
    expect(ours().map(({ header }) => header)).toEqual([attributes(600)])

    const answer = await browser.get(back.href)
    expect(answer.status).toBe(303)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
    expect(ours().map(({ name }) => name)).toEqual(['site_session'])
    expect(ours().map(({ header }) => header)).toEqual([attributes(43_200)])
  })

  it('hide the verifier and the nonce of the sign-in', async () => {
    const { browser, start } = await startSignInWorld()
    const { location } = await browser.get(start)
    const cookie = browser.cookies[0]?.value ?? ''
    const text = cookie + Buffer.from(cookie, 'base64url').toString('latin1')
    expect(text.length).toBeGreaterThan(300)
    expect(text).not.toContain(location?.searchParams.get('nonce'))
    expect(text).not.toContain('codeVerifier')
  })

  it('let nobody in when they are changed, made up, or from before the sign-out', async () => {
    const { browser, app, signIn } = await startSignInWorld()
    const editor = await signIn()
    const session = browser.cookies.find(({ name }) => name === 'site_session')?.value ?? ''
    const [value = '', signature = ''] = session.split('.')
    const other = value.startsWith('A') ? 'B' : 'A'
    const enters = async (cookie: string) =>
      (await openBrowser().get(app, { cookie: `site_session=${cookie}` })).body.includes('<form')

    await expect(enters(session)).resolves.toBe(true)
    for (const wrong of [
      '',
      value,
      `${value}.`,
      `.${signature}`,
      `${other}${value.slice(1)}.${signature}`,
      `${value}.${signature.slice(1)}${signature[0]}`,
      `${session}.`,
    ]) {
      await expect(enters(wrong)).resolves.toBe(false)
    }

    await browser.post(`${app}/sign-out`, { form_token: editor.hidden('form_token') })
    await expect(enters(session)).resolves.toBe(false)
  })

  it("are their host's own over https: one that a neighbouring site could have set lets nobody in", async () => {
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
    const both = `site_session=planted; __Host-site_session=${session}; __Host-=; =x`
    await expect(enters(both)).resolves.toBe(true)
  })

  it('are new with each sign-in, and the one before is over', async () => {
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

describe('the client secret', () => {
  it('is readable for the server and the site alone', async () => {
    const { dataDir, provider } = await startSignInWorld()
    const { settings, folder } = createLayout(dataDir).site('example')
    expect((await stat(settings)).mode & 0o007).toBe(0)
    expect((await stat(folder)).mode & 0o007).toBe(0)
    expect(JSON.parse(await readFile(settings, 'utf8')).signIn.issuer).toBe(provider.issuer)
  })

  it('shows in no log, no answer and no command line', async () => {
    const it = await startSignInWorld()
    await it.signIn()
    await it.browser.get(`${it.callback}?code=a-code&state=${'s'.repeat(43)}`)
    const { log } = createLayout(it.dataDir).site('example')
    const pid = await it.world.pid('example')
    const command =
      process.platform === 'linux' ? await readFile(`/proc/${pid}/cmdline`, 'utf8') : ''
    const seen = [
      await readFile(log, 'utf8'),
      command,
      (await it.browser.get(`${it.home}healthz`)).body,
      JSON.stringify(it.world.lines),
    ].join('\n')
    expect(seen).toContain('Somebody signed in')
    expect(seen).not.toContain(it.instance.signIn.clientSecret)
    expect(seen).not.toContain('a-code')
  })

  it('may change without a restart: the old one stops, the new one works', async () => {
    const { world, instance, signIn, comeBack, browser } = await startSignInWorld()
    const pid = await world.pid('example')
    await world.engine.apply({
      ...instance,
      signIn: { ...instance.signIn, clientSecret: 'another-secret' },
    })
    const refused = await browser.get((await comeBack()).href, { 'accept-language': 'tr' })
    expect(refused.status).toBe(502)
    expect(refused.body).toContain('Konsol bu web sitesini tanımıyor')
    expect(refused.body).toContain('href="/yk/app/auth/oauth/cloud"')

    await world.engine.apply(instance)
    expect((await signIn()).body).toContain('Signed in as Ada')
    await expect(world.pid('example')).resolves.toBe(pid)
  })
})
