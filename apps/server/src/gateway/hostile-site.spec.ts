import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from './gateway.fixture.ts'

const requests = {
  request: 'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n',
  upgrade: 'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
}
const kinds = ['request', 'upgrade'] as const

/** A gateway, and a function that sends a request to a site whose response is these bytes. */
async function startWithSite() {
  const world = await startGateway()
  let response = Buffer.alloc(0)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(response))
  })
  server.listen(join(world.folder, 'site'))
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  world.routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
  return (kind: (typeof kinds)[number], bytes: Buffer | string) => {
    response = Buffer.from(bytes)
    return world.raw(requests[kind])
  }
}

const responseWith = (statusLine: string) => `${statusLine}\r\nContent-Length: 4\r\n\r\npage`

describe.each(kinds)('gateway: a hostile site that gets an HTTP %s', (kind) => {
  it.each(['000', '042', '101'])(
    'a visitor gets an error page for the status %s',
    async (status) => {
      const send = await startWithSite()
      expect(await send(kind, responseWith(`HTTP/1.1 ${status} X`))).toMatch(
        /^HTTP\/1\.1 502 Bad Gateway\r\n/,
      )
    },
  )

  it.each(['a\x01b', 'Başarılı', ''])(
    'a visitor gets the page, and not the reason %j',
    async (reason) => {
      const send = await startWithSite()
      const received = await send(kind, responseWith(`HTTP/1.1 200 ${reason}`))
      expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\npage$/)
    },
  )

  it('a visitor gets the page of a response with two Connection headers', async () => {
    const send = await startWithSite()
    const headers = 'X-A: b\r\nConnection: x-a\r\nConnection: close\r\nContent-Length: 4'
    const received = await send(kind, `HTTP/1.1 200 OK\r\n${headers}\r\n\r\npage`)
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\npage$/)
    expect(received.toLowerCase()).not.toContain('x-a')
  })

  it('may respond with any bytes: the gateway keeps serving', async () => {
    const send = await startWithSite()
    const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))
    const text = (strings: fc.Arbitrary<string>) =>
      strings.map((string) => Buffer.from(string, 'latin1'))
    const statusLine = fc
      .tuple(fc.integer({ min: 0, max: 999 }), bytes)
      .map(([status, reason]) =>
        Buffer.concat([
          Buffer.from(`HTTP/1.1 ${String(status).padStart(3, '0')} `),
          reason,
          Buffer.from('\r\n'),
        ]),
      )
    const names = ['X-A', 'Set-Cookie', 'Content-Length', 'Connection', 'Upgrade', '__proto__']
    const header = fc
      .tuple(fc.constantFrom(...names), bytes)
      .map(([name, value]) => Buffer.concat([Buffer.from(`${name}: `), value, Buffer.from('\r\n')]))
    const end = text(
      fc.constantFrom('\r\n', '\r\n', 'Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n'),
    )
    const pieces = fc.oneof(
      fc.tuple(statusLine, end, bytes),
      fc.tuple(statusLine, header, end, bytes),
      fc.tuple(statusLine, header, header, end, bytes),
      fc.tuple(bytes),
    )
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        await send(kind, Buffer.concat(parts)).catch(() => '')
      }),
      { numRuns: 200 },
    )
    expect(await send(kind, responseWith('HTTP/1.1 200 OK'))).toMatch(/page$/)
  })
})
