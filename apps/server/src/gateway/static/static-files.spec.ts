import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createArtifactStore } from '../../artifacts/artifact-store.ts'
import { type ArchiveFiles, zipOf } from '../../testing/archives.ts'
import { startGateway } from '../gateway.fixture.ts'

const limits = { archiveBytes: 1e8, unpackedBytes: 1e8, files: 1000 }
const text = 'body { margin: 0 }\n'.repeat(500)

/** A gateway that serves these files at `site.test`. */
async function serve(files: ArchiveFiles) {
  const world = await startGateway()
  const store = createArtifactStore(world.folder, limits)
  const { digest } = await store.receive(Readable.from([zipOf(files)]))
  await store.unpack(digest)
  world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready', artifact: digest })
  const get = (path = '/', headers: Record<string, string> = {}) =>
    world.get('site.test', path, headers)
  return { ...world, get, store, digest }
}

describe('a static site', () => {
  it('serves its files with type, validator and the project', async () => {
    const { get } = await serve({ 'index.html': '<p>Hello</p>', 'a.svg': '<svg/>', 'b.bin': 'x' })
    const page = await get()
    expect([page.status, page.body]).toEqual([200, '<p>Hello</p>'])
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '12',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
      'x-slipway-project': 'site',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
    expect((await get('/a.svg')).headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect((await get('/b.bin')).headers['content-type']).toBe('application/octet-stream')
  })

  it('has the headers of its rules however the path is encoded', async () => {
    const { get } = await serve({
      'index.html': 'x',
      'admin/index.html': 'y',
      _headers: '/admin/*\n  X-Frame-Options: DENY\n',
    })
    for (const path of ['/admin/', '/%61dmin/', '/admin/?a=b', '/%61%64min/'])
      expect((await get(path)).headers['x-frame-options'], path).toBe('DENY')
    expect((await get('/')).headers).not.toHaveProperty('x-frame-options')
  })

  it('reads no more of its rules than 128 KiB, in whole lines', async () => {
    const rule = (number: number) => `/from/${number} /to/${number}?${'x'.repeat(1_000)}\n`
    const rules = Array.from({ length: 300 }, (_, number) => rule(number)).join('')
    const { get } = await serve({ 'index.html': 'x', _redirects: rules })
    expect((await get('/from/100')).headers.location).toBe(`/to/100?${'x'.repeat(1_000)}`)
    expect((await get('/from/299')).status).toBe(404)
  })

  it('sends the compressed copy that the visitor accepts', async () => {
    const { get } = await serve({ 'index.html': 'x', 'site.css': text })
    const encoded = async (accepted: string) => {
      const { headers, bytes } = await get('/site.css', { 'accept-encoding': accepted })
      expect(Number(headers['content-length'])).toBe(bytes.length)
      expect(headers.vary).toBe('Accept-Encoding')
      return { encoding: headers['content-encoding'], etag: headers.etag, bytes }
    }
    const [br, gzip, identity, rejected] = [
      await encoded('gzip, deflate, br'),
      await encoded('gzip;q=0.8, br;q=0'),
      await encoded('identity'),
      await encoded('br;q=0.000'),
    ]
    expect([br.encoding, gzip.encoding, identity.encoding, rejected.encoding]).toEqual([
      'br',
      'gzip',
      undefined,
      undefined,
    ])
    expect(brotliDecompressSync(br.bytes).toString()).toBe(text)
    expect(gunzipSync(gzip.bytes).toString()).toBe(text)
    // A strong validator names one representation (RFC 9110 §8.8.1).
    expect(new Set([br.etag, gzip.etag, identity.etag]).size).toBe(3)
  })

  it('responds 304 to a visitor who has the file', async () => {
    const { get } = await serve({ 'index.html': 'x', 'site.css': text })
    const { headers } = await get('/site.css')
    const etag = String(headers.etag)
    for (const cachedEtag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get('/site.css', { 'if-none-match': cachedEtag })
      expect([response.status, response.body, response.headers.etag]).toEqual([304, '', etag])
    }
    expect((await get('/site.css', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it.each([
    ['bytes=0-3', 206, 'body', 'bytes 0-3/9500'],
    ['bytes=9497-', 206, ' }\n', 'bytes 9497-9499/9500'],
    ['bytes=-3', 206, ' }\n', 'bytes 9497-9499/9500'],
    ['bytes=9498-99999', 206, '}\n', 'bytes 9498-9499/9500'],
    ['bytes=9500-', 416, '', 'bytes */9500'],
    ['bytes=-0', 416, '', 'bytes */9500'],
    ['bytes=5-2', 200, text, undefined],
    ['bytes=0-1,4-5', 200, text, undefined],
    ['lines=1-2', 200, text, undefined],
  ])('responds to the range %s with %i', async (range, status, body, contentRange) => {
    const { get } = await serve({ 'index.html': 'x', 'site.css': text })
    const response = await get('/site.css', { range, 'accept-encoding': 'br' })
    expect([response.status, response.headers['content-range']]).toEqual([status, contentRange])
    expect(response.body).toBe(body)
  })

  it('ignores the range of a file that has changed', async () => {
    const { get } = await serve({ 'index.html': 'x', 'site.css': text })
    const headers = { range: 'bytes=0-3', 'if-range': '"old"' }
    expect((await get('/site.css', headers)).status).toBe(200)
  })

  it('sends a large file from the disk, and parts of it', async () => {
    const large = Buffer.alloc(3_000_000, 'abcdefghij')
    const { get } = await serve({ 'index.html': 'x', 'large.bin': large })
    expect((await get('/large.bin')).bytes.equals(large)).toBe(true)
    const part = await get('/large.bin', { range: 'bytes=2999990-' })
    expect(part.bytes.toString()).toBe('abcdefghij')
  })

  it('keeps files with a hash in their name for a year', async () => {
    const names = [
      ...['app.8f3a2b1c.js', 'assets/index-BQ3x9a7Z.css', 'assets/crash-BVBf3J-9.js'],
      ...['_astro/hero.DiwrgTda.js', '_next/static/chunks/main-d0a1f9b2c3e4f5a6.js'],
    ]
    const others = ['annual-report2024.css', 'my-favorite.css', 'assets/style.css', 'deadbeef.css']
    const pictures = [
      ...['the-old-barn.jpg', 'logo-business.png', 'team-portrait.jpg', 'company-overview.pdf'],
      ...['summer-sale2024.jpg', 'hero-1024x768.jpg', 'trip-IMG_2024.jpg', 'case-iPhone15.jpg'],
      ...['header-LogoDark.svg', 'jquery.LazyLoad.js', 'report-20240115.pdf'],
    ]
    others.push(...pictures.map((name) => `assets/${name}`))
    const { get } = await serve(
      Object.fromEntries(['index.html', ...names, ...others].map((name) => [name, 'x'])),
    )
    const caching = async (name: string) => (await get(`/${name}`)).headers['cache-control']
    for (const name of names) expect(await caching(name), name).toContain('immutable')
    for (const name of others) expect(await caching(name), name).toContain('max-age=0')
  })

  it('follows its _redirects and sends its _headers', async () => {
    const { get } = await serve({
      'index.html': 'home',
      _redirects: '/old/* /new/:splat 302\n/gone /404.html 410\n/* /index.html 200',
      _headers: '/*\n  X-Robots-Tag: noindex\n  Cache-Control: no-cache',
      '404.html': 'nothing',
    })
    const moved = await get('/old/a?b=c')
    expect([moved.status, moved.headers.location]).toEqual([302, '/new/a?b=c'])
    const gone = await get('/gone')
    expect([gone.status, gone.body]).toEqual([410, 'nothing'])
    const rewritten = await get('/app/any')
    expect([rewritten.status, rewritten.body]).toEqual([200, 'home'])
    expect(rewritten.headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'no-cache',
    })
  })

  it('has redirects that a browser revalidates, so that the next release may lead elsewhere', async () => {
    const { get } = await serve({ 'about/index.html': 'x', _redirects: '/old /about/' })
    for (const [path, to] of [
      ['/about', '/about/'],
      ['/old', '/about/'],
    ] as const) {
      const { status, headers } = await get(path)
      expect([status, headers.location]).toEqual([301, to])
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    }
  })

  it('shows its own 404.html, or the gateway’s page', async () => {
    const siteWithPage = await serve({ 'index.html': 'x', '404.html': 'Nothing here' })
    const missing = await siteWithPage.get('/x')
    expect([missing.status, missing.body]).toEqual([404, 'Nothing here'])
    const withoutPage = await serve({ 'index.html': 'x' })
    const page = await withoutPage.get('/x', { 'accept-language': 'tr' })
    expect([page.status, page.headers['x-slipway-project']]).toEqual([404, 'site'])
    expect(page.body).toContain('Sayfa bulunamadı')
  })

  it('sends no body for HEAD, and allows no other method', async () => {
    const { raw } = await serve({ 'index.html': 'hello' })
    const head = await raw('HEAD / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 200 [\s\S]*content-length: 5\r\n[\s\S]*\r\n\r\n$/)
    const posted = await raw(
      'POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    )
    expect(posted).toMatch(/^HTTP\/1.1 405 [\s\S]*x-slipway-project: site[\s\S]*allow: GET, HEAD/)
  })

  it('switches to other files without a failed request', async () => {
    const { get, store, routes } = await serve({ 'index.html': 'old' })
    const { digest } = await store.receive(Readable.from([zipOf({ 'index.html': 'new' })]))
    await store.unpack(digest)
    const bodies: string[] = []
    for (let request = 0; request < 40; request++) {
      if (request === 20)
        routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready', artifact: digest })
      bodies.push((await get()).body)
    }
    expect(bodies).toEqual([...Array(20).fill('old'), ...Array(20).fill('new')])
  })

  it('says that nothing is published before its first release', async () => {
    const { get, routes } = await serve({ 'index.html': 'x' })
    routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready', artifact: null })
    const page = await get()
    expect([page.status, page.headers['x-slipway-project']]).toEqual([404, 'site'])
    expect(page.body).toContain('Nothing is published here yet')
  })

  it('shows an error when its files are missing', async () => {
    const { get, store, digest, lines } = await serve({ 'index.html': 'x' })
    await store.remove(digest)
    const page = await get()
    expect([page.status, page.headers['x-slipway-project']]).toEqual([502, 'site'])
    expect(lines.some(({ message }) => message.includes('could not be sent'))).toBe(true)
  })
})
