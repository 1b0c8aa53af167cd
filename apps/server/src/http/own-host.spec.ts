import { getCaptchaChallenge } from '@slipway/contract/captcha'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../app.ts'
import { createWorld, type World } from '../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const html = 'text/html,application/xhtml+xml,*/*;q=0.8'

const open = (host: string, url: string, headers: Record<string, string> = {}, app?: App) =>
  (app ?? world.app).server.app.inject({
    url,
    headers: { host: `${host}:${world.env.PORT}`, accept: html, ...headers },
  })

describe('own host redirect', () => {
  it.each(['127.0.0.1', '[::1]'])('%s redirects to the host of PUBLIC_URL', async (name) => {
    for (const url of ['/', '/auth/login?next=%2Fprojects', '/mailbox', '//example.com']) {
      const { statusCode, headers } = await open(name, url)
      expect([statusCode, headers.location]).toEqual([307, world.env.PUBLIC_URL + url])
    }
  })

  it('API requests, files and proxied requests are not redirected', async () => {
    const untouched = [
      open('localhost', '/mailbox'),
      open('127.0.0.1', `/api${getCaptchaChallenge.path}`),
      open('127.0.0.1', '/api/docs'),
      open('127.0.0.1', '/assets/x.js'),
      open('127.0.0.1', '/mailbox', { accept: '*/*' }),
      open('127.0.0.1', '/mailbox', { 'x-forwarded-for': '203.0.113.7' }),
      // A development server in front sends its own port.
      open('127.0.0.1', '/mailbox', { host: '127.0.0.1:1' }),
    ]
    for (const response of await Promise.all(untouched)) expect(response.statusCode).not.toBe(307)
  })

  it('redirects to any loopback host of PUBLIC_URL, and not to a public one', async () => {
    const port = world.env.PORT
    const [elsewhere, byNumber] = [
      await world.anotherApp({ PUBLIC_URL: 'https://console.example.com', SMTP_URL: 'smtp://x' }),
      await world.anotherApp({ PUBLIC_URL: `http://127.0.0.1:${port}` }),
    ]
    expect((await open('127.0.0.1', '/', {}, elsewhere)).statusCode).not.toBe(307)
    expect((await open('localhost', '/', {}, byNumber)).headers.location).toBe(
      `http://127.0.0.1:${port}/`,
    )
  })
})
