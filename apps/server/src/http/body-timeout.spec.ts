import { once } from 'node:events'
import { connect as connectHttp2, createServer } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { limitBodyTime } from './body-timeout.ts'
import { handleClientErrors } from './errors-client.ts'

/** A server with two routes; only `/upload` receives a file. */
async function listen() {
  const app = Fastify({ clientErrorHandler: () => undefined })
  handleClientErrors(app.server, app.log)
  limitBodyTime(app, 100)
  app.post('/json', async () => 'read')
  app.post('/upload', { config: { upload: true } }, async () => 'read')
  onTestFinished(() => app.close())
  // The site gateway hands its HTTP/2 requests to the server in the same way.
  const http2 = createServer((request, response) => app.server.emit('request', request, response))
  http2.listen(0, '127.0.0.1')
  await once(http2, 'listening')
  onTestFinished(() => void http2.close())
  const { port: http2Port } = http2.address() as AddressInfo
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  return { port, http2Port }
}

/** Sends half of a body, and the rest when `finish` resolves. */
async function post(port: number, path: string, finish: Promise<unknown>) {
  const socket = connect(port, '127.0.0.1')
  const type = 'Content-Type: application/json'
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${type}\r\nContent-Length: 2`
  socket.write(`${head}\r\n\r\n{`)
  void finish.then(() => socket.end('}'))
  return (await text(socket)).split('\r\n', 1)[0]
}

it('a slow body is rejected with 408, unless it is an upload', async () => {
  const { port } = await listen()
  const json = post(port, '/json', new Promise(() => {}))
  expect(await post(port, '/upload', json)).toBe('HTTP/1.1 200 OK')
  expect(await json).toBe('HTTP/1.1 408 Request Timeout')
})

it('a slow body of HTTP/2 is rejected with 408, and its connection continues', async () => {
  const { http2Port } = await listen()
  const session = connectHttp2(`http://127.0.0.1:${http2Port}`)
  onTestFinished(() => session.destroy())
  const headers = { ':method': 'POST', 'content-type': 'application/json', 'content-length': '2' }
  const send = async (path: string, body: string, isWhole: boolean) => {
    const stream = session.request({ ...headers, ':path': path }, { endStream: false })
    stream.write(body)
    if (isWhole) stream.end()
    const [response] = await once(stream, 'response')
    stream.close()
    return response[':status']
  }
  expect(await send('/json', '{', false)).toBe(408)
  expect(await send('/upload', '{}', true)).toBe(200)
})
