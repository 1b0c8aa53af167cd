import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startEditing } from './editing.fixture.ts'

const hour = 60 * 60 * 1000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const advanceClock = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

const contentOf = async ({ data }: { data: string }) =>
  JSON.parse(await readFile(join(data, 'content.json'), 'utf8'))

describe('access: a member removed from the team', () => {
  it('a removed member cannot save, gets the text back and is signed out', async () => {
    const { provider, files, browser, app, signIn, save } = await startEditing()
    const editor = await signIn()
    provider.isMember = false
    const rejectedSave = await save(editor, 'Too late')
    expect(rejectedSave.status).toBe(403)
    expect(rejectedSave.body).toContain('when you leave the team')
    expect(rejectedSave.body).toContain('readonly value="Too late"')
    expect((await contentOf(files)).title).toBeNull()

    provider.isMember = true
    expect((await browser.get(app)).body).not.toContain('<form')
  })

  it('a removed member is rejected even when the session file cannot be written', async () => {
    const { provider, files, browser, app, signIn, save } = await startEditing()
    const editor = await signIn()
    provider.isMember = false
    await mkdir(join(files.data, 'sessions.json.new'))
    expect((await save(editor, 'Too late')).status).toBe(403)
    expect((await browser.get(app)).body).not.toContain('<form')
    expect((await contentOf(files)).title).toBeNull()
  })

  it.each([
    ['en', 'Your session has ended. Sign in again to continue.'],
    ['tr', 'Oturumunuz sona erdi. Devam etmek için yeniden giriş yapın.'],
  ])('a removed member cannot open the editor and reads why in %s', async (language, text) => {
    const { provider, browser, app, signIn } = await startEditing()
    await signIn()
    provider.isMember = false
    const page = await browser.get(app, { 'accept-language': language })
    expect(page.body).toContain(text)
    expect(page.body).toContain('href="/yk/app/auth/oauth/cloud"')
    expect(page.body).not.toContain('<form')
  })
})

describe('access: an expired access token', () => {
  it('the editor renews an expired token by a page that continues automatically', async () => {
    const { provider, browser, app, signIn } = await startEditing()
    await signIn()
    advanceClock(hour - 1)
    expect((await browser.get(app)).body).toContain('<form')
    advanceClock(1)
    const requestCount = provider.requestedPaths.length
    const renewal = await browser.get(app)
    expect(renewal.headers.refresh).toBe('0; url=/yk/app/auth/oauth/cloud')
    expect(renewal.body).toContain('Renewing your session')
    expect(provider.requestedPaths).toHaveLength(requestCount)
    expect((await signIn()).body).toContain('Signed in as Ada Example')
  })

  it('saving renews an expired token and keeps the text', async () => {
    const { files, browser, app, signIn, save } = await startEditing()
    const editor = await signIn()
    advanceClock(hour)
    const renewal = await save(editor, 'Mine')
    expect(renewal.headers.refresh).toBe('0; url=/yk/app/auth/oauth/cloud')
    expect((await contentOf(files)).title).toBeNull()

    const secondSignIn = await signIn()
    expect(secondSignIn.body).toContain('renewed before this was saved')
    expect(secondSignIn.body).toContain('value="Mine"')
    expect((await save(secondSignIn, 'Mine')).location?.search).toBe('?saved')
    expect((await contentOf(files)).title).toBe('Mine')
    expect((await browser.get(app)).body).not.toContain('renewed before this was saved')
  })

  it('a form without the right token is not kept as a draft', async () => {
    const { app, browser, signIn } = await startEditing()
    const editor = await signIn()
    advanceClock(hour)
    const fields = { form_token: 'made-up', based_on: editor.hidden('based_on'), text: '' }
    expect((await browser.post(app, { ...fields, title: 'Foreign' })).status).toBe(403)
    expect((await signIn()).body).not.toContain('Foreign')
  })

  it.each([
    ['after an hour', async () => advanceClock(hour)],
    [
      'when its writer signs out',
      async ({ browser, app, signIn }: Awaited<ReturnType<typeof startEditing>>) => {
        const editor = await signIn()
        await browser.post(`${app}/sign-out`, { form_token: editor.hidden('form_token') })
      },
    ],
  ])('the draft is deleted %s', async (_when, endDraft) => {
    const editing = await startEditing()
    const editor = await editing.signIn()
    advanceClock(hour)
    await editing.save(editor, 'Mine')
    await endDraft(editing)
    expect((await editing.signIn()).body).not.toContain('Mine')
  })

  it('a token that expires at once causes no redirect loop', async () => {
    const { provider, signIn } = await startEditing()
    provider.tokenLifetimeSeconds = 0
    const page = await signIn()
    expect(page.headers.refresh).toBeUndefined()
    expect(page.body).toContain('href="/yk/app/auth/oauth/cloud"')
  })
})

describe('access: an unavailable console', () => {
  it.each([
    ['does not respond', null],
    ['rejects too many requests', { status: 429, body: { code: 429, error: 'too_many_requests' } }],
    ['fails', { status: 500, body: {} }],
    ['responds for another user', { status: 200, body: { sub: 'grace' } }],
  ])('nothing is saved or lost when the console %s', async (_how, override) => {
    const { provider, files, browser, app, signIn, save } = await startEditing()
    const editor = await signIn()
    if (override) provider.responseOverrides.set('/userinfo', override)
    else provider.close()
    const response = await save(editor, 'Mine')
    expect(response.status).toBe(503)
    expect(response.body).toContain('because the console didn’t respond')
    expect(response.body).toContain('value="Mine"')
    const turkish = await save(editor, 'Mine', { 'accept-language': 'tr' })
    expect(turkish.body).toContain('Konsol yanıt vermediği için değişiklikleriniz kaydedilemedi')
    expect((await contentOf(files)).title).toBeNull()

    const page = await browser.get(app)
    expect(page.status).toBeGreaterThanOrEqual(500)
    expect(page.body).not.toContain('<form')
    if (!override) return
    provider.responseOverrides.clear()
    expect((await save(editor, 'Mine')).location?.search).toBe('?saved')
  })
})

describe('access: the console’s token', () => {
  it('the token is in no page, cookie, log or file of the site', async () => {
    const { provider, files, browser, lines, signIn, save } = await startEditing()
    const editor = await signIn()
    await save(editor, 'Mine')
    const stored = await readFile(join(files.data, 'sessions.json'), 'utf8')
    const everything = [editor.body, stored, ...lines, JSON.stringify(browser.cookies)].join('\n')
    expect(everything).toContain('sealedAccess')
    expect(provider.tokens).toHaveLength(1)
    expect(everything).not.toContain(provider.tokens[0])
  })
})
