import { getProfile } from '@slipway/contract/account'
import { forgotPassword, resetPassword, verifyEmail } from '@slipway/contract/auth'
import { serviceLimits } from '@slipway/contract/service-limits'
import { login } from '@slipway/contract/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { mailedToken, password, signUpUser, unusedEmail } from './auth.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

const tokenFor = (email: string) => mailedToken(world, email, '/auth/verify')
const logIn = (email: string, guessed: string) =>
  outcome(world.guest(login, { body: { email, password: guessed } }))

describe('the link of a verification email', () => {
  it('keeps every session when a signed-in browser opens it', async () => {
    const { email, call } = await signUpUser(world)
    const { token: otherToken } = await world.guest(login, { body: { email, password } })
    const body = { token: await tokenFor(email), password: null }
    await world.client(otherToken)(verifyEmail, { body })
    for (const each of [call, world.client(otherToken)])
      expect((await each(getProfile)).email).toBe(email)
  })

  it('requires the password without a session of the account, and stays usable', async () => {
    const { email, call } = await signUpUser(world)
    const token = await tokenFor(email)
    const otherUser = await world.user()
    for (const caller of [world.guest, world.client('ended'), otherUser.call])
      expect(await errorCodeOf(caller(verifyEmail, { body: { token, password: null } }))).toBe(
        'invalid_credentials',
      )
    expect(await errorCodeOf(otherUser.call(verifyEmail, { body: { token } }))).toBe(
      'invalid_credentials',
    )
    expect(await errorCodeOf(call(getProfile))).toBe('user_not_verified')
    await otherUser.call(verifyEmail, { body: { token, password } })
    expect((await call(getProfile)).email).toBe(email)
  })

  it('ends every session when the request has neither a password nor null', async () => {
    const { email, call } = await signUpUser(world)
    // The page sends null before it prompts for the password. Other callers prove only the mailbox.
    await world.guest(verifyEmail, { body: { token: await tokenFor(email) } })
    expect(await errorCodeOf(call(getProfile))).toBe('unauthorized')
    expect(await logIn(email, password)).toBe('ok')
  })

  it('limits wrong passwords, without a captcha for logins to the account', async () => {
    const { email } = await signUpUser(world)
    const token = await tokenFor(email)
    const guess = (guessed: string) =>
      outcome(world.guest(verifyEmail, { body: { token, password: guessed } }))
    const guesses = await Promise.all(
      Array.from({ length: serviceLimits.wrongPasswordsPerLink + 2 }, () => guess('Wrong-horse7')),
    )
    expect(guesses.filter((code) => code === 'invalid_credentials')).toHaveLength(
      serviceLimits.wrongPasswordsPerLink,
    )
    expect(await guess(password)).toBe('too_many_requests')
    expect(await logIn(email, password)).toBe('ok')
    world.clock.forward(serviceLimits.attemptWindow)
    expect(await guess(password)).toBe('ok')
  })

  it('lets the owner of the address take over an account that a stranger created', async () => {
    const { email, call } = await signUpUser(world)
    const token = await tokenFor(email)
    await world.guest(resetPassword, { body: { token, password: 'New-horse99' } })
    expect(await errorCodeOf(call(getProfile))).toBe('unauthorized')
    expect(await logIn(email, password)).toBe('invalid_credentials')
    const session = await world.guest(login, { body: { email, password: 'New-horse99' } })
    expect((await world.client(session.token)(getProfile)).email).toBe(email)
  })

  it('sets no password for a verified account', async () => {
    const { email, call } = await signUpUser(world)
    const token = await tokenFor(email)
    await call(verifyEmail, { body: { token } })
    const resetAfterVerification = world.guest(resetPassword, {
      body: { token, password: 'New-horse99' },
    })
    expect(await errorCodeOf(resetAfterVerification)).toBe('invalid_token')
    expect(await logIn(email, password)).toBe('ok')
  })

  it('leaves one valid password when it races with a password reset, which ends old sessions', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, call } = await signUpUser(world)
      const token = await tokenFor(email)
      const [verifying, setting] = await Promise.all([
        outcome(world.guest(verifyEmail, { body: { token, password } })),
        outcome(world.guest(resetPassword, { body: { token, password: 'New-horse99' } })),
      ])
      expect([
        ['ok', 'invalid_token'],
        ['already_verified', 'ok'],
        ['invalid_token', 'ok'],
      ]).toContainEqual([verifying, setting])
      expect(await logIn(email, password)).toBe(setting === 'ok' ? 'invalid_credentials' : 'ok')
      expect(await outcome(call(getProfile))).toBe(setting === 'ok' ? 'unauthorized' : 'ok')
    }
  })

  it('says who signed up, when, and when the account is removed', async () => {
    const email = unusedEmail()
    await signUpUser(world, email)
    const [mail] = await world.mailsTo(email)
    expect(mail?.text).toContain('Hello Test User,')
    const day = world.clock.now().getUTCDate()
    expect(mail?.text).toMatch(
      new RegExp(`with this address \\(November ${day}, 2026 at .* UTC\\)`),
    )
    expect(mail?.text).toContain('deleted after 7 days')
    await signUpUser(world, `tr.${email}`, 'tr')
    const [turkish] = await world.mailsTo(`tr.${email}`)
    expect(turkish?.text).toMatch(new RegExp(`gönderildi \\(${day} Kasım 2026 .* UTC\\)`))
  })
})

describe(title(resetPassword), () => {
  it('verifies the account, because the link proves the mailbox', async () => {
    const { email } = await signUpUser(world)
    const verification = await tokenFor(email)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    await world.guest(resetPassword, { body: { token, password: 'New-horse99' } })
    const session = await world.guest(login, { body: { email, password: 'New-horse99' } })
    expect((await world.client(session.token)(getProfile)).email).toBe(email)
    expect(await errorCodeOf(world.guest(verifyEmail, { body: { token: verification } }))).toBe(
      'already_verified',
    )
  })
})
