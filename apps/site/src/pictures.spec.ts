import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Editing, startEditing } from './editing.fixture.ts'
import { phrases } from './phrases.ts'
import { openPictureFiles } from './picture-files.ts'
import { jpeg, webp } from './pictures.fixture.ts'
import { createSiteFolder } from './site.fixture.ts'
import { openWebsite } from './website.ts'

const { pictureProblems } = phrases.en

/** Sends files as the editor's script does. */
const upload = async (
  editing: Editing,
  files: Buffer[],
  fields: Record<string, string> = { alt: 'A door' },
  headers: Record<string, string> = {},
) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const file of files) form.append('file', new Blob([new Uint8Array(file)]), 'picture')
  const encoded = new Response(form)
  const token = (await editing.browser.get(editing.app)).hidden('form_token')
  const reply = await editing.send('/pictures/upload', Buffer.from(await encoded.arrayBuffer()), {
    'content-type': encoded.headers.get('content-type') ?? '',
    'x-form-token': token,
    ...headers,
  })
  return { status: reply.status, ...(JSON.parse(reply.body) as { id: string; error?: string }) }
}

const startSignedIn = async () => {
  const editing = await startEditing()
  await editing.signIn()
  return { ...editing, home: new URL('/', editing.app).href }
}

const sizes = () => [webp(480, 320), webp(960, 640)]

describe('removeLeftovers', () => {
  it('removes files of no picture that are older than an upload takes', async () => {
    const files = await createSiteFolder('Example')
    const folder = join(files.data, 'pictures')
    await mkdir(folder)
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
    for (const name of ['000000000000-480.webp', '111111111111-480.webp.new'])
      await writeFile(join(folder, name), '')
    await utimes(join(folder, '000000000000-480.webp'), old, old)
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const pictureFiles = openPictureFiles(files.data)
    const website = await openWebsite(files.data, old.toISOString(), log)
    await pictureFiles.removeLeftovers(website.current())
    expect(await readdir(folder)).toEqual(['111111111111-480.webp.new'])
  })

  it('keeps the files of a picture, however old', async () => {
    const editing = await startSignedIn()
    await upload(editing, sizes())
    const folder = join(editing.files.data, 'pictures')
    const names = await readdir(folder)
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
    for (const name of names) await utimes(join(folder, name), old, old)
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const website = await openWebsite(editing.files.data, old.toISOString(), log)
    await openPictureFiles(editing.files.data).removeLeftovers(website.current())
    expect(await readdir(folder)).toEqual(names)
    expect(names).toHaveLength(2)
  })
})

