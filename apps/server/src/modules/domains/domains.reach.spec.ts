import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { startGateway } from '../../gateway/gateway.fixture.ts'
import { reachPath, reachProof } from '../../gateway/reach.ts'
import { reachAt } from './domains.reach.ts'

const host = 'www.example.com'
const noAbort = new AbortController().signal
const proofFor = (name: string, token: string) => `proof of ${name} ${token}`

let servers: Server[] = []
afterEach(() => {
  for (const server of servers) server.close()
  servers = []
})

async function listen(server: Server) {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const reachPort = (port: number, signal = noAbort) =>
  reachAt({ host, address: '127.0.0.1', port, reach: proofFor }, signal)
const reachServer = async (handle: RequestListener) => reachPort(await listen(createServer(handle)))
const tokenOf = (url = '') => url.replace(reachPath, '')

describe('who responds at an address', () => {
  it('is a gateway of this service, whether it has a site of this host or not', async () => {
    const reachKey = randomBytes(32)
    const challenges = { find: async () => null }
    const { port } = await startGateway({ ownPaths: { challenges, reachKey } })
    const atGateway = (key: Buffer) =>
      reachAt(
        {
          host,
          address: '127.0.0.1',
          port,
          reach: (name, token) => reachProof(key, name, token),
        },
        noAbort,
      )
    expect(await atGateway(reachKey)).toBe('gateway')
    // A gateway of another service.
    expect(await atGateway(randomBytes(32))).toBe('other')
  })

  it('gets a request for the proof of this host with a new token each time', async () => {
    const tokens = new Set<string>()
    const gateway: RequestListener = ({ headers, url }, response) => {
      tokens.add(tokenOf(url))
      response.end(`${proofFor(String(headers.host), tokenOf(url))}\n`)
    }
    expect(await reachServer(gateway)).toBe('gateway')
    expect(await reachServer(gateway)).toBe('gateway')
    expect(tokens.size).toBe(2)
  })

  it.each<[string, RequestListener]>([
    ['another proof', (_, response) => response.end(proofFor(host, 'stale'))],
    [
      'the proof of another host',
      ({ url }, response) => response.end(proofFor('other.example', tokenOf(url))),
    ],
    [
      'the proof with an error',
      ({ url }, response) => response.writeHead(404).end(proofFor(host, tokenOf(url))),
    ],
    [
      'a redirect to https',
      (_, response) => response.writeHead(308, { location: `https://${host}/` }).end(),
    ],
    [
      'half a response',
      (_, response) => {
        response.writeHead(200, { 'content-length': 99 })
        response.write('half', () => response.destroy())
      },
    ],
  ])('is another server with %s', async (_, handle) => {
    expect(await reachServer(handle)).toBe('other')
  })

  it('is another server with an endless response, which is not read to its end', async () => {
    const { promise: written, resolve } = Promise.withResolvers<number>()
    const endless: RequestListener = ({ socket }, response) => {
      socket.once('close', () => resolve(socket.bytesWritten))
      const write = () => {
        while (response.write('x'.repeat(4096)));
      }
      response.on('drain', write)
      write()
    }
    expect(await reachServer(endless)).toBe('other')
    // At most the buffers of the connection, far less than it could send in 5 seconds.
    expect(await written).toBeLessThan(32 * 1024 * 1024)
  })

  it('is another server that does not speak HTTP', async () => {
    const port = await listen(createTcpServer((socket) => void socket.end('220 mail.example\r\n')))
    expect(await reachPort(port)).toBe('other')
  })

  it('is nothing where a connection fails or is closed', async () => {
    const port = await listen(createTcpServer((socket) => void socket.destroy()))
    expect(await reachPort(port)).toBe('nothing')
    servers[0]?.close()
    expect(await reachPort(port)).toBe('nothing')
  })

  it('is nothing once the caller aborts', async () => {
    const server = createTcpServer()
    const port = await listen(server)
    const abort = new AbortController()
    const reached = reachPort(port, abort.signal)
    const [socket] = await once(server, 'connection')
    abort.abort()
    expect(await reached).toBe('nothing')
    socket.destroy()
  })

  it('is nothing after 5 seconds, however slowly a server responds', async () => {
    const timers: NodeJS.Timeout[] = []
    const slow = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => socket.destroy())
        socket.write('HTTP/1.1 200 OK\r\nx-header: ')
        timers.push(setInterval(() => socket.write('a'), 500))
      }),
    )
    const silent = await listen(createTcpServer((socket) => void socket.on('error', () => {})))
    expect(await Promise.all([reachPort(slow), reachPort(silent)])).toEqual(['nothing', 'nothing'])
    for (const timer of timers) clearInterval(timer)
  })
})
