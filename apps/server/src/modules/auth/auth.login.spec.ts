import { getProfile } from '@slipway/contract/account'
import { createSocketTicket } from '@slipway/contract/events'
import { day } from '@slipway/contract/limits'
import { getSession, login, logout } from '@slipway/contract/sessions'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf, outcome } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { sessions, socketTickets } from '../sessions/sessions.schema.ts'
import { password, signUpUser, signUpVerifiedUser, unusedEmail } from './auth.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

describe(title(login), () => {
  it('starts a session for the right password, with any case of the address', async () => {
    const { email } = await signUpVerifiedUser(world)
    const { token } = await world.guest(login, { body: { email: email.toUpperCase(), password } })
    expect((await world.client(token)(getProfile)).email).toBe(email)
  })

  it('returns the same error for a wrong password and an unknown address', async () => {
    const { email } = await signUpUser(world)
    const wrong = { email, password: 'Wrong-horse7' }
    expect(await errorCodeOf(world.guest(login, { body: wrong }))).toBe('invalid_credentials')
    const unknown = { email: 'nobody@example.com', password }
    expect(await errorCodeOf(world.guest(login, { body: unknown }))).toBe('invalid_credentials')
  })

  it('rejects an account that signs in with an outside provider', async () => {
    const email = unusedEmail()
    const user = await world.user({ email })
    await world.ctx.db.update(users).set({ loginKind: 'Google' }).where(eq(users.id, user.id))
    expect(await errorCodeOf(world.guest(login, { body: { email, password } }))).toBe(
      'user_not_created_with_email',
    )
  })

  it('takes blanks around a password as part of it', async () => {
    const { email } = await world.user({ email: unusedEmail(), password: ` ${password} ` })
    const outcomeOf = (typed: string) =>
      outcome(world.guest(login, { body: { email, password: typed } }))
    expect(await outcomeOf(` ${password} `)).toBe('ok')
    for (const typed of [password, ` ${password}`, `  ${password}  `])
      expect(await outcomeOf(typed)).toBe('invalid_credentials')
  })

  it('accepts blanks around a password that was stored without them', async () => {
    const { email } = await world.user({ email: unusedEmail(), password })
    expect(await outcome(world.guest(login, { body: { email, password: ` ${password} ` } }))).toBe(
      'ok',
    )
  })

  it('requires both fields', async () => {
    const error = await errorOf(world.guest(login, { body: { email: ' ', password: '' } }))
    expect(error.fields).toEqual({
      email: 'Please enter your email',
      password: 'Please enter your password',
    })
  })
})

describe(title(getSession), () => {
  it('tells a signed-in user whether the account is verified', async () => {
    const unverified = await world.user({ verified: false })
    expect(await unverified.call(getSession)).toEqual({ verified: false })
    const verified = await world.user()
    expect(await verified.call(getSession)).toEqual({ verified: true })
    expect(await errorCodeOf(world.guest(getSession))).toBe('unauthorized')
  })
})

describe(title(logout), () => {
  it('ends the session on every server', async () => {
    const otherApp = await world.anotherApp()
    const { token, call } = await signUpVerifiedUser(world)
    const otherServer = world.client(token, 'en', otherApp)
    await otherServer(getProfile)
    await call(logout)
    expect(await errorCodeOf(call(getProfile))).toBe('unauthorized')
    await until(
      async () => (await otherServer(getProfile).catch((error) => error.code)) === 'unauthorized',
    )
    expect(await errorCodeOf(otherServer(getProfile))).toBe('unauthorized')
  })

  it('is open to unverified users', async () => {
    const { call } = await signUpUser(world)
    await call(logout)
    expect(await errorCodeOf(call(logout))).toBe('unauthorized')
  })
})

describe('a session', () => {
  it('ends 90 days after it began, however used', async () => {
    const { call } = await signUpVerifiedUser(world)
    for (let days = 0; days < 89; days++) {
      world.clock.forward(day)
      await call(getProfile)
    }
    world.clock.forward(day)
    expect(await errorCodeOf(call(getProfile))).toBe('unauthorized')
  })

  it('is removed with its tickets once it has expired, and no other is', async () => {
    const [expired, active] = [await world.user(), await world.user()]
    await expired.call(createSocketTicket)
    world.clock.forward(29 * day)
    await active.call(getProfile)
    world.clock.forward(day)
    await world.ctx.sessions.removeExpired()
    const sessionsOf = ({ id }: TestUser) => world.ctx.db.$count(sessions, eq(sessions.userId, id))
    expect([await sessionsOf(expired), await sessionsOf(active)]).toEqual([0, 1])
    expect(await world.ctx.db.$count(socketTickets)).toBe(0)
  })

  it('lasts 30 days from its last use', async () => {
    const { call } = await signUpVerifiedUser(world)
    world.clock.forward(29 * day)
    await call(getProfile)
    world.clock.forward(29 * day)
    await call(getProfile)
    world.clock.forward(30 * day)
    expect(await errorCodeOf(call(getProfile))).toBe('unauthorized')
  })
})
