import { day } from '@slipway/contract/limits'
import {
  approveDevice,
  denyDevice,
  listPersonalTokens,
  pollDevice,
  requestDevice,
  viewDevice,
} from '@slipway/contract/personal-tokens'
import { listProjects } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import { leaveTeam } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { removeExpired } from './device-authorizations.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const start = () => world.guest(requestDevice, { body: { name: 'laptop.example' } })
const poll = (deviceCode: string) => world.guest(pollDevice, { body: { deviceCode } })

describe(title(requestDevice), () => {
  it('returns a short code without vowels, and a page of the console to confirm it', async () => {
    const authorization = await start()
    expect(authorization.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(authorization.verificationUri).toBe(`${world.env.PUBLIC_URL}/account/device`)
    expect(authorization.verificationUriComplete).toBe(
      `${authorization.verificationUri}?code=${authorization.userCode}`,
    )
    expect([authorization.expiresIn, authorization.interval]).toEqual([600, 5])
  })
})

describe(title(pollDevice), () => {
  it('returns no token until the user approves, then the token once', async () => {
    const user = await world.user()
    const project = await world.project({ teamId: user.teamId })
    await world.project({ teamId: user.teamId })
    const { deviceCode, userCode } = await start()
    expect(await poll(deviceCode)).toMatchObject({ state: 'authorization_pending', token: null })
    await user.call(approveDevice, {
      body: { code: userCode.toLowerCase(), projectIds: [project.id], days: 30 },
    })
    expect(await user.call(listPersonalTokens)).toEqual([])
    const { state, token } = await poll(deviceCode)
    expect(state).toBe('approved')
    expect((await world.client(token)(listProjects)).map(({ id }) => id)).toEqual([project.id])
    expect(await user.call(listPersonalTokens)).toMatchObject([{ name: 'laptop.example' }])
    expect(await poll(deviceCode)).toMatchObject({ state: 'expired_token', token: null })
  })

  it('gives one token to concurrent polls', async () => {
    const user = await world.user()
    const { deviceCode, userCode } = await start()
    await user.call(approveDevice, { body: { code: userCode, projectIds: null } })
    const polls = await Promise.all(Array.from({ length: 5 }, () => poll(deviceCode)))
    expect(polls.filter(({ token }) => token !== null)).toHaveLength(1)
    expect(await user.call(listPersonalTokens)).toHaveLength(1)
  })

  it('slows down a client that polls too often', async () => {
    const { deviceCode } = await start()
    expect(await poll(deviceCode)).toMatchObject({ state: 'authorization_pending', interval: 5 })
    expect(await poll(deviceCode)).toMatchObject({ state: 'slow_down', interval: 10 })
    world.clock.forward(5_000)
    expect(await poll(deviceCode)).toMatchObject({ state: 'slow_down', interval: 15 })
    world.clock.forward(15_000)
    expect(await poll(deviceCode)).toMatchObject({ state: 'authorization_pending', interval: 15 })
  })

  it('returns expired_token after ten minutes, approved or not', async () => {
    const user = await world.user()
    const [open, approved] = [await start(), await start()]
    await user.call(approveDevice, { body: { code: approved.userCode, projectIds: null } })
    world.clock.forward(serviceLimits.deviceCodeLifetime)
    for (const { deviceCode, userCode } of [open, approved]) {
      expect(await poll(deviceCode)).toMatchObject({ state: 'expired_token', token: null })
      expect(await errorCodeOf(user.call(viewDevice, { body: { code: userCode } }))).toBe(
        'item_not_found',
      )
    }
    await removeExpired(world.ctx)
    expect(await poll(open.deviceCode)).toMatchObject({ state: 'expired_token' })
  })

  it('returns access_denied if the user has left the team of the project since the approval', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    const { id } = await world.project({ teamId: owner.teamId })
    const { deviceCode, userCode } = await start()
    await member.call(approveDevice, { body: { code: userCode, projectIds: [id] } })
    await member.call(leaveTeam, { params: { id: owner.teamId } })
    expect(await poll(deviceCode)).toMatchObject({ state: 'access_denied', token: null })
  })
})

describe(title(viewDevice), () => {
  it('shows the device’s name, its IP address and the time of its request', async () => {
    const user = await world.user()
    const { userCode } = await start()
    const now = world.clock.now()
    expect(
      await user.call(viewDevice, { body: { code: ` ${userCode.replace('-', ' ')} ` } }),
    ).toEqual({
      name: 'laptop.example',
      address: '127.0.0.1',
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + serviceLimits.deviceCodeLifetime).toISOString(),
    })
  })

  it('rejects a user’s requests after twenty codes, valid or not', async () => {
    const user = await world.user()
    const { userCode } = await start()
    for (let times = 0; times < serviceLimits.deviceCodesPerUser; times++)
      expect(await errorCodeOf(user.call(viewDevice, { body: { code: 'BBBB-BBBB' } }))).toBe(
        'item_not_found',
      )
    for (const endpoint of [viewDevice, denyDevice])
      expect(await errorCodeOf(user.call(endpoint, { body: { code: userCode } }))).toBe(
        'too_many_requests',
      )
    const otherUser = await world.user()
    expect(await otherUser.call(viewDevice, { body: { code: userCode } })).toBeTruthy()
  })
})

describe(title(approveDevice), () => {
  it('approves a code once, with the projects and the days that the user chose', async () => {
    const user = await world.user()
    const project = await world.project({ teamId: user.teamId })
    const { deviceCode, userCode } = await start()
    const body = { code: userCode, projectIds: [project.id], days: 7 as const }
    await user.call(approveDevice, { body })
    expect(await errorCodeOf(user.call(approveDevice, { body }))).toBe('item_not_found')
    // The device makes the token.
    expect(await user.call(listPersonalTokens)).toEqual([])
    await poll(deviceCode)
    const [token, ...others] = await user.call(listPersonalTokens)
    expect(others).toEqual([])
    expect(token?.projects?.map(({ id }) => id)).toEqual([project.id])
    expect(Date.parse(token?.expiresAt ?? '') - world.clock.now().getTime()).toBe(7 * day)
  })

  it('rejects a project of another team', async () => {
    const user = await world.user()
    const { id } = await world.project({ teamId: (await world.user()).teamId })
    const { deviceCode, userCode } = await start()
    const body = { code: userCode, projectIds: [id] }
    expect(await errorCodeOf(user.call(approveDevice, { body }))).toBe('project_not_found')
    expect(await poll(deviceCode)).toMatchObject({ state: 'authorization_pending' })
  })
})

describe(title(denyDevice), () => {
  it('ends the authorization, which no user can approve then', async () => {
    const user = await world.user()
    const { deviceCode, userCode } = await start()
    await user.call(denyDevice, { body: { code: userCode } })
    expect(
      await errorCodeOf(user.call(approveDevice, { body: { code: userCode, projectIds: null } })),
    ).toBe('item_not_found')
    expect(await poll(deviceCode)).toMatchObject({ state: 'access_denied', token: null })
  })
})
