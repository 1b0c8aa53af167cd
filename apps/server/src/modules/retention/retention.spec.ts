import { getProfile } from '@slipway/contract/account'
import { sendVerifyEmail, verifyEmail } from '@slipway/contract/auth'
import { limits } from '@slipway/contract/limits'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../context.ts'
import { outcome, refusal } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { heldUp } from '../../testing/waiting.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { findByEmail } from '../account/account.service.ts'
import { mailedToken, signedUp, verified } from '../auth/auth.fixture.ts'
import { removeUnverified } from './retention.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

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
    await removeUnverified(world.ctx)
    expect(await exists({ email })).toBe(true)
    world.clock.forward(1)
    await removeUnverified(world.ctx)
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
    await removeUnverified(world.ctx)
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
      () => removeUnverified(world.ctx),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect((await call(getProfile)).email).toBe(email)
  })
})
