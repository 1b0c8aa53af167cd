import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { Pool } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogBook } from '../testing/log-book.ts'
import { Exchange } from './exchange.ts'

/** The response to a visitor who reads nothing before `read`. */
class UnreadResponse extends Writable {
  headersSent = false
  text = ''
  read = () => {}

  constructor() {
    super({ highWaterMark: 1 })
  }

  writeHead() {
    this.headersSent = true
  }
  flushHeaders() {}

  override _write(chunk: Buffer, _encoding: string, written: () => void) {
    this.text += chunk
    this.read = written
    this.emit('written')
  }
}

/** A response without length whose connection ends while the visitor does not read. */
async function sendUnread(endConnection: (socket: Socket) => void) {
  const server = createServer((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\npage')),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pool = new Pool(`http://127.0.0.1:${port}`)
  onTestFinished(async () => {
    await pool.destroy()
    server.close()
  })
  const response = new UnreadResponse()
  const exchange = new Exchange(
    {
      method: 'GET',
      httpVersion: '1.1',
      headers: {},
      rawHeaders: [],
    } as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    { path: '/', host: 'site.test', authority: 'site.test', protocol: 'http', client: '127.0.0.1' },
    { key: 'site', cluster: 'local', state: 'ready' },
    () => pool,
    () => async () => false,
    null,
    createLogBook().log,
  )
  const written = once(response, 'written')
  exchange.send()
  const [socket] = (await once(server, 'connection')) as [Socket]
  await written
  const closed = once(socket, 'close')
  endConnection(socket)
  await closed
  return response
}

describe('gateway: a connection of a site that ends while the visitor does not read', () => {
  it('completes the response after its last byte', async () => {
    const response = await sendUnread((socket) => socket.end())
    const finished = once(response, 'finish')
    response.read()
    await finished
    expect(response.text).toBe('page')
  })

  it('aborts the response when the connection breaks', async () => {
    const response = await sendUnread((socket) => socket.resetAndDestroy())
    if (!response.destroyed) await once(response, 'close')
    expect(response.writableFinished).toBe(false)
  })
})
