import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mark } from '../brand.ts'
import { type GatewayWorld, startGateway } from './gateway.fixture.ts'
import { type Problem, sendProblem } from './problem-pages.ts'

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

const visit = async (host: string, language: string, prepare?: (world: GatewayWorld) => void) => {
  const world = await startGateway()
  prepare?.(world)
  return world.get(host, '/', { accept: browser, 'accept-language': language })
}

describe('gateway page: unknown host', () => {
  it.each([
    ['en', 'Site not found', 'There is no site at <strong>nobody.test</strong>.'],
    ['tr', 'Site bulunamadı', '<strong>nobody.test</strong> adresinde bir site yok.'],
  ])('is a 404 in %s that names the host', async (language, title, text) => {
    const response = await visit('nobody.test', language)
    expect(response.status).toBe(404)
    expect(response.headers['content-language']).toBe(language)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers).not.toHaveProperty('x-slipway-project')
    expect(response.body).toContain(`<html lang="${language}">`)
    expect(response.body).toContain(mark)
    expect(response.body).toContain(`<h1>${title}</h1>`)
    expect(response.body).toContain(text)
  })
})

describe('gateway page: unreachable site', () => {
  it.each([
    ['starting', 'en', 'This site is starting'],
    ['starting', 'tr', 'Site başlatılıyor'],
    ['ready', 'en', 'This site is temporarily unavailable'],
    ['ready', 'tr', 'Siteye şu anda ulaşılamıyor'],
  ] as const)('(%s, %s) is a 503 that reloads itself', async (state, language, title) => {
    const response = await visit('late.test', language, (world) =>
      world.routes.set('late.test', { key: 'late', cluster: 'local', state }),
    )
    expect(response.status).toBe(503)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.body).toContain('<meta http-equiv="refresh"')
    expect(response.body).toContain(mark)
    expect(response.body).toContain(`<h1>${title}</h1>`)
  })
})

describe('gateway page: stopped, suspended or failed site', () => {
  it.each([
    ['stopped', 'en', 'This site is offline'],
    ['stopped', 'tr', 'Bu site şu anda yayında değil'],
    ['suspended', 'en', 'This site is suspended'],
    ['suspended', 'tr', 'Bu site askıya alındı'],
    ['failed', 'en', "This site isn't available"],
    ['failed', 'tr', 'Bu siteye ulaşılamıyor'],
  ] as const)('(%s, %s) is a 503 in place of the site', async (state, language, title) => {
    const world = await startGateway()
    await world.site((_request, response) => response.end('The site'))
    world.routes.set('site.test', { key: 'site', cluster: 'local', state })
    const headers = { accept: browser, 'accept-language': language }
    const response = await world.get('site.test', '/any/page', headers)
    expect(response.status).toBe(503)
    expect(response.headers).toMatchObject({
      'retry-after': '3600',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'content-language': language,
      'x-slipway-project': 'site',
    })
    expect(response.body).toContain(`<h1>${title}</h1>`)
    expect(response.body).toContain(mark)
    expect(response.body).not.toContain('http-equiv="refresh"')
  })

  it('is shown for a static site and an upgrade too', async () => {
    const world = await startGateway()
    world.routes.set('site.test', {
      key: 'site',
      cluster: 'local',
      state: 'stopped',
      artifact: 'a'.repeat(64),
    })
    const page = await world.get('site.test', '/')
    expect([page.status, page.headers['retry-after']]).toEqual([503, '3600'])
    const upgrade = await world.raw(
      'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(upgrade).toContain('HTTP/1.1 503 Service Unavailable')
    expect(upgrade).toContain('retry-after: 3600')
  })
})

describe('gateway page: malformed request', () => {
  it.each([
    ['en', 'Bad request'],
    ['tr', 'Geçersiz istek'],
  ])('is a 400 in %s', async (language, title) => {
    const response = await visit('a b', language)
    expect(response.status).toBe(400)
    expect(response.body).toContain(`<h1>${title}</h1>`)
  })
})

describe('gateway pages', () => {
  it.each([
    [undefined, 'text/html'],
    [browser, 'text/html'],
    ['*/*', 'text/html'],
    ['application/json', 'application/json'],
    ['application/problem+json, */*', 'application/json'],
    ['image/avif,image/webp,*/*;q=0.8', 'text/plain'],
    ['text/css,*/*;q=0.1', 'text/plain'],
  ])('Accept: %j gets %s', async (accept, type) => {
    const world = await startGateway()
    const response = await world.get('nobody.test', '/', accept ? { accept } : {})
    expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`)
    if (type === 'application/json') {
      expect(JSON.parse(response.body)).toEqual({ code: 404, error: 'site_not_found' })
    }
  })

  it('HEAD has no body', async () => {
    const world = await startGateway()
    const response = await world.raw(
      'HEAD / HTTP/1.1\r\nHost: nobody.test\r\nConnection: close\r\n\r\n',
    )
    expect(response).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    expect(response).toMatch(/\r\n\r\n$/)
  })

  it('the content security policy allows only the inline style', async () => {
    const response = await visit('nobody.test', 'en')
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'/,
    )
  })

  it('the connection closes when the request body is unread', async () => {
    const world = await startGateway()
    const response = await world.raw(
      'POST / HTTP/1.1\r\nHost: nobody.test\r\nContent-Length: 1000000\r\n\r\nabc',
    )
    expect(response).toContain('HTTP/1.1 404 Not Found')
    expect(response).toContain('Connection: close')
  })
})

describe('gateway page: its link', () => {
  /** Where the link leads; undefined on a page without one. */
  async function linkOf(method: string, path: string, problem: Problem) {
    const server = createServer((request, response) => sendProblem(request, response, problem))
    server.listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    return (await response.text()).match(/<a class="action" href="([^"]*)">/)?.[1]
  }

  it.each<[what: string, method: string, path: string, problem: Problem, href?: string]>([
    ['a missing page leads to the home page', 'GET', '/about', 'page_not_found', '/'],
    ['a missing home page has none', 'GET', '/', 'page_not_found'],
    ['a site that sent no response is requested again', 'GET', '/about', 'site_failed', ''],
    ['a sent form is not requested again', 'POST', '/about', 'site_failed'],
    ['a page that reloads itself has none', 'GET', '/', 'site_unreachable'],
  ])('%s', async (_what, method, path, problem, href) => {
    expect(await linkOf(method, path, problem)).toBe(href)
  })
})
