import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { getProfile } from '@slipway/contract/account'
import { createSocketTicket, socketPath } from '@slipway/contract/events'
import { login } from '@slipway/contract/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../testing/world.ts'

let world: World
let port: number
beforeAll(async () => {
  world = await createWorld()
  port = await world.listen()
})
afterAll(() => world.close())

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const websocket = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
const socketUrl = `/api${socketPath}`

async function open(to = port, localAddress = '127.0.0.1') {
  const socket = connect({ port: to, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  await once(socket, 'connect')
  return socket
}

/** Everything received until the server closes the connection; the client never closes it. */
async function receive(socket: Socket) {
  socket.setEncoding('utf8')
  let text = ''
  socket.on('data', (part: string) => {
    text += part
  })
  await once(socket, 'end')
  return text
}

describe('a request with Upgrade', () => {
  it.each([
    ['a page', ['GET / HTTP/1.1', 'Upgrade: x'], 404],
    ['the health check', ['GET /healthz HTTP/1.1', 'Upgrade: websocket', ...websocket], 200],
    ['a call', [`GET /api${getProfile.path} HTTP/1.1`, 'Upgrade: websocket', ...websocket], 401],
    ['another protocol', [`GET ${socketUrl}?token=x HTTP/1.1`, 'Upgrade: h2c'], 400],
    ['a list of protocols', [`GET ${socketUrl} HTTP/1.1`, 'Upgrade: websocket, h2c'], 400],
    ['an escaped path', ['GET /api/common/w%73?token=x HTTP/1.1', 'Upgrade: websocket'], 400],
    ['an unknown path', ['GET /api/nothing HTTP/1.1', 'Upgrade: websocket', ...websocket], 404],
    ['another method', [`POST ${socketUrl} HTTP/1.1`, 'Upgrade: websocket', ...websocket], 404],
    [
      'a body',
      [`POST /api${login.path} HTTP/1.1`, 'Upgrade: x', 'Content-Length: 0', 'Accept: */*'],
      422,
    ],
    [
      'the socket with two Hosts',
      [`GET ${socketUrl} HTTP/1.1`, 'Upgrade: websocket', ...websocket, 'Host: other'],
      400,
    ],
    ['the socket without a session', [`GET ${socketUrl} HTTP/1.1`, 'Upgrade: websocket'], 401],
  ])(
    'gets the response of a plain request, and its connection is closed: %s',
    async (_what, head, status) => {
      const client = await open()
      client.write(lines(...head, 'Host: localhost', 'Connection: Upgrade'))
      expect(await receive(client)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    },
  )

  it('opens a socket at its own path', async () => {
    const { ticket } = await (await world.user()).call(createSocketTicket)
    const client = await open()
    client.write(
      lines(
        `GET ${socketUrl}?token=${ticket} HTTP/1.1`,
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        ...websocket,
      ),
    )
    const [head] = await once(client.setEncoding('utf8'), 'data')
    expect(head).toMatch(/^HTTP\/1.1 101 /)
    client.destroy()
  })
})

describe('a request whose body is not read', () => {
  it('is closed after its response, even if its client continues to send', async () => {
    const accepted = once(world.app.server.app.server, 'connection')
    const client = await open()
    const [atServer] = await accepted
    const closed = once(atServer, 'close')
    client.write(lines('GET /healthz HTTP/1.1', 'Host: localhost', 'Content-Length: 5000'))
    const [response] = await once(client.setEncoding('utf8'), 'data')
    expect(response).toMatch(/^HTTP\/1.1 200 /)
    const sending = setInterval(() => client.write('a'), 100)
    client.on('error', () => {})
    await closed
    clearInterval(sending)
    expect(atServer.destroyed).toBe(true)
  })
})

describe('the limits of connections', () => {
  const isServed = (socket: Socket) =>
    new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true))
      // A connection that is closed with an unread request is reset.
      for (const event of ['end', 'error']) socket.once(event, () => resolve(false))
      socket.write(lines('GET /healthz HTTP/1.1', 'Host: localhost'))
    })

  it('close the connections of an address above its limit, and no others', async () => {
    const app = await world.anotherApp({ MAX_CONNECTIONS_PER_ADDRESS: 2 })
    const limited = await world.listen(app)
    const accepted = once(app.server.app.server, 'connection')
    const [first, second] = [await open(limited), await open(limited)]
    expect(await isServed(first)).toBe(true)
    expect(await isServed(second)).toBe(true)
    expect(await isServed(await open(limited))).toBe(false)
    expect(await isServed(await open(limited, '127.0.0.2'))).toBe(true)
    const [firstAtServer] = await accepted
    first.destroy()
    await once(firstAtServer, 'close')
    expect(await isServed(await open(limited))).toBe(true)
    expect(world.logged.join('')).toContain('there are too many connections')
  })

  it('do not count a trusted proxy', async () => {
    const app = await world.anotherApp({
      MAX_CONNECTIONS_PER_ADDRESS: 1,
      TRUST_PROXY: ['loopback'],
    })
    const limited = await world.listen(app)
    for (let count = 0; count < 3; count++) expect(await isServed(await open(limited))).toBe(true)
  })

  it('close the longest idle connection above the limit in all', async () => {
    const app = await world.anotherApp({ MAX_CONNECTIONS: 2 })
    const limited = await world.listen(app)
    const [silent, used] = [await open(limited, '127.0.0.2'), await open(limited, '127.0.0.3')]
    expect(await isServed(used)).toBe(true)
    const silentClosed = once(silent.resume(), 'end')
    expect(await isServed(await open(limited, '127.0.0.4'))).toBe(true)
    await silentClosed
    expect(await isServed(used)).toBe(true)
  })

  it('close the new connection while all others have a request', async () => {
    const app = await world.anotherApp({ MAX_CONNECTIONS: 1 })
    const limited = await world.listen(app)
    const busy = await open(limited)
    const requested = once(app.server.app.server, 'request')
    const body = 'Content-Type: application/json\r\nContent-Length: 2'
    busy.write(lines(`POST /api${login.path} HTTP/1.1`, 'Host: localhost', body))
    await requested
    expect(await isServed(await open(limited))).toBe(false)
    busy.write('{}')
    const [response] = await once(busy.setEncoding('utf8'), 'data')
    expect(response).toMatch(/^HTTP\/1.1 422 /)
  })
})
