import { getProfile } from '@slipway/contract/account'
import { forgotPassword, resetPassword } from '@slipway/contract/auth'
import { hour } from '@slipway/contract/limits'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, refused } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import * as account from '../account/account.service.ts'
import { mailedToken, password, verified } from './auth.fixture.ts'
import { hashPassword } from './auth.passwords.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.work()
})
afterAll(() => world.close())

describe('POST /auth/email/forgot-password', () => {
  it('mails a link that sets a new password once and ends every session', async () => {
    const { email, call } = await verified(world)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    const answers = await Promise.allSettled(
      ['New-horse99', 'New-horse98'].map((wanted) =>
        world.guest(resetPassword, { body: { password: wanted, token } }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(call(getProfile))).toBe('unauthorized')
    const right = answers[0]?.status === 'fulfilled' ? 'New-horse99' : 'New-horse98'
    expect(await refusal(world.guest(login, { body: { email, password } }))).toBe(
      'invalid_credentials',
    )
    expect(await world.guest(login, { body: { email, password: right } })).toHaveProperty('token')
  })

  it('ends after an hour', async () => {
    const { email } = await verified(world)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    world.clock.forward(hour)
    expect(await refusal(world.guest(resetPassword, { body: { password, token } }))).toBe(
      'invalid_token',
    )
  })

  it('answers the same for an unknown address, limit included, and mails nobody', async () => {
    const email = 'unknown@example.com'
    for (let times = 0; times < 3; times++)
      expect(await world.guest(forgotPassword, { body: { email } })).toBeUndefined()
    expect(await refusal(world.guest(forgotPassword, { body: { email } }))).toBe(
      'action_limit_reached',
    )
    expect(await world.mailsTo(email)).toEqual([])
  })

  it.each(['en', 'tr'] as const)(
    'tells whoever signs in elsewhere where that is (%s)',
    async (locale) => {
      const email = `elsewhere.${locale}@example.com`
      await world.ctx.write((tx) =>
        account.create({ ...world.ctx, locale }, tx, {
          name: 'Some Body',
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

  it('refuses a weak password and spends nothing', async () => {
    const { email } = await verified(world)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    const weak = await refused(world.guest(resetPassword, { body: { password: 'weak', token } }))
    expect(Object.keys(weak.fields)).toEqual(['password'])
    await world.guest(resetPassword, { body: { password, token } })
    expect(await world.guest(login, { body: { email, password } })).toHaveProperty('token')
  })
})

describe('a new password', () => {
  it('leaves no session to whoever signs in with the old one at the same time', async () => {
    const { ctx } = world
    const { email } = await verified(world)
    const user = await account.findByEmail(ctx.db, email)
    if (!user) throw new Error('nobody signed up')
    let commit = () => {}
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    let changed = () => {}
    const stored = new Promise<void>((resolve) => {
      changed = resolve
    })
    const change = ctx.write(async (tx) => {
      await account.setPassword(ctx, tx, user.id, await hashPassword('New-horse99'))
      changed()
      await held
    })
    await stored
    let answered = false
    const attempt = refusal(world.guest(login, { body: { email, password } })).finally(() => {
      answered = true
    })
    // The old password was right when it was looked at: now its session waits for the new one.
    const waiting = sql`select from pg_locks
      where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`
    await until(async () => answered || (await ctx.db.execute(waiting)).rowCount === 1)
    commit()
    expect(await attempt).toBe('invalid_credentials')
    await change
  })
})
