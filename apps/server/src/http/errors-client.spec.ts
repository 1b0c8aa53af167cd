import { once } from 'node:events'
import { connect } from 'node:net'
import { login } from '@slipway/contract/sessions'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../testing/until.ts'
import { createWorld, type World } from '../testing/world.ts'
import { createServer } from './server.ts'

let world: World
let port: number
beforeAll(async () => {
  world = await createWorld()
  port = await world.listen()
})
afterAll(() => world.close())

/** Sends raw bytes and returns everything received until the server closes the connection. */
function open(to = port) {
  const socket = connect(to, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const closed = once(socket, 'close')
  return {
    send: (bytes: string | Buffer) => void socket.write(bytes),
    received: () => received,
    async responses() {
      await closed
      return received
        .split(/(?=HTTP\/1\.1 )/)
        .map((text) => text.split('\r\n\r\n'))
        .map(([head = '', body = '']) => ({
          status: Number(head.split(' ')[1]),
          type: /^content-type: (.*)$/im.exec(head)?.[1],
          body: JSON.parse(body),
        }))
    },
  }
}

async function responsesTo(bytes: string | Buffer, to = port) {
  const connection = open(to)
  connection.send(bytes)
  return connection.responses()
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const post = (...headers: string[]) =>
  lines(`POST /api${login.path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers)
const get = (path: string, ...headers: string[]) =>
  lines(`GET ${path} HTTP/1.1`, 'Connection: close', ...headers)

const json = 'application/json; charset=utf-8'
const malformed = { code: 400, error: 'malformed_request' }
const oneHost = { ...malformed, context: 'one Host is expected' }
const tooLarge = { code: 431, error: 'request_too_large', context: 'the headers' }
const unsupported = { code: 415, error: 'unsupported_media_type' }

describe('malformed requests', () => {
  const large = 'x'.repeat(20_000)
  it.each([
    ['garbage', lines('garbage'), malformed],
    ['a greeting of TLS', Buffer.from('16030102000100', 'hex'), malformed],
    ['an unknown method', lines('FETCH / HTTP/1.1', 'Host: localhost'), malformed],
    ['a tunnel', lines('CONNECT a:443 HTTP/1.1', 'Host: a:443'), malformed],
    ['headers that are too large', get('/', 'Host: localhost', `X: ${large}`), tooLarge],
    ['an address that is too large', get(`/${large}`, 'Host: localhost'), tooLarge],
    ['much more than that', get('/', 'Host: localhost', `X: ${large.repeat(50)}`), tooLarge],
    [
      'a length beside chunks',
      post('Content-Type: application/json', 'Content-Length: 2', 'Transfer-Encoding: chunked'),
      malformed,
    ],
    ['two lengths', post('Content-Length: 2', 'Content-Length: 3'), malformed],
    [
      'a chunk without a size',
      `${post('Content-Type: application/json', 'Transfer-Encoding: chunked')}size\r\n`,
      malformed,
    ],
    ['no Host', get('/healthz'), oneHost],
    ['two Hosts', get('/healthz', 'Host: a.example.com', 'Host: b.example.com'), oneHost],
    ['the same Host twice', get('/healthz', 'Host: localhost', 'host: localhost'), oneHost],
    ['a Host that is none', get('/healthz', 'Host: a/b@c'), oneHost],
    [
      'a body in another encoding',
      `${post('Content-Type: application/json; charset=latin1', 'Content-Length: 2')}{}`,
      unsupported,
    ],
    [
      'a body in another encoding, quoted',
      `${post('Content-Type: application/json;x=y; Charset="utf-16"', 'Content-Length: 2')}{}`,
      unsupported,
    ],
  ])('are rejected with the error body: %s', async (_what, bytes, body) => {
    expect(await responsesTo(bytes)).toEqual([{ status: body.code, type: json, body }])
  })

  it('an incomplete request times out', async () => {
    const app = await world.anotherApp()
    app.server.app.server.requestTimeout = 1
    app.server.app.server.headersTimeout = 1
    const responses = await responsesTo('GET / HTTP/1.1\r\n', await world.listen(app))
    expect(responses).toMatchObject([
      { status: 408, body: { code: 408, error: 'malformed_request' } },
    ])
  })

  it('the error follows the responses of earlier complete requests', async () => {
    const [health, ready] = ['/healthz', '/readyz'].map((path) =>
      lines(`GET ${path} HTTP/1.1`, 'Host: localhost'),
    )
    const responses = await responsesTo(`${health}${ready}${lines('garbage')}`)
    expect(responses.map(({ body }) => body.status ?? body)).toEqual([
      'ok',
      expect.stringMatching(/^(ok|unavailable)$/),
      malformed,
    ])
  })

  it('the log has no failure and none of the bytes', async () => {
    const before = world.logged.length
    await responsesTo(lines('garbage with a secret'))
    const logged = world.logged.slice(before).join('')
    expect(logged).not.toContain('secret')
    expect(logged).not.toMatch(/"level":[56]0/)
  })
})

describe('unusual requests', () => {
  it.each([
    ['without a Host in HTTP/1.0', lines('GET /healthz HTTP/1.0')],
    ['with an IPv6 address as Host', get('/healthz', 'Host: [::1]:3000')],
    ['with an unknown expectation', get('/healthz', 'Host: localhost', 'Expect: wonders')],
  ])('%s is accepted', async (_what, bytes) => {
    expect(await responsesTo(bytes)).toMatchObject([{ status: 200, body: { status: 'ok' } }])
  })

  it.each(['utf-8', 'UTF-8', '"utf-8"'])('a body in %s is accepted', async (charset) => {
    const type = `Content-Type: application/json; charset=${charset}`
    expect(await responsesTo(`${post(type, 'Content-Length: 2')}{}`)).toMatchObject([
      { status: 422, body: { error: 'validation_error' } },
    ])
  })
})

describe('closing server', () => {
  /** A server with a route that responds on demand. */
  async function serve() {
    let onRequest = () => {}
    let finish = () => {}
    const isAsked = new Promise<void>((resolve) => {
      onRequest = resolve
    })
    const mayFinish = new Promise<void>((resolve) => {
      finish = resolve
    })
    const slow = (app: FastifyInstance) =>
      app.get('/slow', async () => {
        onRequest()
        await mayFinish
        return { status: 'ok' }
      })
    const emptyModule = { routes: [], jobs: [], timers: [], keepsUser: [], sealed: [], metrics: [] }
    const modules = { ...emptyModule, audience: {}, pages: [slow] }
    const options = { web: true, worker: false, consoleDir: '/nonexistent' }
    const { app } = await createServer(world.ctx, modules, async () => null, options)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const address = app.server.address()
    if (address === null || typeof address === 'string') throw new Error('it does not listen')
    return { app, port: address.port, isAsked, finish }
  }

  it('finishes current requests and rejects new ones as unavailable', async () => {
    const server = await serve()
    const early = open(server.port)
    early.send(get('/slow', 'Host: localhost'))
    await server.isAsked

    const connected = once(server.app.server, 'connection')
    const late = open(server.port)
    late.send('GET /healthz HTTP/1.1\r\n')
    const [socket] = await connected
    await until(() => socket.bytesRead > 0)
    const closed = server.app.close()
    await until(() => !server.app.server.listening)
    late.send(lines('Host: localhost'))
    expect(await late.responses()).toMatchObject([
      { status: 503, type: json, body: { code: 503, error: 'unavailable' } },
    ])
    server.finish()
    expect(await early.responses()).toMatchObject([{ status: 200, body: { status: 'ok' } }])
    await closed
  })
})
