import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { preferredLanguage } from './language.ts'
import { createSiteFolder, startSite } from './site.fixture.ts'

const startExample = async (name = 'Example') => startSite(await createSiteFolder(name))

describe('GET /', () => {
  it("shows a welcome in the visitor's language before the first save", async () => {
    const site = await startExample()
    const english = await site.request('/', { headers: { 'accept-language': 'de, en;q=0.5' } })
    const turkish = await site.request('/', {
      headers: { 'accept-language': 'tr-TR,tr;q=0.9,en;q=0.8' },
    })
    expect(english.body).toContain('<html lang="en" dir="ltr">')
    expect(english.body).toContain('A new website is coming')
    expect(turkish.body).toContain('<html lang="tr" dir="ltr">')
    expect(turkish.body).toContain('Yeni bir web sitesi yolda')
    expect(turkish.headers.vary).toBe('Accept-Language')
  })

  it('shows the content as text, never as HTML', async () => {
    const files = await createSiteFolder('<script>name</script>')
    const time = '2026-01-02T03:04:05.000Z'
    const content = { title: '<i>T</i>', text: 'a & b\n\n"c"', createdAt: time, updatedAt: time }
    await writeFile(join(files.data, 'content.json'), JSON.stringify(content))
    const { body } = await (await startSite(files)).request('/')
    expect(body).toContain('&lt;script&gt;name&lt;/script&gt;')
    expect(body).toContain('<h1>&lt;i&gt;T&lt;/i&gt;</h1>\n<p>a &amp; b</p>\n<p>&quot;c&quot;</p>')
    expect(body).toContain('Online since January 2, 2026')
    expect(body).not.toContain('<script')
  })

  it('the content security policy allows only the inline style and own images', async () => {
    const { headers } = await (await startExample()).request('/')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self';/,
    )
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('every page', () => {
  it.each(['/', '/healthz', '/favicon.svg', '/nothing'])(
    'HEAD %s responds like GET without the body',
    async (path) => {
      const site = await startExample()
      const get = await site.request(path)
      const head = await site.request(path, { method: 'HEAD' })
      expect(head.status).toBe(get.status)
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
      expect(head.body).toBe('')
    },
  )

  it('an unknown path is a 404 page', async () => {
    const site = await startExample()
    const response = await site.request('/nothing?x=1', { headers: { 'accept-language': 'tr' } })
    expect(response.status).toBe(404)
    expect(response.body).toContain('Sayfa bulunamadı')
  })

  it('an unsupported method is a 405 with Allow', async () => {
    const response = await (await startExample()).request('/', { method: 'DELETE' })
    expect(response.status).toBe(405)
    expect(response.headers.allow).toBe('GET, HEAD')
  })
})

describe('GET /healthz', () => {
  it('reports health and nothing else', async () => {
    const site = await startExample()
    const response = await site.request('/healthz')
    expect(response.status).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(JSON.parse(response.body)).toEqual({ status: 'ok' })
  })
})

describe('preferredLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['fr', 'en'],
    ['*', 'en'],
    ['tr', 'tr'],
    ['TR-tr', 'tr'],
    ['en;q=0.5, tr;q=0.6', 'tr'],
    ['tr;q=0', 'en'],
    ['tr;q=abc, en;q=0.1', 'en'],
    ['en, tr', 'en'],
  ] as const)('chooses for %j %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language)
  })
})
