import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLayout } from '../files/layout.ts'
import { openBrowser } from './browser.fixture.ts'
import { startSignInWorld } from './site-sign-in.fixture.ts'

describe('starter site: editor', () => {
  it.each([
    ['en', 'A new website is coming'],
    ['tr', 'Yeni bir web sitesi yolda'],
  ])('the editor of a new site contains the welcome text (%s)', async (language, title) => {
    const { signIn, browser, home, app } = await startSignInWorld()
    await signIn()
    const headers = { 'accept-language': language }
    const page = (await browser.get(home, headers)).body
    const text = /<p class="lead">(.+)<\/p>/.exec(page)?.[1]
    expect(page).toContain(`<h1>${title}</h1>`)
    const editor = (await browser.get(app, headers)).body
    expect(editor).toContain(`value="${title}"`)
    expect(editor).toContain(`\n${text}</textarea>`)
  })

  it('content is shown as text and returned unchanged', async () => {
    const { signIn, save, browser, home, app } = await startSignInWorld()
    const title = `</title><script>1</script> "q" 'a' &amp;`
    const text = '\n  </textarea><img src=x onerror=alert(1)>\n\n\nzwei & "drei"'
    await save(await signIn(), title, text)

    const shown = (await browser.get(home)).body
    expect(shown).toContain('<h1>&lt;/title&gt;&lt;script&gt;1&lt;/script&gt;')
    expect(shown).not.toMatch(/<script|<img src=x/)
    const editor = (await browser.get(app)).body
    expect(editor).toContain('&lt;/textarea&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(editor).not.toMatch(/<script>|<img src=x/)
  })

  it.each([
    ['en', '', 'Please enter a title'],
    ['en', 'x'.repeat(121), 'Please use no more than 120 characters'],
    ['tr', ' ', 'Bir başlık girin'],
  ])(
    'a title in %s that is %j is rejected and the text is returned',
    async (language, title, error) => {
      const { signIn, browser, app, home } = await startSignInWorld()
      const editor = await signIn()
      const fields = {
        form_token: editor.hidden('form_token'),
        based_on: editor.hidden('based_on'),
      }
      const rejected = await browser.post(
        app,
        { ...fields, title, text: 'My long text' },
        { 'accept-language': language },
      )
      expect(rejected.status).toBe(422)
      expect(rejected.body).toContain(`id="title-error">${error}</p>`)
      expect(rejected.body).toContain('aria-invalid="true" autofocus')
      expect(rejected.body).toContain('My long text</textarea>')
      expect((await browser.get(home)).body).not.toContain('My long text')
    },
  )

  it('characters are counted as code points, and one too many is rejected', async () => {
    const { signIn, save } = await startSignInWorld()
    const editor = await signIn()
    const most = await save(editor, '😀'.repeat(120), '😀'.repeat(20_000))
    expect(most.status).toBe(303)
    const more = await save(editor, 'Title', 'x'.repeat(20_001))
    expect(more.status).toBe(422)
    expect(more.body).toContain('Please use no more than 20,000 characters. You have used 20,001.')
  })

  it('the second save of the same version is rejected and shows both versions', async () => {
    const { signIn, save, browser, home, app } = await startSignInWorld()
    const colleague = openBrowser()
    const [mine, theirs] = [await signIn(), await signIn(colleague)]
    const responses = await Promise.all([
      save(mine, 'Mine', 'My text'),
      save(theirs, 'Theirs', 'Their text', colleague),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 409])
    const [loser, rejectedText, savedText] =
      responses[0].status === 409
        ? [responses[0], 'Mine', 'Theirs']
        : [responses[1], 'Theirs', 'Mine']
    expect(loser.body).toContain('Someone else saved this page after you opened it')
    expect(loser.body).toContain(`value="${rejectedText}"`)
    expect(loser.body).toContain(`readonly value="${savedText}"`)
    expect((await browser.get(home)).body).toContain(`<h1>${savedText}</h1>`)

    const secondSave = await save(
      loser,
      rejectedText,
      'Now for both',
      loser === responses[0] ? browser : colleague,
    )
    expect(secondSave.location?.href).toBe(`${app}?saved`)
    expect((await browser.get(home)).body).toContain(`<h1>${rejectedText}</h1>`)
  })

  it('a form that is sent twice is saved once', async () => {
    const { signIn, save } = await startSignInWorld()
    const editor = await signIn()
    const responses = await Promise.all([save(editor, 'Once', 'x'), save(editor, 'Once', 'x')])
    expect(responses.map(({ status }) => status)).toEqual([303, 303])
  })

  it.each([
    ['another site', { origin: 'http://evil.test' }],
    [
      'a site on the same domain',
      { origin: 'http://other.localhost', 'sec-fetch-site': 'same-site' },
    ],
    ['a page without an origin', { origin: 'null' }],
    ['a foreign page that names our origin', { 'sec-fetch-site': 'cross-site' }],
  ])('a form of %s is rejected', async (_case, headers) => {
    const { signIn, browser, app, home } = await startSignInWorld()
    const editor = await signIn()
    const fields = {
      form_token: editor.hidden('form_token'),
      based_on: editor.hidden('based_on'),
      title: 'Foreign',
      text: '',
    }
    expect((await browser.post(app, fields, headers)).status).toBe(403)
    expect((await browser.post(`${app}/sign-out`, fields, headers)).status).toBe(403)
    expect((await browser.get(home)).body).not.toContain('Foreign')
    expect((await browser.get(app)).body).toContain('Signed in as Ada')
  })

  it.each(['', 'made-up'])(
    'the form token %j is rejected and the text is returned',
    async (token) => {
      const { signIn, browser, app, home } = await startSignInWorld()
      const editor = await signIn()
      const fields = {
        form_token: token,
        based_on: editor.hidden('based_on'),
        title: 'Mine',
        text: '',
      }
      const rejected = await browser.post(app, fields)
      expect(rejected.status).toBe(403)
      expect(rejected.body).toContain('value="Mine"')
      expect((await browser.get(home)).body).not.toContain('Mine')
      expect((await browser.post(`${app}/sign-out`, { form_token: token })).status).toBe(403)
      expect((await browser.get(app)).body).toContain('Signed in as Ada')
    },
  )

  it('an ended session saves nothing and returns the text', async () => {
    const { signIn, save, browser, app, home } = await startSignInWorld()
    const editor = await signIn()
    await browser.post(`${app}/sign-out`, { form_token: editor.hidden('form_token') })
    const lateSave = await save(editor, 'Too late', 'But <not> lost')
    expect(lateSave.status).toBe(403)
    expect(lateSave.body).toContain('You’re signed out')
    expect(lateSave.body).toContain('readonly value="Too late"')
    expect(lateSave.body).toContain('But &lt;not&gt; lost</textarea>')
    expect((await browser.get(home)).body).not.toContain('Too late')
  })

  it('a body that is no form, or too large, is rejected', async () => {
    const { signIn, browser, app } = await startSignInWorld()
    await signIn()
    const json = await browser.post(app, {}, { 'content-type': 'application/json' })
    expect(json.status).toBe(415)
    const huge = await browser.post(app, { text: 'x'.repeat(1024 * 1024) })
    expect(huge.status).toBe(413)
  })

  it('a failed write has its own page, and keeps old and new text', async () => {
    const { signIn, save, browser, home, dataDir } = await startSignInWorld()
    const editor = await signIn()
    const { data } = createLayout(dataDir).site('example')
    await mkdir(join(data, 'content.json.new'))

    const failed = await save(editor, 'Not yet', 'Still here')
    expect(failed.status).toBe(500)
    expect(failed.body).toContain('Your changes couldn’t be saved')
    expect(failed.body).toContain('Still here</textarea>')
    expect((await browser.get(home)).body).toContain('A new website is coming')
    expect(await readFile(join(data, 'content.json'), 'utf8')).not.toContain('Not yet')
  })
})
