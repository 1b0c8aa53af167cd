import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { heartbeatInterval } from '@slipway/contract/event-stream'
import fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { pollOptions, until } from '../testing/until.ts'
import { createEventStreams } from './event-stream.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const login = { userId: 'user', loginId: 'login' }

/** A client that reads no byte of a stream, whose events exceed the buffers of the sockets. */
async function startStalledReader(stalledAfter?: number) {
  const streams = createEventStreams(stalledAfter === undefined ? {} : { stalledAfter })
  let reads = 0
  const app = fastify()
  app.get('/', (_request, reply) =>
    streams.send(reply, login, async () => ({
      async read() {
        reads++
        return [{ id: String(reads), data: 'x'.repeat(16_000_000) }]
      },
      async check() {},
    })),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  client.on('error', () => undefined)
  ends.push(
    () => client.destroy(),
    () => streams.close(),
    () => app.close(),
  )
  await once(client, 'connect')
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await until(() => streams.size === 1)
  /** The first events wait in the socket, the second ones in the stream. */
  const untilStalled = () => until(() => reads === 2)
  return { streams, untilStalled }
}

/** A client of a stream without events. */
async function startWaitingReader() {
  const streams = createEventStreams()
  const app = fastify()
  app.get('/', (_request, reply) =>
    streams.send(reply, login, async () => ({ read: async () => [], check: async () => {} })),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  ends.push(
    () => client.destroy(),
    () => streams.close(),
    () => app.close(),
  )
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(client, 'data')
  return { client, streams }
}

describe('an event stream', () => {
  it('a stream without events ends when its client leaves', async () => {
    const { client, streams } = await startWaitingReader()
    expect(streams.size).toBe(1)
    client.destroy()
    await expect.poll(() => streams.size, { timeout: heartbeatInterval / 2 }).toBe(0)
  })

  it('ends when its client reads nothing for too long', async () => {
    const { streams } = await startStalledReader(100)
    await expect.poll(() => streams.size, pollOptions).toBe(0)
  })

  it('a stream of a client that reads nothing ends with its login', async () => {
    const { streams, untilStalled } = await startStalledReader()
    await untilStalled()
    expect(streams.size).toBe(1)
    streams.end(login.loginId)
    await until(() => streams.size === 0)
  })
})
