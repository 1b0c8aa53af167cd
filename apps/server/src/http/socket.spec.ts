import { randomUUID } from 'node:crypto'
import { createSocketTicket } from '@slipway/contract/events'
import { limits } from '@slipway/contract/limits'
import { type ProjectId, renameProject } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import { logout } from '@slipway/contract/sessions'
import { and, eq } from 'drizzle-orm'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import * as events from '../modules/events/events.service.ts'
import { teamMembers } from '../modules/teams/teams.schema.ts'
import { title } from '../testing/declared-endpoints.ts'
import { errorCodeOf } from '../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'
import { closeSockets, openSocket, openSocketWith, socketTicket } from './socket.fixture.ts'

/** pino's log levels. */
const info = 30

let world: World
let ports: number[]
beforeAll(async () => {
  world = await createWorld()
  ports = [await world.listen(), await world.listen(await world.anotherApp())]
})
afterAll(() => world.close())

afterEach(closeSockets)

const connect = ({ token }: Pick<TestUser, 'token'>, port = ports[0] ?? 0) =>
  openSocket(port, token)

/** A fence: a reader of this event has received all earlier ones. */
async function publishEvent(user: TestUser) {
  const project = await world.project({ teamId: user.teamId })
  const call = { params: { id: project.id }, body: { name: 'Renamed' } }
  await user.call(renameProject, call)
  return { kind: 'Project', data: { type: 'Updated', projectId: project.id } }
}

/** Opens and closes a socket with each ticket at the same time; returns how many opened. */
async function countOpened(tickets: readonly string[]) {
  const attempts = await Promise.allSettled(
    tickets.map((ticket, index) => openSocketWith(ports[index % 2] ?? 0, ticket)),
  )
  return attempts.filter(({ status }) => status === 'fulfilled').length
}
const newTicket = async (user: TestUser) => socketTicket(ports[0] ?? 0, user.token)

describe(title(createSocketTicket), () => {
  it('a ticket opens one socket, on any server, even with concurrent requests', async () => {
    const ticket = await newTicket(await world.user())
    expect(await countOpened([ticket, ticket, ticket, ticket])).toBe(1)
    expect(await countOpened([ticket])).toBe(0)
  })

  it('a ticket expires after 30 seconds, and with its session', async () => {
    const [late, ended] = [await world.user(), await world.user()]
    const tickets = [await newTicket(late), await newTicket(ended)]
    await ended.call(logout)
    expect(await countOpened([tickets[1] ?? ''])).toBe(0)
    world.clock.forward(serviceLimits.socketTicketLifetime)
    expect(await countOpened([tickets[0] ?? ''])).toBe(0)
  })

  it('a session’s token, no ticket and an unknown one open no socket', async () => {
    const { token } = await world.user()
    expect(await countOpened([token, '', 'unknown'])).toBe(0)
  })

  it('unverified users get no ticket', async () => {
    const { call } = await world.user({ verified: false })
    expect(await errorCodeOf(call(createSocketTicket))).toBe('user_not_verified')
  })
})

