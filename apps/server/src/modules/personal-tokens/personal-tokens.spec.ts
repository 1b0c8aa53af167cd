import { createHash } from 'node:crypto'
import { forgotPassword, resetPassword } from '@slipway/contract/auth'
import { day, minute } from '@slipway/contract/limits'
import {
  approveDevice,
  createPersonalToken,
  deleteCurrentPersonalToken,
  deletePersonalToken,
  getCurrentPersonalToken,
  listPersonalTokens,
  pollDevice,
  requestDevice,
} from '@slipway/contract/personal-tokens'
import { listProjects } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import { leaveTeam, removeFromTeam } from '@slipway/contract/teams'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { pollOptions } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import * as account from '../account/account.service.ts'
import { mailedToken } from '../auth/auth.fixture.ts'
import * as throttle from '../throttle/throttle.store.ts'
import { personalTokens } from './personal-tokens.schema.ts'
import { removeAll, removeExpired } from './personal-tokens.service.ts'

const invalidFields = async (call: Promise<unknown>) => Object.keys((await errorOf(call)).fields)

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

const newToken = ({ call }: TestUser, projectIds: string[] | null = null, days = 90) =>
  call(createPersonalToken, { body: { name: 'Build server', projectIds, days } })

describe(title(createPersonalToken), () => {
  it('returns a token that secret scanners recognize, and stores only its hash', async () => {
    const { token, personalToken } = await newToken(await world.user())
    expect(token).toMatch(/^slipway_pat_[\w-]{43}$/)
    const rows = await world.ctx.db.select().from(personalTokens)
    const stored = rows.find(({ id }) => id === personalToken.id)
    expect(stored?.tokenHash).toEqual(createHash('sha256').update(token).digest())
    expect(JSON.stringify(rows)).not.toContain(token.slice(-20))
    expect(world.logged.join('')).not.toContain(token.slice(-20))
  })

  it('tells the user by email', async () => {
    const user = await world.user()
    const { token } = await newToken(user)
    const [mail, ...others] = await world.mailsTo(user.email)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('New access token for your Slipway account')
    expect(mail?.text).toMatch(/“Build server”.*127\.0\.0\.1/s)
    expect(mail?.text).toContain('set a new password')
    expect(mail?.text).not.toContain(token)
  })

  it.each([
    [2, /^Projects: Shop 0, Shop 1$/m],
    [6, /^Projects: 6$/m],
  ])('names %i projects in the email, or counts them', async (count, line) => {
    const user = await world.user()
    const projects = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        world.project({ teamId: user.teamId, name: `Shop ${index}` }),
      ),
    )
    await newToken(
      user,
      projects.map(({ id }) => id),
    )
    const [mail] = await world.mailsTo(user.email)
    expect(mail?.text).toMatch(line)
  })

  it('accepts the offered lifetimes, and 90 days is the default', async () => {
    const user = await world.user()
    const { personalToken } = await user.call(createPersonalToken, {
      body: { name: 'Default', projectIds: null },
    })
    expect(Date.parse(personalToken.expiresAt) - Date.parse(personalToken.createdAt)).toBe(90 * day)
    expect(await invalidFields(newToken(user, null, 91))).toEqual(['days'])
    expect(await invalidFields(newToken(user, []))).toEqual(['projectIds'])
  })

  it('rejects the fifty-first token, also of concurrent requests', async () => {
    const user = await world.user()
    const fullBatches = Math.floor(
      serviceLimits.personalTokensPerUser / serviceLimits.personalTokensMadePerUser,
    )
    for (let batch = 0; batch < fullBatches; batch++) {
      for (let times = 0; times < serviceLimits.personalTokensMadePerUser; times++)
        await newToken(user)
      expect(await errorCodeOf(newToken(user))).toBe('too_many_requests')
      world.clock.forward(serviceLimits.attemptWindow)
    }
    const remaining =
      serviceLimits.personalTokensPerUser - fullBatches * serviceLimits.personalTokensMadePerUser
    const last = await Promise.allSettled(
      Array.from({ length: remaining + 2 }, () => newToken(user)),
    )
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(remaining)
    expect(await errorCodeOf(newToken(user))).toBe('personal_token_limit_reached')
  })
})

