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

/** What a browser asks before a call from another origin, and the call, with every kind of answer. */
const askedFrom = (app: App, origin: string) =>
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
      { method: 'GET' as const, url: '/.well-known/openid-configuration', headers: {} },
    ].map(({ headers, ...request }) =>
      app.server.app.inject({ ...request, headers: { ...headers, origin } }),
    ),
  )

const access = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

describe('calls from other origins', () => {
  it('get no access header without CONSOLE_ORIGINS', async () => {
    for (const origin of [listed, ...origins])
      for (const { headers } of await askedFrom(world.app, origin))
        expect(access(headers)).toEqual({})
  })

  it('are open to the origins of CONSOLE_ORIGINS, each by its own name', async () => {
    for (const { headers } of await askedFrom(withOrigins, listed)) {
      expect(headers['access-control-allow-origin']).toBe(listed)
      expect(headers.vary).toContain('Origin')
    }
    const [preflight] = await askedFrom(withOrigins, listed)
    expect(preflight?.statusCode).toBe(204)
    expect(preflight?.headers['access-control-allow-headers']).toContain('Authorization')
  })

  it('are closed to every other origin', async () => {
    for (const origin of origins)
      for (const { headers } of await askedFrom(withOrigins, origin))
        expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('never carry credentials that a browser adds by itself', async () => {
    for (const origin of [listed, ...origins])
      for (const { headers } of await askedFrom(withOrigins, origin))
        expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
})
