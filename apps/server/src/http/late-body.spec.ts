import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createPersonalToken, listPersonalTokens } from '@slipway/contract/personal-tokens'
import { createProject } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { authenticate } from '../authenticate.ts'
import { personalTokens } from '../modules/personal-tokens/personal-tokens.schema.ts'
import { collectModules } from '../modules.ts'
import { until } from '../testing/until.ts'
import { createWorld, type World } from '../testing/world.ts'
import { createServer } from './server.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** A server that counts how often it has authenticated a token. */
async function countingServer() {
  let count = 0
  const { app } = await createServer(
    world.ctx,
    await collectModules(),
    async (...call) => {
      const authenticated = await authenticate(...call)
      count++
      return authenticated
    },
    { web: true, worker: false, consoleDir: '/nonexistent' },
  )
  onTestFinished(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  return { port, authentications: () => count }
}

/** Sends a request, and its body once `beforeBody` resolves. Returns the status. */
async function post(
  port: number,
  { path, token, body }: { path: string; token: string; body: object },
  beforeBody?: () => Promise<unknown>,
) {
  const payload = JSON.stringify(body)
  const socket = connect(port, '127.0.0.1')
  const head = [
    `POST /api${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${payload.length}`,
    `Authorization: Bearer ${token}`,
    ...(beforeBody ? ['Expect: 100-continue'] : []),
  ]
  const headers = `${head.join('\r\n')}\r\n\r\n`
  if (beforeBody) {
    socket.write(headers)
    // The server has read the headers.
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 100 /)
    await beforeBody()
    socket.write(payload)
  } else socket.write(headers + payload)
  return Number((await text(socket)).split(' ', 2)[1])
}

const newToken = ({ token }: { token: string }) => ({
  path: createPersonalToken.path,
  token,
  body: { name: 'Build server', projectIds: null, days: 7 },
})

describe('a request whose body arrives after its headers', () => {
  it('is rejected when its session has ended before the body', async () => {
    const { port } = await countingServer()
    const user = await world.user()
    const status = await post(port, newToken(user), async () => {
      await user.call(listPersonalTokens)
      await world.ctx.write((tx) => world.ctx.sessions.endAll(tx, user.id))
      // The notification of the end has arrived.
      await expect.poll(() => world.ctx.sessions.authenticate(user.token)).toBeNull()
    })
    expect(status).toBe(401)
    expect(await world.ctx.db.select().from(personalTokens)).toEqual([])
  })

  it('is authorized again, and succeeds while the session lasts', async () => {
    const { port, authentications } = await countingServer()
    const isAuthenticated = () => until(() => authentications() === 1)
    expect(await post(port, newToken(await world.user()), isAuthenticated)).toBe(200)
    expect(authentications()).toBe(2)
  })

  it('is authorized once when headers and body arrive together', async () => {
    const { port, authentications } = await countingServer()
    const { call, teamId } = await world.user()
    const { token } = await call(createPersonalToken, {
      body: { name: 'Build server', projectIds: null },
    })
    const body = { name: 'Example site', teamId, regionId: 'eu', domain: null, runtime: 'static' }
    expect(await post(port, { path: createProject.path, token, body })).toBe(200)
    expect(authentications()).toBe(1)
  })
})
