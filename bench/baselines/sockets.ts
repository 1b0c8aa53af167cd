// A minimal notifier: listens on a database channel and writes each frame to every socket, without
// authentication.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { listen } from '../../apps/server/src/db/notifications.ts'
import '../harness/usage-probe.ts'

const [databaseUrl = '', channel = ''] = process.argv.slice(2)
const sockets = new Set<Duplex>()

/** RFC 6455 §4.2.2: proves that the server speaks the protocol. */
const acceptKey = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

/** RFC 6455 §5.2: a whole text frame of up to 125 bytes. */
function textFrame(text: string) {
  const content = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, content.length]), content])
}

const server = createServer()
server.on('upgrade', (request, socket: Duplex) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptKey(String(request.headers['sec-websocket-key']))}\r\n\r\n`,
  )
})

const warn = (_fields: object, message: string) => {
  throw new Error(message)
}
const notifications = await listen({ connectionString: databaseUrl }, [channel], { warn })
notifications.on(channel, (payload) => {
  const frame = textFrame(payload)
  for (const socket of sockets) socket.write(frame)
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ address: `http://127.0.0.1:${port}/?token=` })
})
