import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { createLogBook } from '../../../../testing/log-book.ts'
import { until } from '../../../../testing/until.ts'
import { createEgress } from './egress-proxy.ts'
import { createServiceCalls } from './service-calls.ts'

type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** A console that records its requests, and sites that call it through their proxies. */
async function startProvider(respond: Respond = (_request, response) => response.end('{}')) {
  const received: string[] = []
  const state = { isBusy: false, now: 1 }
  const provider = createServer((incoming, response) => {
    received.push(`${incoming.method} ${incoming.url}`)
    if (incoming.url !== '/.well-known/openid-configuration') return respond(incoming, response)
    if (state.isBusy) return response.writeHead(429).end()
    const endpoints = { token_endpoint: `${url}/t`, userinfo_endpoint: `${url}/u` }
    response.end(JSON.stringify(endpoints))
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  onTestFinished(() => {
    provider.closeAllConnections()
    provider.close()
  })
  const { log } = createLogBook()
  const serviceCalls = createServiceCalls({ consoleUrl: () => url, log, now: () => state.now })
  const egress = createEgress({ log, sendEmail: async () => null, serviceCalls })
  onTestFinished(() => egress.closeAll())
  const folder = await createDataFolder()
  for (const key of ['shop', 'blog'])
    await egress.open(key, join(folder, key), null, async () => undefined)

  const call = async (key: string, method: string, path: string, body = '') => {
    const socketPath = join(folder, key, 's')
    const headers = {
      host: 'service',
      authorization: 'Basic x',
      'content-length': Buffer.byteLength(body),
    }
    const outgoing = request({ socketPath, method, path, headers, agent: false }).end(body)
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    return { status: response.statusCode, body: await text(response) }
  }
  return { received, state, call }
}

describe('the calls of sites to the login provider', () => {
  it('are three, and the metadata is fetched once', async () => {
    const { received, call } = await startProvider(async (incoming, response) => {
      response.end(JSON.stringify([incoming.headers.authorization, await text(incoming)]))
    })
    expect((await call('shop', 'GET', '/configuration')).body).toContain('token_endpoint')
    expect((await call('shop', 'POST', '/token', 'code=1')).body).toBe('["Basic x","code=1"]')
    expect((await call('blog', 'GET', '/userinfo')).body).toBe('["Basic x",""]')
    expect((await call('shop', 'GET', '/api/projects')).status).toBe(404)
    expect((await call('shop', 'POST', '/token', 'x'.repeat(20_000))).status).toBe(413)
    expect(received).toEqual(['GET /.well-known/openid-configuration', 'POST /t', 'GET /u'])
  })

  it('use the last metadata while the provider rejects requests, and fail without any', async () => {
    const { received, state, call } = await startProvider()
    state.isBusy = true
    expect(await call('shop', 'GET', '/configuration')).toMatchObject({
      status: 502,
      body: expect.stringContaining('status 429'),
    })
    state.isBusy = false
    expect((await call('shop', 'GET', '/configuration')).status).toBe(200)
    state.isBusy = true
    state.now += 60_001
    expect((await call('shop', 'GET', '/configuration')).status).toBe(200)
    expect((await call('shop', 'GET', '/userinfo')).status).toBe(200)
    expect(received.slice(0, 3)).toEqual(
      Array.from({ length: 3 }, () => 'GET /.well-known/openid-configuration'),
    )
  })

  it('are limited at once for each site', async () => {
    const responses: ServerResponse[] = []
    const { call } = await startProvider((_request, response) => responses.push(response))
    const running = Array.from({ length: 16 }, () => call('shop', 'GET', '/userinfo'))
    await until(() => responses.length === 16)
    expect((await call('shop', 'GET', '/userinfo')).status).toBe(503)
    const neighbor = call('blog', 'GET', '/userinfo')
    await until(() => responses.length === 17)
    for (const response of responses) response.end('{}')
    expect((await neighbor).status).toBe(200)
    for (const { status } of await Promise.all(running)) expect(status).toBe(200)
  })

  it('are limited in a minute for each site', async () => {
    const { received, state, call } = await startProvider()
    for (let count = 0; count < 300; count += 1) await call('shop', 'GET', '/userinfo')
    expect((await call('shop', 'GET', '/userinfo')).status).toBe(429)
    expect((await call('shop', 'GET', '/configuration')).status).toBe(200)
    expect((await call('blog', 'GET', '/userinfo')).status).toBe(200)
    expect(received.filter((line) => line === 'GET /u')).toHaveLength(301)
    state.now += 60_000
    expect((await call('shop', 'GET', '/userinfo')).status).toBe(200)
  })
})