describe(title(listPersonalTokens), () => {
  it('lists the tokens of the user alone, the newest first, without their secrets', async () => {
    const [user, other] = [await world.user(), await world.user()]
    await newToken(other)
    const { personalToken: first, token } = await newToken(user)
    world.clock.forward(minute)
    const { personalToken: second } = await newToken(user, null, 7)
    const listed = await user.call(listPersonalTokens)
    expect(listed).toEqual([second, first])
    expect(JSON.stringify(listed)).not.toContain(token.slice(-20))
  })

  it('shows the last use to the minute, with the address and the program', async () => {
    const user = await world.user()
    const { token } = await newToken(user)
    const use = (userAgent: string) =>
      world.app.server.app.inject({
        url: `/api${listProjects.path}`,
        headers: { authorization: `Bearer ${token}`, 'user-agent': userAgent },
      })
    const lastUse = async () => (await user.call(listPersonalTokens))[0]?.lastUse
    expect(await lastUse()).toBeNull()
    world.clock.forward(90_000)
    await use('slipway/1.2.3 (linux)\u0000<script>')
    const first = await lastUse()
    expect(first).toMatchObject({ address: '127.0.0.1', client: 'slipway/1.2.3' })
    expect(Date.parse(first?.time ?? '') % minute).toBe(0)
    world.clock.forward(minute)
    await use('')
    expect(await lastUse()).toMatchObject({ client: null })
    expect((await lastUse())?.time).not.toBe(first?.time)
  })
})

describe(title(deletePersonalToken), () => {
  it('revokes the token at once on every server', async () => {
    const user = await world.user()
    const { token, personalToken } = await newToken(user)
    const otherApp = await world.anotherApp()
    const programs = [world.client(token), world.client(token, 'en', otherApp)]
    for (const program of programs) await program(listProjects)
    await user.call(deletePersonalToken, { params: { id: personalToken.id } })
    for (const program of programs)
      expect(await errorCodeOf(program(listProjects))).toBe('unauthorized')
    expect(await user.call(listPersonalTokens)).toEqual([])
  })

  it('announces the end to every server, for the streams that the token opened', async () => {
    const user = await world.user()
    const { personalToken } = await newToken(user)
    const ended: object[] = []
    world.ctx.sessions.onEnd((end) => void ended.push(end))
    await user.call(deletePersonalToken, { params: { id: personalToken.id } })
    await expect.poll(() => ended, pollOptions).toContainEqual({ tokenId: personalToken.id })
  })

  it('returns item_not_found for a token of another user', async () => {
    const [user, other] = [await world.user(), await world.user()]
    const { id } = (await newToken(other)).personalToken
    expect(await errorCodeOf(user.call(deletePersonalToken, { params: { id } }))).toBe(
      'item_not_found',
    )
    expect(await other.call(listPersonalTokens)).toHaveLength(1)
  })
})

describe(title(getCurrentPersonalToken), () => {
  it('describes the token of the request and its user', async () => {
    const user = await world.user()
    const { token, personalToken } = await newToken(user)
    const current = await world.client(token)(getCurrentPersonalToken)
    expect(current.user).toEqual({ name: user.name, email: user.email })
    expect(current.personalToken.id).toBe(personalToken.id)
  })
})

