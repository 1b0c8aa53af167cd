import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { getProfile, updateProfileName } from '@slipway/contract/account'
import { endpoint } from '@slipway/contract/endpoint'
import { socketPath } from '@slipway/contract/events'
import {
  createProject,
  listProjects,
  type ProjectId,
  renameProject,
  viewProject,
} from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { problem } from '../problem.ts'
import { errorCodeOf, errorOf } from '../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'
import { createBinder } from './binder.ts'
import { inlineHashes } from './console.ts'
import { createServer } from './server.ts'

let world: World
let user: TestUser
beforeAll(async () => {
  world = await createWorld()
  user = await world.user()
})
afterAll(() => world.close())

const send = (options: {
  method?: 'GET' | 'POST' | 'PUT'
  url: string
  payload?: string
  headers?: Record<string, string>
}) => world.app.server.app.inject({ method: 'POST', ...options })

const authorization = () => ({ authorization: `Bearer ${user.token}` })
const json = { 'content-type': 'application/json' }
const loginUrl = `/api${login.path}`

describe('HTTP server: bad input', () => {
  it.each([
    ['JSON that does not parse', '{"email":', json, 400, 'malformed_request'],
    ['an empty body that says it is JSON', '', json, 400, 'malformed_request'],
    ['an array', '[]', json, 400, 'malformed_request'],
    ['null', 'null', json, 422, 'validation_error'],
    ['a key that would set the prototype', '{"__proto__":{"x":1}}', json, 400, 'malformed_request'],
    [
      'a form',
      'email=a',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['plain text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['too much', JSON.stringify({ email: 'x'.repeat(70_000) }), json, 413, 'request_too_large'],
    ['wrong types', '{"email":7,"password":{}}', json, 422, 'validation_error'],
    ['no body', undefined, {}, 422, 'validation_error'],
  ])('%s has its error', async (_what, payload, headers, status, error) => {
    const response = await send({
      url: loginUrl,
      ...(payload === undefined ? {} : { payload }),
      headers,
    })
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ code: status, error })
    expect(response.headers['content-type']).toContain('application/json')
  })

  it('an unknown route or method is route_not_found', async () => {
    for (const url of ['/api/nothing', '/api', '/api/../x', loginUrl])
      expect((await send({ method: 'GET', url })).json(), url).toMatchObject({
        code: 404,
        error: 'route_not_found',
      })
  })

  it('a request to the socket’s path without an upgrade is malformed', async () => {
    const url = `/api${socketPath}?token=${user.token}`
    expect((await send({ method: 'GET', url })).json()).toEqual({
      code: 400,
      error: 'malformed_request',
      context: 'a WebSocket is expected',
    })
  })

  it('an undecodable path is malformed', async () => {
    const response = await send({ method: 'GET', url: '/api/management/project/view/%E0%A4%A' })
    expect(response.json()).toEqual({ code: 400, error: 'malformed_request' })
  })

  it('NUL and invisible characters are rejected and not logged as a failure', async () => {
    for (const odd of ['a\u0000', 'a\ud800']) {
      const body = { email: `${odd}@example.com`, password: odd }
      const { code, fields } = await errorOf(world.guest(login, { body }))
      expect([code, Object.keys(fields)]).toEqual(['validation_error', ['email', 'password']])
    }
    for (const name of [
      'abc\u0000',
      '\u200b\u200b\u200b',
      '\u202eabc',
      'ab\ncd',
      'abc\ud800',
      'a\u200d\u200db',
    ])
      expect((await errorOf(user.call(updateProfileName, { body: { name } }))).fields).toEqual({
        name: 'Please enter a name',
      })
    const emoji = { body: { name: '👩\u200d🚀 Ada' } }
    expect((await user.call(updateProfileName, emoji)).name).toBe('👩\u200d🚀 Ada')
  })

  it('a malformed path parameter is not found', async () => {
    for (const key of ['nope', 'a\u0000', 'x'.repeat(254), 'x'.repeat(400), 'x'.repeat(10_000)])
      expect(await errorCodeOf(user.call(viewProject, { params: { key } }))).toBe(
        'project_not_found',
      )
    for (const id of ['nope', 'a\u0000', 'x'.repeat(400)]) {
      const body = { name: 'New name' }
      const params = { id: id as ProjectId }
      expect(await errorCodeOf(user.call(renameProject, { params, body }))).toBe(
        'project_not_found',
      )
    }
  })

  it('unknown fields are ignored', async () => {
    const body = { name: 'New name', id: 'x', email: 'stolen@example.com', verifiedAt: null }
    const profile = await user.call(updateProfileName, { body })
    expect(profile).toMatchObject({ name: 'New name', email: user.email })
  })

  it('an Authorization header without a bearer token is unauthorized', async () => {
    for (const authorization of ['', 'Bearer', 'Basic eDp5', `Bearer  ${user.token} y`, user.token])
      expect(
        (await send({ method: 'GET', url: `/api${getProfile.path}`, headers: { authorization } }))
          .statusCode,
      ).toBe(401)
  })
})

