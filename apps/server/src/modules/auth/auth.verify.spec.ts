import { getProfile } from '@slipway/contract/account'
import { forgotPassword, resetPassword, sendVerifyEmail, verifyEmail } from '@slipway/contract/auth'
import { day } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import {
  mailedToken,
  openVerificationLink,
  password,
  signUpUser,
  signUpVerifiedUser,
} from './auth.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

describe(title(verifyEmail), () => {
  it('lets one of two concurrent calls verify; later calls return already_verified', async () => {
    const { email } = await signUpUser(world)
    const token = await mailedToken(world, email, '/auth/verify')
    const results = await Promise.allSettled([
      world.guest(verifyEmail, { body: { token } }),
      world.guest(verifyEmail, { body: { token } }),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await errorCodeOf(world.guest(verifyEmail, { body: { token } }))).toBe(
      'already_verified',
    )
  })

  it('rejects unknown, expired and reset tokens', async () => {
    expect(await errorCodeOf(world.guest(verifyEmail, { body: { token: 'nonsense' } }))).toBe(
      'invalid_token',
    )
    const { email } = await signUpUser(world)
    const token = await mailedToken(world, email, '/auth/verify')
    await world.guest(forgotPassword, { body: { email } })
    const reset = await mailedToken(world, email, '/auth/reset-password')
    expect(await errorCodeOf(world.guest(verifyEmail, { body: { token: reset } }))).toBe(
      'invalid_token',
    )
    world.clock.forward(day)
    expect(await errorCodeOf(world.guest(verifyEmail, { body: { token } }))).toBe('invalid_token')
    const resetting = world.guest(resetPassword, { body: { password, token } })
    expect(await errorCodeOf(resetting)).toBe('invalid_token')
  })

  it('returns invalid_params for a missing or malformed token', async () => {
    expect(await errorCodeOf(world.guest(verifyEmail, { body: {} as never }))).toBe(
      'invalid_params',
    )
    expect(await errorCodeOf(world.guest(verifyEmail, { body: { token: 7 } as never }))).toBe(
      'invalid_params',
    )
  })

  it('takes effect at once on a server that cached the unverified session', async () => {
    const { email, call } = await signUpUser(world)
    expect(await errorCodeOf(call(getProfile))).toBe('user_not_verified')
    await openVerificationLink(world, email)
    expect((await call(getProfile)).email).toBe(email)
  })
})

describe(title(sendVerifyEmail), () => {
  it('emails the link again, at most three times in 15 minutes', async () => {
    const { email, token } = await signUpUser(world)
    await world.guest(sendVerifyEmail, { body: { token } })
    await world.guest(sendVerifyEmail, { body: { token } })
    const error = await errorOf(world.guest(sendVerifyEmail, { body: { token } }))
    expect([error.code, error.status]).toEqual(['action_limit_reached', 429])
    expect(await world.mailsTo(email)).toHaveLength(3)
    world.clock.forward(serviceLimits.attemptWindow)
    await world.guest(sendVerifyEmail, { body: { token } })
    expect(await world.mailsTo(email)).toHaveLength(4)
  })

  it('applies the limit to concurrent calls', async () => {
    const { email, token } = await signUpUser(world)
    await Promise.allSettled(
      Array.from({ length: 8 }, () => world.guest(sendVerifyEmail, { body: { token } })),
    )
    expect(await world.mailsTo(email)).toHaveLength(3)
  })

  it('rejects verified users and unknown tokens', async () => {
    const { token } = await signUpVerifiedUser(world)
    expect(await errorCodeOf(world.guest(sendVerifyEmail, { body: { token } }))).toBe(
      'already_verified',
    )
    expect(await errorCodeOf(world.guest(sendVerifyEmail, { body: { token: 'x' } }))).toBe(
      'unauthorized',
    )
  })
})
