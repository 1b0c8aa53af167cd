import { getProfile, type UserId } from '@slipway/contract/account'
import { endOtherSessions, endSession, listSessions } from '@slipway/contract/account-security'
import { day, hour } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import { login } from '@slipway/contract/sessions'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { pollOptions } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { password } from '../auth/auth.fixture.ts'
import { sessions } from './sessions.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Logs in with these headers; returns a client of the session. */
async function logIn(email: string, headers: Record<string, string> = {}) {
  const response = await world.app.server.app.inject({
    method: 'POST',
    url: `/api${login.path}`,
    headers,
    payload: { email, password },
  })
  return world.client(response.json().token)
}

describe(title(listSessions), () => {
  it('names browser, system, address and time zone of each login, and the session of the request', async () => {
    const { email, call } = await world.user({ password })
    await logIn(email, { 'user-agent': firefox, 'time-zone': 'Europe/Istanbul' })
    const sessions = await call(listSessions)
    expect(sessions).toHaveLength(2)
    expect(sessions.find(({ isCurrent }) => isCurrent)).toMatchObject({
      browser: null,
      system: null,
      address: null,
      timeZone: null,
    })
    expect(sessions.find(({ isCurrent }) => !isCurrent)).toMatchObject({
      browser: 'Firefox',
      system: 'Linux',
      address: '127.0.0.1',
      timeZone: 'Europe/Istanbul',
    })
  })

  it.each([
    ['no zone', 'Europe/Atlantis'],
    ['a zone that is too long', 'a'.repeat(5_000)],
    ['markup', '<b>UTC</b>'],
  ])('stores no time zone of a browser that sends %s', async (_, timeZone) => {
    const { email } = await world.user({ password })
    const call = await logIn(email, { 'user-agent': 'x'.repeat(5_000), 'time-zone': timeZone })
    const [session] = (await call(listSessions)).filter(({ isCurrent }) => isCurrent)
    expect(session).toMatchObject({ browser: null, timeZone: null })
  })

  it('leaves out sessions that have expired', async () => {
    const { email, call } = await world.user({ password })
    world.clock.forward(20 * day)
    await call(getProfile)
    const otherSession = await logIn(email)
    world.clock.forward(20 * day)
    expect(await otherSession(listSessions)).toHaveLength(2)
    world.clock.forward(10 * day)
    expect(await otherSession(listSessions)).toHaveLength(1)
  })

  it('has the sessions of this user alone', async () => {
    await world.user()
    const { call } = await world.user()
    expect(await call(listSessions)).toHaveLength(1)
  })
})

const startMany = async ({ id }: { id: UserId }, count: number) => {
  const tokens: string[] = []
  for (let times = 0; times < count; times++)
    tokens.push(await world.ctx.write((tx) => world.ctx.sessions.start(tx, id)))
  return tokens
}

describe('a new session', () => {
  it('ends the one used least recently beyond 100, on every server', async () => {
    const [user, otherUser] = [await world.user(), await world.user()]
    const otherApp = await world.anotherApp()
    const [unused = ''] = await startMany(user, serviceLimits.sessionsPerUser - 1)
    const call = world.client(unused, 'en', otherApp)
    // The other server has it in its cache.
    await call(getProfile)
    world.clock.forward(hour)
    await user.call(getProfile)
    await startMany(user, 1)
    await expect.poll(() => outcome(call(getProfile)), pollOptions).toBe('unauthorized')
    expect(await user.call(listSessions)).toHaveLength(serviceLimits.sessionsPerUser)
    expect(await world.ctx.db.$count(sessions, eq(sessions.userId, user.id))).toBe(
      serviceLimits.sessionsPerUser,
    )
    expect(await otherUser.call(listSessions)).toHaveLength(1)
  })
})

describe(title(endSession), () => {
  it('signs out that browser at once, and no other', async () => {
    const { email, call } = await world.user({ password })
    const [lost, mine] = [await logIn(email), await logIn(email)]
    const [session] = (await lost(listSessions)).filter(({ isCurrent }) => isCurrent)
    await call(endSession, { params: { id: session?.id ?? '' } })
    expect(await errorCodeOf(lost(getProfile))).toBe('unauthorized')
    expect(await mine(getProfile)).toMatchObject({ email })
  })

  it('is rejected for the session of another user, and for one that has ended', async () => {
    const [user, otherUser] = [await world.user(), await world.user()]
    const [session] = await otherUser.call(listSessions)
    const params = { id: session?.id ?? '' }
    expect(await errorCodeOf(user.call(endSession, { params }))).toBe('item_not_found')
    expect(await otherUser.call(getProfile)).toMatchObject({ email: otherUser.email })
    const secondCall = await world.client(
      await world.ctx.write((tx) => world.ctx.sessions.start(tx, otherUser.id)),
    )
    await secondCall(endSession, { params })
    expect(await errorCodeOf(secondCall(endSession, { params }))).toBe('item_not_found')
  })
})

describe(title(endOtherSessions), () => {
  it('leaves the session of the request, and those of other users', async () => {
    const { email, call } = await world.user({ password })
    const otherUser = await world.user()
    const browsers = [await logIn(email), await logIn(email)]
    // This server now has their sessions in its cache.
    for (const browser of browsers) await browser(getProfile)
    await call(endOtherSessions)
    for (const browser of browsers)
      expect(await errorCodeOf(browser(getProfile))).toBe('unauthorized')
    expect(await call(listSessions)).toMatchObject([{ isCurrent: true }])
    expect(await otherUser.call(listSessions)).toHaveLength(1)
  })

  it('is announced once, however many sessions end', async () => {
    const user = await world.user()
    await startMany(user, 5)
    const ended: object[] = []
    world.ctx.sessions.onEnd((end) => void ended.push(end))
    await user.call(endOtherSessions)
    // Notifications arrive in the order of their transactions.
    await world.ctx.write((tx) => world.ctx.sessions.notifyTokenRevoked(tx, 'last'))
    await expect.poll(() => ended, pollOptions).toContainEqual({ tokenId: 'last' })
    expect(ended).toEqual([{ userId: user.id }, { tokenId: 'last' }])
  })
})
