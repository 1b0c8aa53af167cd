import { listProjects } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../app.ts'
import { createWorld, type World } from '../testing/world.ts'

const listed = 'https://console.example.com'
const origins = [
  'https://evil.example',
  'https://console.example.com.evil.example',
  'http://console.example.com',
  'https://console.example.com:8443',
  'null',
]

let world: World
let withOrigins: App
beforeAll(async () => {
  world = await createWorld()
  withOrigins = await world.anotherApp({ CONSOLE_ORIGINS: [listed, 'https://other.example.com'] })
})
afterAll(() => world.close())

/** Preflight and requests from another origin, with every kind of response. */
const requestFrom = (app: App, origin: string) =>
  Promise.all(
    [
      {
        method: 'OPTIONS' as const,
        url: `/api${listProjects.path}`,
        headers: {
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      },
      { method: 'GET' as const, url: `/api${listProjects.path}`, headers: {} },
      {
        method: 'POST' as const,
        url: `/api${login.path}`,
        headers: {},
        payload: { email: 'x', password: 'x' },
      },
      { method: 'GET' as const, url: '/api/nothing', headers: {} },
      { method: 'POST' as const, url: '/api/auth/project/introspect', headers: {} },
      { method: 'GET' as const, url: '/api/auth/project/tokens', headers: {} },
    ].map(({ headers, ...request }) =>
      app.server.app.inject({ ...request, headers: { ...headers, origin } }),
    ),
  )

const access = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

describe('cross-origin requests', () => {
  it('no response has an access header without CONSOLE_ORIGINS', async () => {
    for (const origin of [listed, ...origins])
      for (const { headers } of await requestFrom(world.app, origin))
        expect(access(headers)).toEqual({})
  })

  it('each origin of CONSOLE_ORIGINS is allowed by name', async () => {
    for (const { headers } of await requestFrom(withOrigins, listed)) {
      expect(headers['access-control-allow-origin']).toBe(listed)
      expect(headers.vary).toContain('Origin')
    }
    const [preflight] = await requestFrom(withOrigins, listed)
    expect(preflight?.statusCode).toBe(204)
    expect(preflight?.headers['access-control-allow-headers']).toContain('Authorization')
  })

  it('every other origin is rejected', async () => {
    for (const origin of origins)
      for (const { headers } of await requestFrom(withOrigins, origin))
        expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('every origin may call the endpoints of the login provider that clients in browsers need', async () => {
    for (const app of [world.app, withOrigins])
      for (const [method, url] of [
        ['GET', '/.well-known/openid-configuration'],
        ['GET', '/.well-known/oauth-authorization-server'],
        ['GET', '/api/auth/project/jwks'],
        ['POST', '/api/auth/project/token'],
        ['GET', '/api/auth/project/userinfo'],
        ['POST', '/api/auth/project/revoke'],
      ] as const) {
        const headers = { origin: 'https://shop.example' }
        const preflight = await app.server.app.inject({
          method: 'OPTIONS',
          url,
          headers: {
            ...headers,
            'access-control-request-method': method,
            'access-control-request-headers': 'authorization',
          },
        })
        for (const response of [preflight, await app.server.app.inject({ method, url, headers })]) {
          expect(response.headers['access-control-allow-origin'], url).toBe('*')
          expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
        }
        expect(preflight.statusCode).toBe(204)
      }
  })

  it('credentials are never allowed', async () => {
    for (const origin of [listed, ...origins])
      for (const { headers } of await requestFrom(withOrigins, origin))
        expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
})
