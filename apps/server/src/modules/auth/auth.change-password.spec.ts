import { getProfile } from '@slipway/contract/account'
import { changePassword } from '@slipway/contract/account-security'
import { forgotPassword, resetPassword } from '@slipway/contract/auth'
import { createPersonalToken, getCurrentPersonalToken } from '@slipway/contract/personal-tokens'
import { serviceLimits } from '@slipway/contract/service-limits'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { mailedToken, password } from './auth.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const next = 'New-horse99'
const change = ({ call }: Pick<TestUser, 'call'>, currentPassword = password, to = next) =>
  call(changePassword, { body: { currentPassword, password: to } })
const canLogIn = (email: string, typed: string) =>
  world.guest(login, { body: { email, password: typed } }).then(
    () => true,
    () => false,
  )

describe(title(changePassword), () => {
  it('replaces the password, ends the other sessions and tells the owner', async () => {
    const user = await world.user({ password })
    const { token } = await world.guest(login, { body: { email: user.email, password } })
    const otherCall = world.client(token)
    // This server now has that session in its cache.
    await otherCall(getProfile)
    await change(user)
    expect(await errorCodeOf(otherCall(getProfile))).toBe('unauthorized')
    expect(await user.call(getProfile)).toMatchObject({ email: user.email })
    expect(await canLogIn(user.email, password)).toBe(false)
    expect(await canLogIn(user.email, next)).toBe(true)
    const subjects = (await world.mailsTo(user.email)).map(({ subject }) => subject)
    expect(subjects).toContain(m.mail_password_changed_subject({}, { locale: 'en' }))
  })

  it('invalidates an earlier link to set a new password', async () => {
    const user = await world.user({ password })
    // A job sends the email.
    await world.startWorkers()
    await world.guest(forgotPassword, { body: { email: user.email } })
    const token = await mailedToken(world, user.email, '/auth/reset-password')
    await change(user)
    const reset = world.guest(resetPassword, { body: { token, password: 'New-horse96' } })
    expect(await errorCodeOf(reset)).toBe('invalid_token')
    expect(await canLogIn(user.email, next)).toBe(true)
  })

  it('keeps personal tokens, which programs use', async () => {
    const user = await world.user({ password })
    const { token } = await user.call(createPersonalToken, {
      body: { name: 'CI', projectIds: null, days: 90 },
    })
    await change(user)
    expect(await world.client(token)(getCurrentPersonalToken)).toMatchObject({
      user: { email: user.email },
    })
  })

  it('is rejected with a wrong current password, and changes nothing', async () => {
    const user = await world.user({ password })
    const { code, fields } = await errorOf(change(user, 'Wrong-horse1'))
    expect(code).toBe('validation_error')
    expect(fields).toHaveProperty('currentPassword')
    expect(await canLogIn(user.email, password)).toBe(true)
  })

  it('changes the password once for two concurrent requests', async () => {
    const user = await world.user({ password })
    const results = await Promise.allSettled([
      change(user, password, 'New-horse98'),
      change(user, password, 'New-horse97'),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('cannot be used to guess the password', async () => {
    const user = await world.user({ password })
    for (let guess = 0; guess < serviceLimits.passwordChangesPerUser; guess++)
      expect(await errorCodeOf(change(user, `Wrong-horse${guess}`))).toBe('validation_error')
    expect(await errorCodeOf(change(user))).toBe('action_limit_reached')
  })

  it('cannot be repeated to send emails without a limit', async () => {
    const user = await world.user({ password })
    const passwords = [password, next]
    for (let times = 0; times < serviceLimits.passwordChangesPerUser; times++)
      await change(user, passwords[times % 2], passwords[(times + 1) % 2])
    expect(await errorCodeOf(change(user))).toBe('action_limit_reached')
    expect(await world.mailsTo(user.email)).toHaveLength(serviceLimits.passwordChangesPerUser)
    world.clock.forward(serviceLimits.attemptWindow)
    await change(user)
  })

  it('is rejected for a common password', async () => {
    const user = await world.user({ password })
    const { fields } = await errorOf(change(user, password, 'P@ssw0rd'))
    expect(fields).toHaveProperty('password')
  })

  it('is rejected for an account without a password', async () => {
    const user = await world.user()
    await world.ctx.db.update(users).set({ loginKind: 'Google' }).where(eq(users.id, user.id))
    expect(await errorCodeOf(change(user))).toBe('user_not_created_with_email')
  })
})
