import { getProfile, updateProfileName } from '@slipway/contract/account'
import { sendVerifyEmail, verifyEmail } from '@slipway/contract/auth'
import { limits } from '@slipway/contract/limits'
import { login } from '@slipway/contract/sessions'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Tx } from '../../context.ts'
import { hearAnnouncements } from '../../testing/announcements.ts'
import { outcome, refusal, refused } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { heldUp } from '../../testing/waiting.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { mailedToken, password, signedUp, verified, verify } from '../auth/auth.fixture.ts'
import { teamUpdated, userUpdated } from '../teams/teams.fixture.ts'
import { users } from './account.schema.ts'
import { findByEmail, tidy } from './account.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('GET /account/profile/user', () => {
  it('gives the user and nothing that is the server’s alone', async () => {
    const { call, id, name, email } = await world.user()
    const username = email.split('@')[0]
    expect(await call(getProfile)).toEqual({ id, name, username, email, loginKind: 'Email' })
  })
})

describe('the language of a user', () => {
  const noted = async (email: string) => (await findByEmail(world.ctx.db, email))?.locale

  it('is the one of their sign-up, and then of the console they last opened or logged in to', async () => {
    await world.work()
    const { email, token } = await signedUp(world, 'some.language@example.com', 'tr')
    expect(await noted(email)).toBe('tr')
    await verify(world, email)
    const body = { email, password }
    await world.client(null, 'en')(login, { body })
    expect(await noted(email)).toBe('en')
    await world.client(token, 'tr')(getProfile)
    expect(await noted(email)).toBe('tr')
  })

  it('is written down when it differs, and only then', async () => {
    const { token, email } = await world.user({ locale: 'tr' })
    const version = async () => {
      const { rows } = await world.ctx.db.execute<{ xmin: string; updated_at: string }>(
        sql`select xmin::text, updated_at from users where email = ${email}`,
      )
      return rows[0]
    }
    const before = await version()
    world.clock.forward(1000)
    await world.client(token, 'tr')(getProfile)
    expect(await version()).toEqual(before)
    await world.client(token, 'en')(getProfile)
    const after = await version()
    expect(after?.xmin).not.toBe(before?.xmin)
    // They changed nothing themselves.
    expect(after?.updated_at).toEqual(before?.updated_at)
  })

  it('does not keep logins at the same time from one another', async () => {
    await world.work()
    const { email } = await verified(world, 'both.languages@example.com')
    const lock = (tx: Tx) => tx.select().from(users).where(eq(users.email, email)).for('update')
    const turkish = world.client(null, 'tr')
    const ended = await heldUp(
      world,
      lock,
      [1, 2, 3].map(() => () => outcome(turkish(login, { body: { email, password } }))),
    )
    const ok = { status: 'fulfilled', value: 'ok' }
    expect(ended).toEqual([ok, ok, ok])
    expect(await noted(email)).toBe('tr')
  })
})

describe('PUT /account/profile/update/name', () => {
  it('tells the user’s other pages, and every team that the user is in, which shows the name', async () => {
    const [user, owner] = [await world.user(), await world.user()]
    await world.join(user, owner.teamId)
    const announced = await hearAnnouncements(world.database.options)
    onTestFinished(() => announced.close())
    await user.call(updateProfileName, { body: { name: 'New name' } })
    const told = await announced.take()
    expect(told).toEqual([teamUpdated(user), teamUpdated(owner), userUpdated(user)])
  })

  it('changes the name, trimmed, for the next call too', async () => {
    const { call } = await world.user()
    expect(await call(updateProfileName, { body: { name: '  New Name ' } })).toMatchObject({
      name: 'New Name',
    })
    expect((await call(getProfile)).name).toBe('New Name')
  })

  it('asks for three characters and at most a hundred', async () => {
    const { call } = await world.user()
    const short = await refused(call(updateProfileName, { body: { name: ' a ' } }))
    expect(short.fields).toEqual({ name: 'Please enter a name' })
    const long = await refused(call(updateProfileName, { body: { name: 'x'.repeat(101) } }))
    expect(long.fields).toEqual({ name: 'This is too long' })
  })
})

describe('an account that was never verified', () => {
  const exists = async ({ email }: { email: string }) =>
    (await findByEmail(world.ctx.db, email)) !== undefined

  it('is removed after seven days, with its team and its sessions, and its address is free', async () => {
    await world.work()
    const { email, call, token } = await signedUp(world)
    const mailed = await mailedToken(world, email, '/auth/verify')
    const kept = await verified(world)
    const elsewhere = await world.anotherApp()
    const there = world.client(token, 'en', elsewhere)
    expect(await refusal(there(getProfile))).toBe('user_not_verified')
    world.clock.forward(limits.unverifiedLifetime - 1)
    await tidy(world.ctx)
    expect(await exists({ email })).toBe(true)
    world.clock.forward(1)
    await tidy(world.ctx)
    expect([await exists({ email }), await exists(kept)]).toEqual([false, true])
    const { rows } = await world.ctx.db.execute(sql`
      select from teams where not exists (
        select from team_members where team_id = teams.id and user_id = teams.user_id)`)
    expect(rows).toEqual([])
    expect(await refusal(call(getProfile))).toBe('unauthorized')
    expect(await until(async () => (await outcome(there(getProfile))) === 'unauthorized')).toBe(
      true,
    )
    expect(await refusal(world.guest(verifyEmail, { body: { token: mailed } }))).toBe(
      'invalid_token',
    )
    await verified(world, email)
  })

  it('stays while anything is its own, or anybody else is in its team', async () => {
    const [withProject, withMember, withNothing] = [
      await world.user({ verified: false }),
      await world.user({ verified: false }),
      await world.user({ verified: false }),
    ]
    await world.project({ teamId: withProject.teamId, state: 'deleted' })
    await world.join(await world.user(), withMember.teamId)
    const joined = await world.user({ verified: false })
    await world.join(joined, (await world.user()).teamId)
    world.clock.forward(limits.unverifiedLifetime)
    await tidy(world.ctx)
    const left = await Promise.all([withProject, withMember, joined, withNothing].map(exists))
    expect(left).toEqual([true, true, true, false])
  })

  it('is not removed when it is verified at that moment', async () => {
    await world.work()
    const { email, call, token: session } = await signedUp(world)
    world.clock.forward(limits.unverifiedLifetime)
    await call(sendVerifyEmail, { body: { token: session } })
    const token = await mailedToken(world, email, '/auth/verify')
    const lock = (tx: Tx) => tx.select().from(users).where(eq(users.email, email)).for('update')
    const ended = await heldUp<unknown>(world, lock, [
      () => outcome(call(verifyEmail, { body: { token } })),
      () => tidy(world.ctx),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect((await call(getProfile)).email).toBe(email)
  })
})
