import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startEditing } from './editing.fixture.ts'
import { phrases } from './phrases.ts'
import { createSiteFolder, startSite } from './site.fixture.ts'

const startPages = async () => {
  const editing = await startEditing()
  await editing.signIn()
  const { browser, app } = editing
  const home = new URL('/', app).href
  const token = (await browser.get(app)).hidden('form_token')

  const openNew = async () => {
    const page = await browser.get(`${app}?page=new`)
    return { page: page.hidden('page'), based_on: page.hidden('based_on') }
  }
  const save = (fields: Record<string, string>) =>
    browser.post(app, { form_token: token, text: '', ...fields })
  const add = async (title: string, more: Record<string, string> = {}) => {
    const opened = await openNew()
    await save({ ...opened, title, in_menu: 'on', ...more })
    return opened.page
  }
  const change = (fields: Record<string, string>) =>
    browser.post(`${app}/pages`, { form_token: token, ...fields })
  const menu = async () => {
    const { body } = await browser.get(home)
    return [...body.matchAll(/<li><a href="([^"]*)"/g)].map(([, path]) => path)
  }
  return { ...editing, home, token, openNew, save, add, change, menu }
}

describe('pages', () => {
  it('a new page has an address from its title, and is in the menu and the sitemap', async () => {
    const { browser, home, add } = await startPages()
    await add('İletişim & Şubeler', { text: '## Adres\n\n**[Ara](tel:+90)**' })
    const page = await browser.get(`${home}iletisim-subeler`)
    expect(page.status).toBe(200)
    expect(page.body).toContain('<h1>İletişim &amp; Şubeler</h1>\n<h2>Adres</h2>')
    expect(page.body).toContain('<a href="/iletisim-subeler" aria-current="page">')
    expect(page.body).toContain(`<link rel="canonical" href="${home}iletisim-subeler">`)
    expect((await browser.get(`${home}sitemap.xml`)).body).toContain(
      `${home}iletisim-subeler</loc>`,
    )
    expect((await browser.get(`${home}robots.txt`)).body).toContain(`Sitemap: ${home}sitemap.xml`)
    const elsewhere = await browser.get(`${home}Iletisim-Subeler/`)
    expect([elsewhere.status, elsewhere.location?.pathname]).toEqual([308, '/iletisim-subeler'])
  })

  it('a page that is not in the menu is reachable by its address', async () => {
    const { browser, home, openNew, save, menu } = await startPages()
    await save({ ...(await openNew()), title: 'Hidden' })
    expect(await menu()).toEqual([])
    expect((await browser.get(`${home}hidden`)).status).toBe(200)
  })

  it.each(['../../etc/passwd', 'a/b', '..', 'yk', 'pictures', 'Ä', 'a b', 'x'.repeat(61)])(
    'the address %j is rejected and the text is returned',
    async (slug) => {
      const { openNew, save, menu } = await startPages()
      const page = await save({
        ...(await openNew()),
        title: 'T',
        slug,
        text: 'My text',
        in_menu: 'on',
      })
      expect(page.status).toBe(422)
      expect(page.body).toContain(phrases.en.addressInvalid)
      expect(page.body).toContain('My text</textarea>')
      expect(await menu()).toEqual([])
    },
  )

  it('an address of another page is rejected', async () => {
    const { add, openNew, save } = await startPages()
    await add('About')
    const second = await save({ ...(await openNew()), title: 'About' })
    expect(second.status).toBe(422)
    expect(second.body).toContain(phrases.en.addressTaken)
  })

  it('titles are text everywhere', async () => {
    const { browser, home, app, add } = await startPages()
    const title = '"><script>alert(1)</script>'
    const id = await add(title, { slug: 'a' })
    for (const url of [home, `${home}a`, `${app}?page=${id}`, `${app}/pages`])
      expect((await browser.get(url)).body).not.toContain('<script>')
  })

  it('a site has ten pages at most', async () => {
    const { add, openNew, save, menu } = await startPages()
    const opened = await openNew()
    for (let number = 1; number <= 9; number += 1) await add(`Page ${number}`)
    const more = await save({ ...opened, title: 'One more', text: 'My text' })
    expect(more.status).toBe(422)
    expect(more.body).toContain('up to 10 pages')
    expect(more.body).toContain('My text</textarea>')
    expect(await menu()).toHaveLength(9)
  })

  it('the longest text can be saved', async () => {
    const { openNew, save } = await startPages()
    const saved = await save({
      ...(await openNew()),
      title: '😀'.repeat(120),
      slug: 'a',
      text: '😀'.repeat(20_000),
    })
    expect(saved.status).toBe(303)
  })

  it('a page that two editors save is in conflict, and others are not', async () => {
    const { browser, app, home, add, save } = await startPages()
    const [one, other] = [await add('One'), await add('Other')]
    const based_on = (await browser.get(`${app}?page=${one}`)).hidden('based_on')
    const otherVersion = (await browser.get(`${app}?page=${other}`)).hidden('based_on')
    const fields = { page: one, based_on, title: 'One', slug: 'one' }
    expect((await save({ ...fields, text: 'Mine' })).status).toBe(303)
    const late = await save({ ...fields, text: 'Theirs' })
    expect(late.status).toBe(409)
    expect(late.body).toContain('Theirs</textarea>')
    expect(late.body).toContain('Mine</textarea>')
    const elsewhere = { page: other, based_on: otherVersion, title: 'Other', slug: 'other' }
    expect((await save({ ...elsewhere, text: 'Mine' })).status).toBe(303)

    const merged = await save({ ...fields, based_on: late.hidden('based_on'), text: 'Both' })
    expect(merged.status).toBe(303)
    expect((await browser.get(`${home}one`)).body).toContain('<p>Both</p>')
  })

  it('the text of a page that was deleted meanwhile is not lost and can be saved', async () => {
    const { browser, app, home, add, save, change } = await startPages()
    const page = await add('One')
    const based_on = (await browser.get(`${app}?page=${page}`)).hidden('based_on')
    await change({ delete: page, based_on })
    const fields = { page, title: 'One', slug: 'one', text: 'Kept' }
    const late = await save({ ...fields, based_on })
    expect(late.status).toBe(409)
    expect(late.body).toContain(phrases.en.pageGone)
    await save({ ...fields, based_on: late.hidden('based_on') })
    expect((await browser.get(`${home}one`)).body).toContain('<p>Kept</p>')
  })

  it('a page that was changed meanwhile is not deleted', async () => {
    const { browser, app, home, add, save, change } = await startPages()
    const page = await add('One')
    const based_on = (await browser.get(`${app}?page=${page}`)).hidden('based_on')
    await save({ page, based_on, title: 'One', slug: 'one', text: 'New' })
    expect((await change({ delete: page, based_on })).status).toBe(409)
    expect((await browser.get(`${home}one`)).status).toBe(200)
  })

  it('pages are ordered by buttons and by dragging', async () => {
    const { add, change, menu } = await startPages()
    const [a, b, c] = [await add('A'), await add('B'), await add('C')]
    await change({ up: c })
    expect(await menu()).toEqual(['/a', '/c', '/b'])
    await change({ down: a })
    expect(await menu()).toEqual(['/c', '/a', '/b'])
    await change({ order: [b, a, c].join(',') })
    expect(await menu()).toEqual(['/b', '/a', '/c'])
    for (const order of [`${a},${b}`, `${a},${a},${b}`, `${a},${b},${c},${c}`, 'x'])
      expect((await change({ order })).status).toBe(409)
    expect(await menu()).toEqual(['/b', '/a', '/c'])
  })

  it('a full disk is named, and the text is returned', async () => {
    const { files, openNew, save, menu } = await startPages()
    const obstacle = join(files.data, 'website.json.new')
    await symlink('/dev/full', obstacle)
    const fields = { ...(await openNew()), title: 'One', text: 'My text', in_menu: 'on' }
    const failed = await save(fields)
    expect(failed.status).toBe(500)
    expect(failed.body).toContain('because the storage of this website is full')
    expect(failed.body).toContain('My text</textarea>')
    expect(await menu()).toEqual([])
    await rm(obstacle)
    expect((await save(fields)).status).toBe(303)
  })
})