describe('HTTP server: responses', () => {
  it('a response has a request id, no-store and the security headers', async () => {
    const { headers } = await send({
      method: 'GET',
      url: `/api${listProjects.path}`,
      headers: authorization(),
    })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['cache-control']).toBe('no-store')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('messages are in the language of Accept-Language', async () => {
    const response = await send({
      url: `/api${createProject.path}`,
      payload: '{}',
      headers: { ...json, ...authorization(), 'accept-language': 'de, tr-TR;q=0.9, en;q=0.8' },
    })
    expect(response.json().root.name).toBe('Bir ad girin')
  })
})

describe('createBinder', () => {
  const thing = endpoint('GET /test/thing', {
    summary: 'A thing',
    access: 'public',
    response: z.object({ name: z.string(), inner: z.object({ kept: z.number() }) }),
    errors: ['item_not_found'],
  })

  /** A server with one more endpoint. */
  async function serve(handler: () => Promise<never>) {
    const server = await createServer(
      world.ctx,
      {
        routes: [(on) => on(thing, handler)],
        jobs: [],
        timers: [],
        audience: {},
        pages: [],
        keepsUser: [],
        sealed: [],
        metrics: [],
      },
      async () => null,
      { web: true, worker: false, consoleDir: '/nonexistent' },
    )
    return server.app.inject({ method: 'GET', url: '/api/test/thing' })
  }

  it('strips a response to what the contract declares', async () => {
    const response = await serve(
      async () => ({ name: 'x', secret: 1, inner: { kept: 2, hash: 'y' } }) as never,
    )
    expect(response.json()).toEqual({ name: 'x', inner: { kept: 2 } })
  })

  it('sends declared errors, and others as internal_error with the request id', async () => {
    const declared = await serve(async () => {
      throw problem('item_not_found')
    })
    expect(declared.json()).toEqual({ code: 404, error: 'item_not_found' })
    for (const error of [problem('team_not_found'), new Error('secret detail')]) {
      const response = await serve(async () => {
        throw error
      })
      expect(response.statusCode).toBe(500)
      expect(response.json()).toEqual({
        code: 500,
        error: 'internal_error',
        context: response.headers['x-request-id'],
      })
    }
  })

  it('responds unavailable, with the time of a retry, when the database is down or a queue is full', async () => {
    const noDatabase = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    for (const error of [noDatabase, problem('unavailable')]) {
      const response = await serve(async () => {
        throw error
      })
      expect(response.json()).toEqual({ code: 503, error: 'unavailable' })
      expect(response.headers['retry-after']).toBe('2')
    }
  })

  it('the documentation lists every endpoint', async () => {
    const docs = await send({ method: 'GET', url: '/api/docs/json' })
    const paths = Object.entries<Record<string, unknown>>(docs.json().paths)
    const documented = paths.flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    )
    const mounted = [...world.app.server.endpoints].map(({ method, path }) => `${method} ${path}`)
    expect(documented.sort()).toEqual(mounted.sort())
    expect(createBinder).toBeTypeOf('function')
  })
})