describe(title(deleteCurrentPersonalToken), () => {
  it('revokes the token of the request, and no other', async () => {
    const user = await world.user()
    const { token } = await newToken(user)
    const { personalToken: other } = await newToken(user)
    const program = world.client(token)
    await program(deleteCurrentPersonalToken)
    expect(await errorCodeOf(program(getCurrentPersonalToken))).toBe('unauthorized')
    expect((await user.call(listPersonalTokens)).map(({ id }) => id)).toEqual([other.id])
  })

  it('succeeds for two requests of the token at once', async () => {
    const { token, personalToken } = await newToken(await world.user())
    const program = world.client(token)
    // Stores the use of this minute, for which the calls below would wait.
    await program(getCurrentPersonalToken)
    const logOut = () => program(deleteCurrentPersonalToken)
    const outcomes = await runBehindLock(
      world,
      (tx) =>
        tx
          .select()
          .from(personalTokens)
          .where(eq(personalTokens.id, personalToken.id))
          .for('update'),
      [logOut, logOut],
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  })
})

/** What a new password does to sessions and tokens. */
const endAccess = ({ id }: TestUser) =>
  world.ctx.write(async (tx) => {
    await world.ctx.sessions.endAll(tx, id)
    await removeAll(world.ctx, tx, id)
  })

describe('a new password', () => {
  it('revokes a token that is being created', async () => {
    const user = await world.user()
    await runBehindLock<unknown>(
      world,
      (tx) => throttle.lock(tx, `personal-token:user:${user.id}`),
      [() => newToken(user), () => endAccess(user)],
    )
    expect(await world.ctx.db.$count(personalTokens, eq(personalTokens.userId, user.id))).toBe(0)
  })

  it('revokes a token that a device is fetching', async () => {
    const user = await world.user()
    const { deviceCode, userCode } = await world.guest(requestDevice, {
      body: { name: 'laptop.example' },
    })
    await user.call(approveDevice, { body: { code: userCode, projectIds: null } })
    await runBehindLock<unknown>(
      world,
      (tx) => throttle.lock(tx, `personal-token:user:${user.id}`),
      [() => world.guest(pollDevice, { body: { deviceCode } }), () => endAccess(user)],
    )
    expect(await world.ctx.db.$count(personalTokens, eq(personalTokens.userId, user.id))).toBe(0)
  })
})

describe('a personal token', () => {
  it('works until it expires', async () => {
    const { token } = await newToken(await world.user(), null, 7)
    const program = world.client(token)
    world.clock.forward(7 * day - 1)
    expect(await program(listProjects)).toEqual([])
    world.clock.forward(1)
    expect(await errorCodeOf(program(listProjects))).toBe('unauthorized')
    await removeExpired(world.ctx)
    expect(await errorCodeOf(program(listProjects))).toBe('unauthorized')
  })

  it('ends when the user leaves the team of its last project, and rejoining does not revive it', async () => {
    for (const way of ['leave', 'removal'] as const) {
      const [owner, member] = [await world.user(), await world.user()]
      const { teamId } = owner
      await world.join(member, teamId)
      const theirs = await world.project({ teamId })
      const memberProject = await world.project({ teamId: member.teamId })
      const limited = world.client((await newToken(member, [theirs.id])).token)
      const scopedCall = world.client((await newToken(member, [theirs.id, memberProject.id])).token)
      if (way === 'leave') await member.call(leaveTeam, { params: { id: teamId } })
      else await owner.call(removeFromTeam, { params: { teamId }, query: { userId: member.id } })
      await world.join(member, teamId)
      expect(await errorCodeOf(limited(listProjects))).toBe('unauthorized')
      expect((await scopedCall(listProjects)).map(({ id }) => id)).toEqual([memberProject.id])
      expect(await member.call(listPersonalTokens)).toHaveLength(1)
    }
  })

  it('ends with a new password', async () => {
    const user = await world.user({ password: 'Correct-horse7' })
    const { token } = await newToken(user)
    await world.guest(forgotPassword, { body: { email: user.email } })
    const mailed = await mailedToken(world, user.email, 'reset-password')
    await world.guest(resetPassword, { body: { password: 'Another-horse7', token: mailed } })
    expect(await errorCodeOf(world.client(token)(listProjects))).toBe('unauthorized')
  })

  it('is deleted with its user', async () => {
    const user = await world.user()
    const { personalToken } = await newToken(user)
    await world.ctx.write(async (tx) => {
      const { deleteOwnedTeams } = await import('../teams/teams.service.ts')
      await deleteOwnedTeams(tx, user.id)
      await account.remove(tx, user.id)
    })
    const rows = await world.ctx.db.select({ id: personalTokens.id }).from(personalTokens)
    expect(rows.map(({ id }) => id)).not.toContain(personalToken.id)
  })

  it('has its own rate limit', async () => {
    const user = await world.user()
    const [firstToken, secondToken] = [await newToken(user), await newToken(user)]
    const server = await world.anotherServer({ RATE_LIMIT: 5 })
    const statusOf = async (token: string, remoteAddress: string) =>
      (
        await server.inject({
          url: `/api${listProjects.path}`,
          remoteAddress,
          headers: { authorization: `Bearer ${token}` },
        })
      ).statusCode
    // Each request from another address, so that only the token's limit counts.
    for (let times = 0; times < 5; times++)
      expect(await statusOf(firstToken.token, `10.0.1.${times}`)).toBe(200)
    expect(await statusOf(firstToken.token, '10.0.1.9')).toBe(429)
    expect(await statusOf(secondToken.token, '10.0.1.10')).toBe(200)
    await server.close()
  })
})
