import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { createSocketTicket } from '@slipway/contract/events'
import { limits } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../db/ids.ts'
import { until } from '../testing/until.ts'
import { createWorld, type World } from '../testing/world.ts'
import { sendError } from './errors.ts'
import {
  closeSockets,
  openSocket,
  openSocketWith,
  socketTicket,
  socketUrl,
} from './socket.fixture.ts'
import { mountSocket, type SocketHub } from './socket.ts'

let world: World
let hub: SocketHub
let port: number
beforeAll(async () => {
  world = await createWorld()
  port = await world.listen()
  if (!world.app.server.hub) throw new Error('the server has no sockets')
  hub = world.app.server.hub
})
afterAll(() => world.close())
afterEach(async () => {
  closeSockets()
  await until(() => hub.size === 0)
})

const event = () =>
  ({ kind: 'Project', data: { type: 'Updated', projectId: newId() as ProjectId } }) as const

/** A socket whose client reads only the handshake. */
async function openUnread(token: string, to = port) {
  const tcp = connectTcp(to, '127.0.0.1')
  const ticket = await socketTicket(port, token)
  const { pathname, search, host } = new URL(socketUrl(to, ticket))
  tcp.write(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  const [answer] = await once(tcp, 'data')
  tcp.pause()
  tcp.on('error', () => tcp.destroy())
  return { tcp, answer: String(answer) }
}

/** The server's response to a socket request, without opening the socket. */
async function upgradeStatus(token: string) {
  const { tcp, answer } = await openUnread(token)
  tcp.destroy()
  return answer
}

describe('socket: slow reader', () => {
  it('is closed before a megabyte is buffered, and others continue', async () => {
    const [slow, quick] = [await world.user(), await world.user()]
    const { tcp, answer } = await openUnread(slow.token)
    expect(answer).toContain(' 101 ')
    const reader = await openSocket(port, quick.token)
    const update = event()
    // Many times the size of the system's buffers.
    const longest = (100 * serviceLimits.socketBacklogBytes) / JSON.stringify(update).length
    let count = 0
    await until(() => {
      for (let more = 0; more < 1000; more++) hub.publish([slow.id], update)
      count += 1000
      return hub.size === 1 || count > longest
    })
    expect(hub.size).toBe(1)
    hub.publish([quick.id], update)
    expect(await reader.next()).toEqual(update)
    tcp.destroy()
  })
})

describe('socket: connections per user', () => {
  const openAll = (token: string) =>
    Promise.all(Array.from({ length: serviceLimits.socketsPerUser }, () => openSocket(port, token)))

  it('at most fifty are open: the next is rejected until one closes', async () => {
    const [user, otherUser] = [await world.user(), await world.user()]
    const [first] = await openAll(user.token)
    expect(await upgradeStatus(user.token)).toMatch(/ 429 .*"too_many_requests"/s)
    await openSocket(port, otherUser.token)
    first?.socket.close()
    await until(() => hub.size === serviceLimits.socketsPerUser)
    await openSocket(port, user.token)
    expect(hub.size).toBe(serviceLimits.socketsPerUser + 1)
  })

  it('at most fifty are open also with concurrent requests', async () => {
    const { token } = await world.user()
    const responses = await Promise.all(
      Array.from({ length: serviceLimits.socketsPerUser + 10 }, () => openUnread(token)),
    )
    await until(() => hub.size <= serviceLimits.socketsPerUser)
    expect(hub.size).toBe(serviceLimits.socketsPerUser)
    for (const { tcp } of responses) tcp.destroy()
  })

  it('a connection that has missed its ping is closed first', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { token } = await world.user()
      const [first, ...rest] = await openAll(token)
      vi.advanceTimersByTime(2 * limits.socketPing)
      for (const { socket, next } of rest) {
        // A message other than ping has a response, which shows that it arrived.
        socket.send('here')
        await next()
      }
      await openSocket(port, token)
      await first?.closed
      expect(hub.size).toBe(serviceLimits.socketsPerUser)
      expect(await upgradeStatus(token)).toContain(' 429 ')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('socket: session end while opening', () => {
  it('the socket is closed at once', async () => {
    const { ctx } = world
    let hubOfTest: SocketHub | undefined
    let onEnd = () => {}
    const announced = new Promise<void>((resolve) => {
      onEnd = resolve
    })
    ctx.sessions.onEnd((ended) => {
      hubOfTest?.end(ended)
      onEnd()
    })
    /** Ends the session after its ticket was redeemed and before the socket opens. */
    const redeemTicket: typeof ctx.sessions.redeemTicket = async (ticket) => {
      const caller = await ctx.sessions.redeemTicket(ticket)
      if (caller) await ctx.sessions.end(caller.session.id)
      await announced
      return caller
    }
    const sessions = { ...ctx.sessions, redeemTicket }
    const app = Fastify()
    app.decorateRequest('caller', undefined)
    app.setErrorHandler(sendError)
    await app.register(
      async (api) => {
        hubOfTest = await mountSocket(api, { ...ctx, sessions })
      },
      { prefix: '/api' },
    )
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const { token } = await world.user()
    const { ticket } = await world.client(token)(createSocketTicket)
    const { closed } = await openSocketWith(Number(port), ticket)
    expect(await closed).toBe(4401)
    await app.close()
  })
})

describe('socket: an idle connection', () => {
  it('gets a ping of the protocol every 25 seconds, within the limits of usual proxies', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const app = Fastify()
    try {
      app.decorateRequest('caller', undefined)
      await app.register(async (api) => void (await mountSocket(api, world.ctx)), {
        prefix: '/api',
      })
      const { port: ownPort } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
      const { token } = await world.user()
      const { ticket } = await world.client(token)(createSocketTicket)
      const { socket } = await openSocketWith(Number(ownPort), ticket)
      const { tcp } = await openUnread(token, Number(ownPort))
      tcp.resume()
      for (let times = 0; times < 2; times++) {
        const frame = once(tcp, 'data')
        vi.advanceTimersByTime(25_000)
        // RFC 6455 §5.2: a final frame with opcode 9 and no payload.
        expect(await frame).toEqual([Buffer.from([0x89, 0])])
      }
      expect(socket.readyState).toBe(WebSocket.OPEN)
      tcp.destroy()
    } finally {
      vi.useRealTimers()
      await app.close()
    }
  })
})