describe('rate limit', () => {
  it('responds too_many_requests with Retry-After, sooner for endpoints that hash', async () => {
    const limited = await world.anotherApp({ RATE_LIMIT: 60 })
    const call = world.client(null, 'en', limited)
    const body = { email: 'limited@example.com', password: 'x' }
    const codes: string[] = []
    for (let tries = 0; tries < 5; tries++) codes.push(await errorCodeOf(call(login, { body })))
    expect(codes).toEqual([
      'invalid_credentials',
      'invalid_credentials',
      'invalid_credentials',
      'too_many_requests',
      'too_many_requests',
    ])
    const response = await limited.server.app.inject({
      method: 'POST',
      url: loginUrl,
      payload: body,
    })
    expect(response.statusCode).toBe(429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('rate limit: order', () => {
  const profile = `/api${getProfile.path}`
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('counts made-up tokens of an address before it looks them up', async () => {
    const server = await world.anotherServer({ RATE_LIMIT: 3 })
    const statuses: number[] = []
    for (let times = 0; times < 5; times++)
      statuses.push(
        (await server.inject({ url: profile, headers: bearer(`made-up-${times}`) })).statusCode,
      )
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    // Not even a valid token is looked up.
    expect((await server.inject({ url: profile, headers: bearer(user.token) })).json()).toEqual({
      code: 429,
      error: 'too_many_requests',
    })
  })

  it('counts the requests of a user from all addresses, and of each address', async () => {
    const server = await world.anotherServer({ RATE_LIMIT: 3 })
    const statusFrom = async (remoteAddress: string) =>
      (await server.inject({ url: profile, headers: bearer(user.token), remoteAddress })).statusCode
    for (let host = 1; host <= 3; host++) expect(await statusFrom(`192.0.2.${host}`)).toBe(200)
    expect(await statusFrom('192.0.2.4')).toBe(429)
    const otherUser = await world.user()
    const url = { url: profile, headers: bearer(otherUser.token) }
    expect((await server.inject({ ...url, remoteAddress: '192.0.2.4' })).statusCode).toBe(200)
  })

  it('counts the addresses of one /64 network of IPv6 as one', async () => {
    const server = await world.anotherServer({ RATE_LIMIT: 3 })
    const statusFrom = async (remoteAddress: string) =>
      (await server.inject({ url: profile, remoteAddress })).statusCode
    for (let host = 1; host <= 3; host++) expect(await statusFrom(`2001:db8::${host}`)).toBe(401)
    expect(await statusFrom('2001:db8::ffff:1')).toBe(429)
    expect(await statusFrom('2001:db8:0:1::1')).toBe(401)
  })

  it('counts the requests to the documentation', async () => {
    const server = await world.anotherServer({ RATE_LIMIT: 1 })
    expect((await server.inject('/api/docs/json')).json()).toHaveProperty('openapi')
    expect((await server.inject('/api/docs/json')).statusCode).toBe(429)
  })

  it('counts the requests to /readyz', async () => {
    const server = await world.anotherServer({ RATE_LIMIT: 1 })
    await server.inject('/readyz')
    expect((await server.inject('/readyz')).statusCode).toBe(429)
    expect((await server.inject('/healthz')).statusCode).toBe(200)
  })
})

describe('console page', () => {
  it('is served for every path a browser opens, and for none of the API', async () => {
    const consoleDir = await mkdtemp(join(tmpdir(), 'slipway-console-'))
    await mkdir(join(consoleDir, 'assets'))
    await writeFile(join(consoleDir, 'index.html'), '<!doctype html><script>let a</script>')
    await writeFile(join(consoleDir, 'assets/a-1.js'), 'let b')
    await writeFile(join(consoleDir, 'favicon.svg'), '<svg/>')
    const app = (await world.anotherApp({ CONSOLE_DIR: consoleDir })).server.app
    const get = (url: string) => app.inject({ method: 'GET', url })
    for (const url of [
      '/',
      '/projects',
      '/projects/view/some-key',
      '/auth/verify?token=x',
      '/x/y',
    ]) {
      const page = await get(url)
      expect(page.statusCode, url).toBe(200)
      expect(page.headers['cache-control'], url).toBe('no-cache')
      expect(page.body).toContain('<!doctype html>')
      expect(page.headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-/)
      expect(page.headers['permissions-policy']).toContain('camera=(), ')
    }
    const file = await get('/assets/a-1.js')
    expect(file.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    // Fewer bytes than the smallest files.
    expect(JSON.stringify(file.headers).length).toBeLessThan(600)
    for (const url of ['/assets/gone.js', '/api', '/api/x', '/api?x=1'])
      expect((await get(url)).json(), url).toEqual({ code: 404, error: 'route_not_found' })
    const page = { accept: 'text/html,*/*;q=0.8' }
    const icon = await app.inject({ url: '/favicon.ico', headers: page })
    expect(icon.headers['content-type']).toBe('image/svg+xml')
    for (const url of ['/projects/view/foo.bar', '/nope.php'])
      expect((await app.inject({ url, headers: page })).body, url).toContain('<!doctype html>')
    for (const url of [
      '/assets/',
      '//evil.example.com',
      '/assets/../../x',
      '/%2e%2e/%2e%2e/etc/passwd',
    ])
      expect((await get(url)).statusCode, url).toBeLessThan(500)
    expect(world.logged.join('')).not.toContain('FST_STATIC_FORBIDDEN_PATH')
    for (const url of ['/..%2f..%2fetc/passwd', '/assets/..%2f..%2fpackage.json'])
      expect((await get(url)).body).not.toMatch(/root:|"name"/)
    await rm(consoleDir, { recursive: true })
  })

  it('a prerendered screen has the same headers and compression', async () => {
    const consoleDir = await mkdtemp(join(tmpdir(), 'slipway-console-'))
    await mkdir(join(consoleDir, 'auth/login'), { recursive: true })
    await mkdir(join(consoleDir, 'assets'))
    await writeFile(join(consoleDir, 'index.html'), '<!doctype html><script>let a</script>')
    const prerendered = '<!doctype html><script>let a</script><script>let own</script>'
    await writeFile(join(consoleDir, 'auth/login.html'), prerendered)
    await writeFile(join(consoleDir, 'auth/login.html.br'), brotliCompressSync(prerendered))
    await writeFile(join(consoleDir, 'auth/login/oauth.html'), '<!doctype html>return')
    await writeFile(join(consoleDir, 'assets/a-1.js'), 'let b')
    await writeFile(join(consoleDir, 'assets/a-1.js.br'), brotliCompressSync('let b'))
    const app = (await world.anotherApp({ CONSOLE_DIR: consoleDir })).server.app
    const get = (url: string, encoding = 'identity', method: 'GET' | 'HEAD' = 'GET') =>
      app.inject({ method, url, headers: { 'accept-encoding': encoding, accept: 'text/html' } })

    for (const url of ['/auth/login', '/auth/login/', '/auth/login?next=%2Fteams']) {
      const page = await get(url)
      expect(page.body, url).toBe(prerendered)
      expect(page.headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-type': 'text/html; charset=utf-8',
      })
      for (const hash of inlineHashes(prerendered, 'script'))
        expect(page.headers['content-security-policy']).toContain(hash)
    }
    expect((await get('/auth/login', 'identity', 'HEAD')).statusCode).toBe(200)
    expect((await get('/auth/login/oauth?token=x')).body).toBe('<!doctype html>return')
    expect((await get('/auth/sign-up')).body).not.toContain('own')
    const second = await app.inject({
      url: '/auth/login',
      headers: { 'if-none-match': String((await get('/auth/login')).headers.etag) },
    })
    expect(second.statusCode).toBe(304)

    for (const [url, caching] of [
      ['/auth/login', 'no-cache'],
      ['/assets/a-1.js', 'public, max-age=31536000, immutable'],
    ] as const) {
      const file = await get(url, 'gzip, deflate, br')
      expect(file.headers, url).toMatchObject({
        'content-encoding': 'br',
        'cache-control': caching,
        vary: expect.stringMatching(/accept-encoding/i),
      })
      expect(brotliDecompressSync(file.rawPayload).toString()).toBe((await get(url)).body)
    }
    await rm(consoleDir, { recursive: true })
  })

  it('the policy has the hashes of exactly its inline scripts', () => {
    const html =
      '<script>let a</script><script src="/x.js"></script><script type="module">b</script>'
    expect(inlineHashes(html, 'script')).toHaveLength(2)
    // The digest of `let a`, from `printf 'let a' | openssl dgst -sha256 -binary | base64`.
    expect(inlineHashes('<script>let a</script>', 'script')).toEqual([
      "'sha256-IfEXP/8HLuXoAiy0hZVrCAcjcLsZqYFpLOHDGj8enqE='",
    ])
  })
})
