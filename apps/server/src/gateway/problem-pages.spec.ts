import { describe, expect, it } from 'vitest'
import { type GatewayWorld, startGateway } from './gateway.fixture.ts'

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

const visit = async (host: string, language: string, prepare?: (world: GatewayWorld) => void) => {
  const world = await startGateway()
  prepare?.(world)
  return world.get(host, '/', { accept: browser, 'accept-language': language })
}

describe('the page for an unknown host', () => {
  it.each([
    ['en', 'Site not found', 'There is no site at nobody.test.'],
    ['tr', 'Site bulunamadı', 'nobody.test adresinde bir site yok.'],
  ])('is a 404 in %s that names the host', async (language, title, text) => {
    const answer = await visit('nobody.test', language)
    expect(answer.status).toBe(404)
    expect(answer.headers['content-language']).toBe(language)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers).not.toHaveProperty('x-slipway-project')
    expect(answer.body).toContain(`<html lang="${language}">`)
    expect(answer.body).toContain(`<h1>${title}</h1>`)
    expect(answer.body).toContain(text)
  })
})

describe('the page for a site that does not listen', () => {
  it.each([
    ['starting', 'en', 'This site is starting'],
    ['starting', 'tr', 'Site başlatılıyor'],
    ['ready', 'en', 'This site is temporarily unavailable'],
    ['ready', 'tr', 'Site geçici olarak kullanılamıyor'],
  ] as const)('(%s, %s) is a 503 that comes back by itself', async (state, language, title) => {
    const answer = await visit('late.test', language, (world) =>
      world.routes.set('late.test', { key: 'late', state }),
    )
    expect(answer.status).toBe(503)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.body).toContain('<meta http-equiv="refresh"')
    expect(answer.body).toContain(`<h1>${title}</h1>`)
  })
})

describe('the page for a malformed request', () => {
  it.each([
    ['en', 'Bad request'],
    ['tr', 'Geçersiz istek'],
  ])('is a 400 in %s', async (language, title) => {
    const answer = await visit('a b', language)
    expect(answer.status).toBe(400)
    expect(answer.body).toContain(`<h1>${title}</h1>`)
  })
})

describe('every page of the gateway', () => {
  it.each([
    [undefined, 'text/html'],
    [browser, 'text/html'],
    ['*/*', 'text/html'],
    ['application/json', 'application/json'],
    ['application/problem+json, */*', 'application/json'],
    ['image/avif,image/webp,*/*;q=0.8', 'text/plain'],
    ['text/css,*/*;q=0.1', 'text/plain'],
  ])('answers what asks for %j with %s', async (accept, type) => {
    const world = await startGateway()
    const answer = await world.get('nobody.test', '/', accept ? { accept } : {})
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    if (type === 'application/json') {
      expect(JSON.parse(answer.body)).toEqual({ code: 404, error: 'site_not_found' })
    }
  })

  it('has no body for HEAD', async () => {
    const world = await startGateway()
    const answer = await world.raw(
      'HEAD / HTTP/1.1\r\nHost: nobody.test\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    expect(answer).toMatch(/\r\n\r\n$/)
  })

  it('allows only its own style', async () => {
    const answer = await visit('nobody.test', 'en')
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'/,
    )
  })

  it('ends the connection of a visitor who is still sending', async () => {
    const world = await startGateway()
    const answer = await world.raw(
      'POST / HTTP/1.1\r\nHost: nobody.test\r\nContent-Length: 1000000\r\n\r\nabc',
    )
    expect(answer).toContain('HTTP/1.1 404 Not Found')
    expect(answer).toContain('Connection: close')
  })
})
