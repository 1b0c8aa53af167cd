import { getProfile } from '@slipway/contract/account'
import { forgotPassword, resetPassword, verifyEmail } from '@slipway/contract/auth'
import { limits } from '@slipway/contract/limits'
import { login } from '@slipway/contract/sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outcome, refusal } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { address, mailedToken, password, signedUp } from './auth.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.work()
})
afterAll(() => world.close())

const tokenFor = (email: string) => mailedToken(world, email, '/auth/verify')
const logIn = (email: string, given: string) =>
  outcome(world.guest(login, { body: { email, password: given } }))

describe('the link of a verification mail', () => {
  it('keeps every session where one of them opens it', async () => {
    const { email, call } = await signedUp(world)
    const { token: other } = await world.guest(login, { body: { email, password } })
    const body = { token: await tokenFor(email), password: null }
    await world.client(other)(verifyEmail, { body })
    for (const each of [call, world.client(other)])
      expect((await each(getProfile)).email).toBe(email)
  })

  it('asks for the password where nobody is signed in, or somebody else, and spends nothing', async () => {
    const { email, call } = await signedUp(world)
    const token = await tokenFor(email)
    const somebodyElse = await world.user()
    for (const caller of [world.guest, world.client('ended'), somebodyElse.call])
      expect(await refusal(caller(verifyEmail, { body: { token, password: null } }))).toBe(
        'invalid_credentials',
      )
    expect(await refusal(somebodyElse.call(verifyEmail, { body: { token } }))).toBe(
      'invalid_credentials',
    )
    expect(await refusal(call(getProfile))).toBe('user_not_verified')
    await somebodyElse.call(verifyEmail, { body: { token, password } })
    expect((await call(getProfile)).email).toBe(email)
  })

  it('ends every session when it is all that was shown', async () => {
    const { email, call } = await signedUp(world)
    await world.guest(verifyEmail, { body: { token: await tokenFor(email) } })
    expect(await refusal(call(getProfile))).toBe('unauthorized')
    expect(await logIn(email, password)).toBe('ok')
  })

  it('counts wrong passwords as a login does', async () => {
    const { email } = await signedUp(world)
    const token = await tokenFor(email)
    const guess = (given: string) =>
      outcome(world.guest(verifyEmail, { body: { token, password: given } }))
    for (let tries = 0; tries < limits.wrongPasswordsPerAccount; tries++)
      expect(await guess(`Wrong-horse${tries}`)).toBe('invalid_credentials')
    expect(await guess(password)).toBe('too_many_requests')
    expect(await logIn(email, password)).toBe('too_many_requests')
    world.clock.forward(limits.attemptWindow)
    expect(await guess(password)).toBe('ok')
    // A right one does not count.
    for (let tries = 0; tries < limits.wrongPasswordsPerAccount; tries++)
      expect(await logIn(email, 'Wrong-horse7')).toBe('invalid_credentials')
  })

  it('lets whoever did not sign up take the account: what the stranger chose is worth nothing', async () => {
    const { email, call } = await signedUp(world)
    const token = await tokenFor(email)
    await world.guest(resetPassword, { body: { token, password: 'New-horse99' } })
    expect(await refusal(call(getProfile))).toBe('unauthorized')
    expect(await logIn(email, password)).toBe('invalid_credentials')
    const session = await world.guest(login, { body: { email, password: 'New-horse99' } })
    expect((await world.client(session.token)(getProfile)).email).toBe(email)
  })

  it('sets no password once the account is verified', async () => {
    const { email, call } = await signedUp(world)
    const token = await tokenFor(email)
    await call(verifyEmail, { body: { token } })
    const again = world.guest(resetPassword, { body: { token, password: 'New-horse99' } })
    expect(await refusal(again)).toBe('invalid_token')
    expect(await logIn(email, password)).toBe('ok')
  })

  it('and a new password at once leave one password and no session of before', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, call } = await signedUp(world)
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

  it('says who signed up and when, and what becomes of it', async () => {
    const email = address()
    await signedUp(world, email)
    const [mail] = await world.mailsTo(email)
    expect(mail?.text).toContain('Hello Some Body,')
    const day = world.clock.now().getUTCDate()
    expect(mail?.text).toMatch(new RegExp(`On November ${day}, 2026 at .* UTC somebody signed up`))
    expect(mail?.text).toContain('removed after 7 days')
    await signedUp(world, `tr.${email}`, 'tr')
    const [turkish] = await world.mailsTo(`tr.${email}`)
    expect(turkish?.text).toMatch(new RegExp(`${day} Kasım 2026 .* UTC tarihinde`))
  })
})

describe('a new password', () => {
  it('verifies the account, for the link proved the mailbox', async () => {
    const { email } = await signedUp(world)
    const verification = await tokenFor(email)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    await world.guest(resetPassword, { body: { token, password: 'New-horse99' } })
    const session = await world.guest(login, { body: { email, password: 'New-horse99' } })
    expect((await world.client(session.token)(getProfile)).email).toBe(email)
    expect(await refusal(world.guest(verifyEmail, { body: { token: verification } }))).toBe(
      'already_verified',
    )
  })
})