describe('design', () => {
  it('is chosen for all pages, and its style is the only one that the policy allows', async () => {
    const { browser, app, home, token } = await startPages()
    const before = (await browser.get(home)).headers['content-security-policy']
    const page = await browser.get(`${app}/design`)
    const based_on = page.hidden('based_on')
    const fields = { form_token: token, based_on, design: 'shopfront', accent: 'rose' }
    expect((await browser.post(`${app}/design`, fields)).location?.search).toBe('?saved')
    const policy = (await browser.get(home)).headers['content-security-policy']
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; /)
    expect(policy).not.toBe(before)
    expect(policy).not.toContain('script-src')

    const late = await browser.post(`${app}/design`, { ...fields, design: 'portfolio' })
    expect(late.status).toBe(409)
    expect(late.body).toContain('value="portfolio" checked')
    const unknown = await browser.post(`${app}/design`, { ...fields, design: '../x' })
    expect(unknown.status).toBe(400)
  })
})

describe('language of the pages', () => {
  it('is that of the first editor, until another is chosen', async () => {
    const { browser, app, home, token, add } = await startPages()
    const visit = async (language: string) =>
      (await browser.get(home, { 'accept-language': language })).body
    expect(await visit('tr')).toContain('<html lang="tr" dir="ltr">')
    await add('One')
    const page = await browser.get(`${app}?page=`)
    const fields = { form_token: token, based_on: page.hidden('based_on'), title: 'Home' }
    await browser.post(app, { ...fields, page: '', text: 'Text' })
    expect(await visit('tr')).toContain('<html lang="en" dir="ltr">')
    expect(await visit('tr')).toContain(`>${phrases.en.skip}</a>`)

    const based_on = (await browser.get(`${app}/design`)).hidden('based_on')
    const look = { design: 'journal', accent: 'blue' }
    await browser.post(`${app}/design`, { form_token: token, based_on, ...look, language: 'ar' })
    const arabic = await visit('tr')
    expect(arabic).toContain('<html lang="ar" dir="rtl">')
    expect(arabic).toContain('<footer lang="tr" dir="ltr">')
    expect((await browser.get(`${app}/design`)).body).toContain(
      '<option value="ar" lang="ar" selected>',
    )
  })

  it('is unchanged by a language that does not exist', async () => {
    const { browser, app, home, token, add } = await startPages()
    await add('One')
    const based_on = (await browser.get(`${app}/design`)).hidden('based_on')
    const fields = { form_token: token, based_on, design: 'portfolio', accent: 'rust' }
    await browser.post(`${app}/design`, { ...fields, language: '"><script>' })
    expect((await browser.get(`${home}one`)).body).toContain('<html lang="en" dir="ltr">')
  })
})

