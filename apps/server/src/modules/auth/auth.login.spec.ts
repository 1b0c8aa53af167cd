import { getProfile } from '@slipway/contract/account'
import { day, limits } from '@slipway/contract/limits'
import { getSession, login, logout } from '@slipway/contract/sessions'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, refused } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { address, password, signedUp, verified } from './auth.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.work()
})
afterAll(() => world.close())

describe('POST /auth/email/login', () => {
  it('gives a session for the right password, in any case of the address', async () => {
    const { email } = await verified(world)
    const { token } = await world.guest(login, { body: { email: email.toUpperCase(), password } })
    expect((await world.client(token)(getProfile)).email).toBe(email)
  })

  it('says the same for a wrong password and an unknown address', async () => {
    const { email } = await signedUp(world)
    const wrong = { email, password: 'Wrong-horse7' }
    expect(await refusal(world.guest(login, { body: wrong }))).toBe('invalid_credentials')
    const unknown = { email: 'nobody@example.com', password }
    expect(await refusal(world.guest(login, { body: unknown }))).toBe('invalid_credentials')
  })

  it('says so when the account signs in elsewhere', async () => {
    const email = address()
    const user = await world.user({ email })
    await world.ctx.db.update(users).set({ loginKind: 'Google' }).where(eq(users.id, user.id))
    expect(await refusal(world.guest(login, { body: { email, password } }))).toBe(
      'user_not_created_with_email',
    )
  })

  it('takes ten wrong passwords, also at once, then none for 15 minutes; a right one clears them', async () => {
    const { email } = await signedUp(world)
    const wrong = { email, password: 'Wrong-horse7' }
    const codes = await Promise.all(
      Array.from({ length: 14 }, () => refusal(world.guest(login, { body: wrong }))),
    )
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(4)
    expect(await refusal(world.guest(login, { body: { email, password } }))).toBe(
      'too_many_requests',
    )
    world.clock.forward(limits.attemptWindow)
    for (let round = 0; round < 2; round++) {
      for (let tries = 0; tries < 9; tries++) await refusal(world.guest(login, { body: wrong }))
      expect(await world.guest(login, { body: { email, password } })).toHaveProperty('token')
    }
  })

  it('asks for both fields', async () => {
    const answer = await refused(world.guest(login, { body: { email: ' ', password: '' } }))
    expect(answer.fields).toEqual({
      email: 'Please enter your email',
      password: 'Please enter your password',
    })
  })
})

describe('GET /auth/session', () => {
  it('says whether the account is verified, to whoever is signed in', async () => {
    const unverified = await world.user({ verified: false })
    expect(await unverified.call(getSession)).toEqual({ verified: false })
    const verified = await world.user()
    expect(await verified.call(getSession)).toEqual({ verified: true })
    expect(await refusal(world.guest(getSession))).toBe('unauthorized')
  })
})

describe('POST /auth/logout', () => {
  it('ends the session on every server', async () => {
    const other = await world.anotherApp()
    const { token, call } = await verified(world)
    const elsewhere = world.client(token, 'en', other)
    await elsewhere(getProfile)
    await call(logout)
    expect(await refusal(call(getProfile))).toBe('unauthorized')
    await until(
      async () => (await elsewhere(getProfile).catch((error) => error.code)) === 'unauthorized',
    )
    expect(await refusal(elsewhere(getProfile))).toBe('unauthorized')
  })

  it('is open to users who are not verified', async () => {
    const { call } = await signedUp(world)
    await call(logout)
    expect(await refusal(call(logout))).toBe('unauthorized')
  })
})

describe('a session', () => {
  it('lasts 30 days from its last use', async () => {
    const { call } = await verified(world)
    world.clock.forward(29 * day)
    await call(getProfile)
    world.clock.forward(29 * day)
    await call(getProfile)
    world.clock.forward(30 * day)
    expect(await refusal(call(getProfile))).toBe('unauthorized')
  })
})