describe('socket', () => {
  it('an event reaches every reader of a project, on every server, and no other user', async () => {
    const [owner, member, stranger] = [await world.user(), await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    const readers = [
      await connect(owner),
      await connect(owner, ports[1]),
      await connect(member, ports[1]),
    ]
    const outsider = await connect(stranger)
    const event = await publishEvent(owner)
    for (const reader of readers) expect(await reader.next()).toEqual(event)
    // The stranger's next event is their own.
    const ownEvent = await publishEvent(stranger)
    expect(await outsider.next()).toEqual(ownEvent)
  })

  it('the recipients are determined at the time of the event', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    const leaver = await connect(member)
    await publishEvent(owner)
    await leaver.next()
    const membership = and(eq(teamMembers.teamId, owner.teamId), eq(teamMembers.userId, member.id))
    await world.ctx.db.delete(teamMembers).where(membership)
    await publishEvent(owner)
    const ownEvent = await publishEvent(member)
    expect(await leaver.next()).toEqual(ownEvent)
  })

  it('a burst of events leaves database connections to requests', async () => {
    const owner = await world.user()
    const socket = await connect(owner)
    const { $client: pool } = world.ctx.db as typeof world.ctx.db & { $client: Pool }
    let waiting = 0
    let isPublished = false
    const watch = (async () => {
      while (!isPublished) {
        waiting = Math.max(waiting, pool.waitingCount)
        await new Promise(setImmediate)
      }
    })()
    await world.ctx.write(async (tx) => {
      for (let number = 0; number < 500; number++) {
        const projectId = randomUUID() as ProjectId
        await events.publish(tx, { kind: 'Project', data: { type: 'Updated', projectId } })
      }
    })
    const event = await publishEvent(owner)
    expect(await socket.next()).toEqual(event)
    isPublished = true
    await watch
    expect(waiting).toBe(0)
  })

  it('a rolled back write sends no event', async () => {
    const owner = await world.user()
    const socket = await connect(owner)
    const { publishChange } = await import('../modules/projects/projects.service.ts')
    const project = await world.project({ teamId: owner.teamId })
    const write = world.ctx.write(async (tx) => {
      await publishChange(tx, project.id)
      throw new Error('rolled back')
    })
    await expect(write).rejects.toThrow('rolled back')
    const event = await publishEvent(owner)
    expect(await socket.next()).toEqual(event)
  })

  it('a ping has no response, any other message has malformed_request', async () => {
    const { socket, next } = await connect(await world.user())
    socket.send('ping')
    socket.send('{"not": json')
    expect(await next()).toEqual({ kind: 'Error', data: { code: 400, error: 'malformed_request' } })
  })

  it('a message that is too large closes the socket without a server error', async () => {
    const { socket, closed } = await connect(await world.user())
    const before = world.logged.length
    socket.send('x'.repeat(2000))
    expect(await closed).toBe(1009)
    const lines = world.logged.slice(before).map((line) => JSON.parse(line))
    const line = lines.find(({ err }) => err?.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    expect(line).toMatchObject({ level: info, msg: 'a socket broke' })
    expect(lines.filter(({ level }) => level > info)).toEqual([])
  })

  it('the end of a session closes its sockets on every server', async () => {
    const user = await world.user()
    const [firstSocket, secondSocket] = [await connect(user), await connect(user, ports[1])]
    await user.call(logout)
    expect(await firstSocket.closed).toBe(4401)
    expect(await secondSocket.closed).toBe(4401)
  })

  it('the end of other sessions of the user keeps the socket', async () => {
    const user = await world.user()
    const { messages, next } = await connect(user)
    const { id } = user
    const otherCall = world.client(await world.ctx.write((tx) => world.ctx.sessions.start(tx, id)))
    await otherCall(logout)
    // The end arrives after the new session, as in a sign-in right after a password reset.
    world.app.server.hub?.end({ userId: id })
    const event = await publishEvent(user)
    expect(await next()).toEqual(event)
    expect(messages).toEqual([])
  })

  it('an expired session closes the socket at the next ping', async () => {
    const { socket, closed } = await connect(await world.user())
    world.clock.forward(serviceLimits.sessionIdleLifetime)
    socket.send('ping')
    expect(await closed).toBe(4401)
  })

  it('gets timeout and is closed after 120 seconds of silence', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] })
    const app = await world.anotherApp()
    const port = await world.listen(app)
    const { closed, messages } = await connect(await world.user(), port)
    vi.advanceTimersByTime(limits.socketSilence)
    expect(messages).toEqual([])
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    expect(await closed).toBe(1001)
    expect(messages).toEqual(['timeout'])
  })

  it('a stopping server closes sockets, so that the console reconnects', async () => {
    const app = await world.anotherApp()
    const { closed } = await connect(await world.user(), await world.listen(app))
    await app.server.app.close()
    expect(await closed).toBe(1012)
  })
})

describe('socket: gap in notifications', () => {
  it('a gap closes all sockets to reconnect and clears the session cache', async () => {
    const user = await world.user()
    const { closed } = await connect(user)
    await world.ctx.db.execute(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'slipway-notifications'`,
    )
    expect(await closed).toBe(1012)
    const reconnected = await connect(user)
    const event = await publishEvent(user)
    expect(await reconnected.next()).toEqual(event)
  })

  it('a failed query for recipients closes all sockets to reconnect', async () => {
    const app = await world.anotherApp()
    const user = await world.user()
    const { closed } = await connect(user, await world.listen(app))
    // All queries fail from now on.
    await (app.ctx.db as typeof app.ctx.db & { $client: Pool }).$client.end()
    await publishEvent(user)
    expect(await closed).toBe(1012)
  })
})