describe('preview', () => {
  it('is what visitors will get, is not stored, and only this site may frame it', async () => {
    const { browser, app, home, token } = await startPages()
    const fields = { form_token: token, page: '', title: 'T', text: '<i>a</i> **b**' }
    const preview = await browser.post(`${app}/preview`, fields)
    expect(preview.body).toContain('<p>&lt;i&gt;a&lt;/i&gt; <strong>b</strong></p>')
    expect(preview.headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(preview.headers['cache-control']).toBe('no-store')
    expect((await browser.get(home)).body).not.toContain('<strong>')
    expect((await browser.get(home)).headers['content-security-policy']).toContain(
      "frame-ancestors 'none'",
    )
  })
})

describe('forms of the editor', () => {
  const paths = ['', '/pages', '/design', '/pictures', '/preview']

  it.each(paths)('%s rejects another origin, and a form without its token', async (path) => {
    const { browser, app, token } = await startPages()
    const fields = { design: 'journal', accent: 'blue', title: 'T', delete: 'x' }
    const foreign = { origin: 'https://evil.test' }
    const url = app + path
    expect((await browser.post(url, { ...fields, form_token: token }, foreign)).status).toBe(403)
    expect((await browser.post(url, fields)).status).toBe(403)
  })

  it.each(['/pages', '/design', '/pictures'])('%s is closed to visitors', async (path) => {
    const { browser, app } = await startEditing()
    const page = await browser.get(app + path)
    expect(page.body).toContain(phrases.en.signInTitle)
    expect(page.body).not.toContain('<form')
    expect((await browser.get(`${app}/preview`)).status).toBe(403)
  })

  it('the script is served by name, and no other file', async () => {
    const { browser, app } = await startEditing()
    const script = await browser.get(`${app}/scripts/main.ts`)
    expect(script.headers['content-type']).toContain('text/javascript')
    for (const name of ['../main.ts', 'tsconfig.json', 'none.ts', '%2e%2e/main.ts', 'main.js'])
      expect((await browser.get(`${app}/scripts/${name}`)).status).toBe(404)
  })
})

describe('stored content', () => {
  const time = '2026-01-02T03:04:05.000Z'

  it('a text from before Markdown looks as it did, and is Markdown once it is saved', async () => {
    const files = await createSiteFolder('Example')
    const text = '# 1 * 2 * 3\n_a_ <b>\n\n[c](d)'
    const stored = { title: 'T', text, createdAt: time, updatedAt: time }
    await writeFile(join(files.data, 'content.json'), JSON.stringify(stored))
    const { body } = await (await startSite(files)).request('/')
    expect(body).toContain('<p># 1 * 2 * 3<br>_a_ &lt;b&gt;</p>\n<p>[c](d)</p>')
    expect(JSON.parse(await readFile(join(files.data, 'content.json'), 'utf8'))).toEqual(stored)
  })

  it.each([
    '',
    '[]',
    '{"format":2}',
    '{"format":1,"look":{"design":"x","accent":"blue"}}',
    `{"format":1,"look":{"design":"journal","accent":"blue"},"lookUpdatedAt":"${time}","pages":[{"slug":"../x"}],"pictures":[]}`,
    `{"format":1,"look":{"design":"journal","accent":"blue"},"lookUpdatedAt":"${time}","pages":[],"pictures":[{"id":"../../x"}]}`,
  ])('a damaged website (%j) is renamed, and the home page is served', async (damage) => {
    const files = await createSiteFolder('Example')
    await writeFile(join(files.data, 'website.json'), damage)
    const site = await startSite(files)
    expect((await site.request('/')).status).toBe(200)
    expect(site.log.join()).toContain('The website was damaged; its file was renamed')
  })
})
