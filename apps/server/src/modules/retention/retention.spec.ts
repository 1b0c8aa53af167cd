import { getProfile } from '@slipway/contract/account'
import { sendVerifyEmail, verifyEmail } from '@slipway/contract/auth'
import { serviceLimits } from '@slipway/contract/service-limits'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { errorCodeOf, outcome } from '../../testing/matchers.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { findByEmail } from '../account/account.service.ts'
import { mailedToken, signUpUser, signUpVerifiedUser } from '../auth/auth.fixture.ts'
import { supportTickets } from '../support/support.schema.ts'
import { removeUnverified } from './retention.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('removeUnverified', () => {
  const exists = async ({ email }: { email: string }) =>
    (await findByEmail(world.ctx.db, email)) !== undefined

  it('removes an unverified account after 7 days with its team and sessions, and frees its address', async () => {
    await world.startWorkers()
    const { email, call, token } = await signUpUser(world)
    const mailed = await mailedToken(world, email, '/auth/verify')
    const verifiedUser = await signUpVerifiedUser(world)
    const otherServer = world.client(token, 'en', await world.anotherApp())
    expect(await errorCodeOf(otherServer(getProfile))).toBe('user_not_verified')
    world.clock.forward(serviceLimits.unverifiedLifetime - 1)
    await removeUnverified(world.ctx)
    expect(await exists({ email })).toBe(true)
    world.clock.forward(1)
    await removeUnverified(world.ctx)
    expect([await exists({ email }), await exists(verifiedUser)]).toEqual([false, true])
    const { rows } = await world.ctx.db.execute(sql`
      select from teams where not exists (
        select from team_members where team_id = teams.id and user_id = teams.user_id)`)
    expect(rows).toEqual([])
    expect(await errorCodeOf(call(getProfile))).toBe('unauthorized')
    expect(
      await until(async () => (await outcome(otherServer(getProfile))) === 'unauthorized'),
    ).toBe(true)
    expect(await errorCodeOf(world.guest(verifyEmail, { body: { token: mailed } }))).toBe(
      'invalid_token',
    )
    await signUpVerifiedUser(world, email)
  })

  it('keeps an account that has a project, a ticket, a team member or another team', async () => {
    const [withProject, withTicket, withMember, withNothing] = [
      await world.user({ verified: false }),
      await world.user({ verified: false }),
      await world.user({ verified: false }),
      await world.user({ verified: false }),
    ]
    await world.project({ teamId: withProject.teamId, state: 'deleted' })
    const now = world.clock.now()
    await world.ctx.db.insert(supportTickets).values({
      id: newId<'Ticket'>(),
      userId: withTicket.id,
      subject: 'My site is down',
      state: 'resolved',
      askedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    await world.join(await world.user(), withMember.teamId)
    const joined = await world.user({ verified: false })
    await world.join(joined, (await world.user()).teamId)
    world.clock.forward(serviceLimits.unverifiedLifetime)
    await removeUnverified(world.ctx)
    const users = [withProject, withTicket, withMember, joined, withNothing]
    expect(await Promise.all(users.map(exists))).toEqual([true, true, true, true, false])
  })

  it('keeps an account that is verified at the same time', async () => {
    await world.startWorkers()
    const { email, call, token: session } = await signUpUser(world)
    world.clock.forward(serviceLimits.unverifiedLifetime)
    await call(sendVerifyEmail, { body: { token: session } })
    const token = await mailedToken(world, email, '/auth/verify')
    const lock = (tx: Tx) => tx.select().from(users).where(eq(users.email, email)).for('update')
    const ended = await runBehindLock<unknown>(world, lock, [
      () => outcome(call(verifyEmail, { body: { token } })),
      () => removeUnverified(world.ctx),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect((await call(getProfile)).email).toBe(email)
  })
})
