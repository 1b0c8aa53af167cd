import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { httpGet } from '../../server/src/testing/http-get.ts'
import { until } from '../../server/src/testing/until.ts'
import { type BuiltFiles, createBlog } from './blog.fixture.ts'
import { createCli } from './cli.fixture.ts'
import { type CliWorld, createCliWorld } from './cli-world.fixture.ts'

let service: CliWorld
beforeAll(async () => {
  service = await createCliWorld()
})
afterAll(() => service.close())

const articleCount = 300

/** How many files the second build adds, changes and removes. */
const changesBetween = (before: BuiltFiles, after: BuiltFiles) => ({
  added: [...after.keys()].filter((path) => !before.has(path)).length,
  changed: [...after].filter(([path, content]) => before.get(path)?.equals(content) === false)
    .length,
  removed: [...before.keys()].filter((path) => !after.has(path)).length,
})

/** A blog that Eleventy builds, and a project that `slipway` deploys it to. */
async function createGeneratedSite() {
  const { key, env, releases } = await service.newSite()
  const cli = await createCli({ SLIPWAY_URL: service.url, ...env })
  onTestFinished(() => cli.remove())
  const blog = await createBlog(cli.folder, articleCount)
  const get = (path: string, headers: Record<string, string> = {}) =>
    httpGet({ port: service.world.env.SITES_PORT }, path, { host: `${key}.localhost`, ...headers })
  return {
    blog,
    get,
    async run(...args: string[]) {
      const { code, output, errors } = await cli.run(args)
      expect({ code, errors }).toMatchObject({ code: 0 })
      expect(output).toContain('is live')
      return (await releases())[0]
    },
    /** Waits until the gateway has this build, then compares every page. */
    async expectPages(files: BuiltFiles) {
      const pages = [...files].filter(([path]) => path.endsWith('/index.html'))
      expect(pages.length).toBeGreaterThanOrEqual(articleCount)
      const sitemap = files.get('sitemap.xml')?.toString()
      await until(async () => (await get('/sitemap.xml')).body === sitemap)
      for (const [path, content] of pages) {
        const { status, bytes } = await get(`/${path.slice(0, -'index.html'.length)}`)
        expect({ path, status, isSame: bytes.equals(content) }).toEqual({
          path,
          status: 200,
          isSame: true,
        })
      }
    },
  }
}

describe('a site of 300 articles that Eleventy builds', () => {
  it('is served whole: pages, style, redirect and page for unknown paths', async () => {
    const { blog, get, run, expectPages } = await createGeneratedSite()
    const files = await blog.build()
    expect(await run('deploy', '_site')).toMatchObject({
      number: 1,
      files: files.size,
      changes: { added: files.size, changed: 0, removed: 0 },
    })
    await expectPages(files)

    const withoutSlash = await get('/articles/7')
    expect([withoutSlash.status, withoutSlash.headers.location]).toEqual([301, '/articles/7/'])
    const redirect = await get('/blog/7')
    expect([redirect.status, redirect.headers.location]).toEqual([301, '/articles/7/'])
    const unknown = await get('/articles/301/')
    expect([unknown.status, unknown.bytes]).toEqual([404, files.get('404.html')])

    const style = files.get('style.css')
    const br = await get('/style.css', { 'accept-encoding': 'br, gzip' })
    expect(br.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/css; charset=utf-8',
    })
    expect(brotliDecompressSync(br.bytes)).toEqual(style)
    const article = await get('/articles/7/', { 'accept-encoding': 'gzip' })
    expect(article.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(article.bytes)).toEqual(files.get('articles/7/index.html'))
  })

  it('gets only the changed files of a second build, and rolls back', async () => {
    const { blog, get, run, expectPages } = await createGeneratedSite()
    const first = await blog.build()
    await run('deploy', '_site')
    await expectPages(first)
    const unchanged = await get('/articles/8/')

    await blog.writeArticle(7, 'A better text.')
    await blog.writeArticle(301, 'A new article.')
    await blog.removeArticle(300)
    const second = await blog.build()
    const changes = changesBetween(first, second)
    // Besides the articles, the last page of the list and the sitemap change.
    expect(changes).toEqual({ added: 1, changed: 3, removed: 1 })
    expect(await run('deploy', '_site')).toMatchObject({ number: 2, changes })
    await expectPages(second)
    expect((await get('/articles/300/')).status).toBe(404)
    const cached = { 'if-none-match': String(unchanged.headers.etag) }
    expect((await get('/articles/8/', cached)).status).toBe(304)

    expect(await run('rollback', '1')).toMatchObject({
      number: 3,
      source: 'rollback',
      changes: { added: 1, changed: 3, removed: 1 },
    })
    await expectPages(first)
    expect((await get('/articles/301/')).status).toBe(404)
  })
})