describe('upload of a picture', () => {
  it('is stored in each size and served as an immutable image', async () => {
    const editing = await startSignedIn()
    const { browser, home } = editing
    const { status, id } = await upload(editing, sizes())
    expect(status).toBe(201)
    const file = await browser.get(`${home}pictures/${id}-960.webp`)
    expect(file.status).toBe(200)
    expect(file.bytes).toEqual(webp(960, 640))
    expect(file.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect((await browser.get(`${editing.app}/pictures`)).body).toContain('value="A door"')
  })

  it('is shown by a page with its sizes and description', async () => {
    const editing = await startSignedIn()
    const { id } = await upload(editing, [jpeg(480, 320), jpeg(960, 640)], {
      alt: '"><script>alert(1)</script>',
    })
    const page = await editing.browser.get(editing.app)
    await editing.browser.post(editing.app, {
      form_token: page.hidden('form_token'),
      based_on: page.hidden('based_on'),
      title: 'T',
      text: `![](/pictures/${id})`,
    })
    const shown = (await editing.browser.get(editing.home)).body
    expect(shown).toContain(`srcset="/pictures/${id}-480.jpg 480w, /pictures/${id}-960.jpg 960w"`)
    expect(shown).toContain('alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(shown).toContain(`<meta property="og:image" content="${editing.home}pictures/`)
  })

  it('is stored once when it is repeated, with the later description', async () => {
    const editing = await startSignedIn()
    const first = await upload(editing, sizes())
    const second = await upload(editing, sizes(), { alt: '', decorative: 'on' })
    expect(second.id).toBe(first.id)
    const list = (await editing.browser.get(`${editing.app}/pictures`)).body
    expect(list.match(/<li><img/g)).toHaveLength(1)
    expect(list).toContain('name="decorative" checked')
  })

  it.each([
    ['no file', [], 415, pictureProblems.unsupported],
    ['an SVG', [Buffer.from('<svg onload="alert(1)"/>')], 415, pictureProblems.unsupported],
    ['sizes of two pictures', [webp(480, 320), webp(960, 300)], 415, pictureProblems.unsupported],
    ['the same size twice', [webp(480, 320), webp(480, 320)], 415, pictureProblems.unsupported],
    ['two types', [webp(480, 320), jpeg(960, 640)], 415, pictureProblems.unsupported],
    ['five sizes', [1, 2, 3, 4, 5].map((n) => webp(n, n)), 415, pictureProblems.unsupported],
    ['16,000 by 16,000 pixels', [webp(16_000, 16_000)], 413, pictureProblems.too_large],
    ['more than 6 MB', [Buffer.alloc(6.5 * 2 ** 20)], 413, pictureProblems.too_large],
  ])('%s is rejected with the reason', async (_what, files, status, error) => {
    const editing = await startSignedIn()
    expect(await upload(editing, files)).toEqual({ status, error })
    expect(await readdir(editing.files.data)).not.toContain('pictures')
  })

  it('needs a description, or to be marked as decoration', async () => {
    const editing = await startSignedIn()
    for (const alt of ['', '  \n', 'x'.repeat(251)])
      expect((await upload(editing, sizes(), { alt })).status).toBe(422)
    expect((await upload(editing, sizes(), { decorative: 'on' })).status).toBe(201)
  })

  it.each([
    ['another origin', { origin: 'https://evil.test' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['no form token', { 'x-form-token': '' }],
    ['no session', { cookie: '' }],
  ])('from %s is rejected', async (_where, headers) => {
    const editing = await startSignedIn()
    expect((await upload(editing, sizes(), { alt: 'A' }, headers)).status).toBe(401)
  })

  it('of a removed member is rejected', async () => {
    const editing = await startSignedIn()
    const token = (await editing.browser.get(editing.app)).hidden('form_token')
    editing.provider.isMember = false
    const headers = { 'x-form-token': token, 'content-type': 'multipart/form-data; boundary=a' }
    expect((await editing.send('/pictures/upload', Buffer.from('--a--'), headers)).status).toBe(401)
  })

  it.each(['text/plain', 'multipart/form-data', 'multipart/form-data; boundary=a'])(
    'a body of type %s that is no form is rejected',
    async (type) => {
      const editing = await startSignedIn()
      const reply = await upload(editing, sizes(), { alt: 'A' }, { 'content-type': type })
      expect(reply.status).toBe(415)
    },
  )

  it('a full disk is named, and nothing of the picture is left', async () => {
    const editing = await startSignedIn()
    const folder = join(editing.files.data, 'pictures')
    const { id } = await upload(await startSignedIn(), sizes())
    await mkdir(folder)
    await symlink('/dev/full', join(folder, `${id}-960.webp.new`))
    expect(await upload(editing, sizes())).toEqual({ status: 507, error: pictureProblems.no_space })
    expect(await readdir(folder)).toEqual([`${id}-960.webp.new`])
    expect((await editing.browser.get(`${editing.app}/pictures`)).body).not.toContain('<li><img')
  })
})

describe('GET /pictures', () => {
  it.each([
    '/pictures/',
    '/pictures/../content.json',
    '/pictures/..%2fcontent.json',
    '/pictures/%2e%2e/sessions.json',
    '/pictures/000000000000-480.webp',
  ])('%s is a 404 page', async (path) => {
    const { browser, home } = await startSignedIn()
    const response = await browser.get(home.slice(0, -1) + path)
    expect(response.status).toBe(404)
    expect(response.body).toContain('Page not found')
  })
})

describe('the description of a picture', () => {
  it('is changed once when two editors change it, and the later one reads why', async () => {
    const editing = await startSignedIn()
    await upload(editing, sizes())
    const { browser, app } = editing
    const list = await browser.get(`${app}/pictures`)
    const picture = /name="picture" value="(\w+)"/.exec(list.body)?.[1] ?? ''
    const fields = {
      form_token: list.hidden('form_token'),
      based_on: list.hidden('based_on'),
      picture,
    }
    const first = await browser.post(`${app}/pictures`, { ...fields, alt: 'Mine' })
    expect(first.location?.search).toBe('?saved')
    const second = await browser.post(`${app}/pictures`, { ...fields, alt: 'Theirs' })
    expect(second.status).toBe(409)
    expect(second.body).toContain(phrases.en.pictureChanged)
    expect(second.body).toContain('value="Theirs"')
  })

  it('a deleted picture has no address and no file', async () => {
    const editing = await startSignedIn()
    const { id } = await upload(editing, sizes())
    const { browser, app, home } = editing
    const fields = { form_token: (await browser.get(app)).hidden('form_token'), picture: id }
    await browser.post(`${app}/pictures`, { ...fields, delete: '' })
    expect((await browser.get(`${home}pictures/${id}-480.webp`)).status).toBe(404)
    expect(await readdir(join(editing.files.data, 'pictures'))).toEqual([])
  })
})
