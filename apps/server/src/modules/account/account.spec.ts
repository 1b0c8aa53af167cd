import { getProfile, updateProfileName } from '@slipway/contract/account'
import { login } from '@slipway/contract/sessions'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Tx } from '../../context.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { recordEvents } from '../../testing/event-recorder.ts'
import { errorOf, outcome } from '../../testing/matchers.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { createWorld, type World } from '../../testing/world.ts'
import {
  openVerificationLink,
  password,
  signUpUser,
  signUpVerifiedUser,
} from '../auth/auth.fixture.ts'
import { teamUpdated, userUpdated } from '../teams/teams.fixture.ts'
import { users } from './account.schema.ts'
import { findByEmail } from './account.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe(title(getProfile), () => {
  it('returns the profile and no internal field', async () => {
    const { call, id, name, email } = await world.user()
    const username = email.split('@')[0]
    expect(await call(getProfile)).toEqual({ id, name, username, email, loginKind: 'Email' })
  })
})

describe('saveLocale', () => {
  const savedLocale = async (email: string) => (await findByEmail(world.ctx.db, email))?.locale

  it('saves the language of the sign-up, of each login and of each console visit', async () => {
    await world.startWorkers()
    const { email, token } = await signUpUser(world, 'some.language@example.com', 'tr')
    expect(await savedLocale(email)).toBe('tr')
    await openVerificationLink(world, email)
    const body = { email, password }
    await world.client(null, 'en')(login, { body })
    expect(await savedLocale(email)).toBe('en')
    await world.client(token, 'tr')(getProfile)
    expect(await savedLocale(email)).toBe('tr')
  })

  it('writes only when the language differs, and leaves updatedAt unchanged', async () => {
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
    expect(after?.updated_at).toEqual(before?.updated_at)
  })

  it('does not deadlock concurrent logins', async () => {
    await world.startWorkers()
    const { email } = await signUpVerifiedUser(world, 'both.languages@example.com')
    const lock = (tx: Tx) => tx.select().from(users).where(eq(users.email, email)).for('update')
    const turkish = world.client(null, 'tr')
    const ended = await runBehindLock(
      world,
      lock,
      [1, 2, 3].map(() => () => outcome(turkish(login, { body: { email, password } }))),
    )
    const ok = { status: 'fulfilled', value: 'ok' }
    expect(ended).toEqual([ok, ok, ok])
    expect(await savedLocale(email)).toBe('tr')
  })
})

describe(title(updateProfileName), () => {
  it('publishes an event to the user and to each of their teams', async () => {
    const [user, owner] = [await world.user(), await world.user()]
    await world.join(user, owner.teamId)
    const events = await recordEvents(world.database.options)
    onTestFinished(() => events.close())
    await user.call(updateProfileName, { body: { name: 'New name' } })
    expect(await events.take()).toEqual([teamUpdated(user), teamUpdated(owner), userUpdated(user)])
  })

  it('trims and stores the name', async () => {
    const { call } = await world.user()
    expect(await call(updateProfileName, { body: { name: '  New Name ' } })).toMatchObject({
      name: 'New Name',
    })
    expect((await call(getProfile)).name).toBe('New Name')
  })

  it('rejects a name shorter than 3 or longer than 100 characters', async () => {
    const { call } = await world.user()
    const short = await errorOf(call(updateProfileName, { body: { name: ' a ' } }))
    expect(short.fields).toEqual({ name: 'Please enter a name' })
    const long = await errorOf(call(updateProfileName, { body: { name: 'x'.repeat(101) } }))
    expect(long.fields).toEqual({ name: 'This is too long' })
  })
})
