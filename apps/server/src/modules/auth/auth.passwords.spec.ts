import { getProfile } from '@slipway/contract/account'
import { forgotPassword, resetPassword } from '@slipway/contract/auth'
import { hour } from '@slipway/contract/limits'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import * as account from '../account/account.service.ts'
import { mailedToken, password, signUpVerifiedUser } from './auth.fixture.ts'
import { hashPassword } from './auth.passwords.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

describe(title(forgotPassword), () => {
  it('emails a link that sets a new password once and ends every session', async () => {
    const { email, call } = await signUpVerifiedUser(world)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    const results = await Promise.allSettled(
      ['New-horse99', 'New-horse98'].map((newPassword) =>
        world.guest(resetPassword, { body: { password: newPassword, token } }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await errorCodeOf(call(getProfile))).toBe('unauthorized')
    const right = results[0]?.status === 'fulfilled' ? 'New-horse99' : 'New-horse98'
    expect(await errorCodeOf(world.guest(login, { body: { email, password } }))).toBe(
      'invalid_credentials',
    )
    expect(await world.guest(login, { body: { email, password: right } })).toHaveProperty('token')
  })

  it('emails a link that expires after an hour', async () => {
    const { email } = await signUpVerifiedUser(world)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    world.clock.forward(hour)
    expect(await errorCodeOf(world.guest(resetPassword, { body: { password, token } }))).toBe(
      'invalid_token',
    )
  })

  it('responds the same for an unknown address, limit included, and sends no email', async () => {
    const email = 'unknown@example.com'
    for (let times = 0; times < 3; times++)
      expect(await world.guest(forgotPassword, { body: { email } })).toBeUndefined()
    expect(await errorCodeOf(world.guest(forgotPassword, { body: { email } }))).toBe(
      'action_limit_reached',
    )
    expect(await world.mailsTo(email)).toEqual([])
  })

  it.each(['en', 'tr'] as const)(
    'tells a user of an outside provider where to sign in (%s)',
    async (locale) => {
      const email = `google.${locale}@example.com`
      await world.ctx.write((tx) =>
        account.create({ ...world.ctx, locale }, tx, {
          name: 'Test User',
          email,
          loginKind: 'Google',
          passwordHash: null,
          verifiedAt: world.clock.now(),
        }),
      )
      const call = world.client(null, locale)
      expect(await call(forgotPassword, { body: { email } })).toBeUndefined()
      const [mail] = await until(async () => {
        const mails = await world.mailsTo(email)
        return mails.length > 0 && mails
      })
      expect(mail?.subject).toBe(m.mail_no_password_subject({ provider: 'Google' }, { locale }))
      expect(mail?.text).toContain(m.mail_no_password_text({ provider: 'Google' }, { locale }))
      expect(mail?.text).toContain(`${world.env.PUBLIC_URL}/auth/login\n`)
      expect(mail?.text).not.toContain('token=')
    },
  )

  it('rejects a weak and a common password, and leaves the token usable', async () => {
    const { email } = await signUpVerifiedUser(world)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    const weak = await errorOf(world.guest(resetPassword, { body: { password: 'weak', token } }))
    expect(Object.keys(weak.fields)).toEqual(['password'])
    const common = { password: 'P@ssw0rd', token }
    const { fields } = await errorOf(world.guest(resetPassword, { body: common }))
    expect(fields).toEqual({ password: m.form_common_password({}, { locale: 'en' }) })
    await world.guest(resetPassword, { body: { password, token } })
    expect(await world.guest(login, { body: { email, password } })).toHaveProperty('token')
  })
})

describe('setPassword', () => {
  it('leaves no session to a concurrent login with the old password', async () => {
    const { ctx } = world
    const { email } = await signUpVerifiedUser(world)
    const user = await account.findByEmail(ctx.db, email)
    if (!user) throw new Error('the user is missing')
    let commit = () => {}
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve
    })
    let passwordChanged = () => {}
    const passwordStored = new Promise<void>((resolve) => {
      passwordChanged = resolve
    })
    const change = ctx.write(async (tx) => {
      await account.setPassword(ctx, tx, user.id, await hashPassword('New-horse99'))
      passwordChanged()
      await mayCommit
    })
    await passwordStored
    let responded = false
    const attempt = errorCodeOf(world.guest(login, { body: { email, password } })).finally(() => {
      responded = true
    })
    // The old password was right when it was checked; starting its session waits for the change.
    const waiting = sql`select from pg_locks
      where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`
    await until(async () => responded || (await ctx.db.execute(waiting)).rowCount === 1)
    commit()
    expect(await attempt).toBe('invalid_credentials')
    await change
  })
})
