import { listTeams, updateTeam, viewTeam } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { type EventRecorder, recordEvents } from '../../testing/event-recorder.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { teamUpdated, userUpdated } from './teams.fixture.ts'

let world: World
let events: EventRecorder
beforeAll(async () => {
  world = await createWorld()
  events = await recordEvents(world.database.options)
})
afterAll(async () => {
  await events.close()
  await world.close()
})

describe(title(listTeams), () => {
  it('lists the teams the user owns or joined, oldest first', async () => {
    const owner = await world.user()
    world.clock.forward(1000)
    const member = await world.user()
    await world.join(member, owner.teamId)
    expect((await member.call(listTeams)).map(({ id }) => id)).toEqual([
      owner.teamId,
      member.teamId,
    ])
    expect((await owner.call(listTeams)).map(({ userId }) => userId)).toEqual([owner.id])
  })
})

describe(title(viewTeam), () => {
  it('returns the owner, the members and the invited addresses', async () => {
    const owner = await world.user()
    const member = await world.user()
    await world.join(member, owner.teamId)
    await world.invite({ email: 'invited@example.com' }, owner.teamId)
    const createdAt = world.clock.now().toISOString()
    expect(await member.call(viewTeam, { params: { id: owner.teamId } })).toEqual({
      id: owner.teamId,
      name: `${owner.name}'s team`,
      userId: owner.id,
      owner: { id: owner.id, name: owner.name },
      users: [{ id: member.id, name: member.name, username: member.username, createdAt }],
      invited: [{ email: 'invited@example.com', createdAt }],
    })
  })

  it('returns team_not_found for a malformed id', async () => {
    const { call } = await world.user()
    expect(await errorCodeOf(call(viewTeam, { params: { id: 'none' } }))).toBe('team_not_found')
  })
})

describe(title(updateTeam), () => {
  it('trims and stores the name and publishes an event to the members', async () => {
    const owner = await world.user()
    const params = { id: owner.teamId }
    await events.take()
    for (const name of ["O'Brien's “team”", 'Iğdır İnşaat <b>&amp;', 'Çağrı & Kardeşleri']) {
      const renamed = await owner.call(updateTeam, { params, body: { name: `  ${name} ` } })
      expect(renamed).toEqual({ id: owner.teamId, name, userId: owner.id })
      expect((await owner.call(viewTeam, { params })).name).toBe(name)
      expect(await events.take()).toEqual([
        { kind: 'Team', data: { type: 'Updated', teamId: owner.teamId } },
      ])
    }
  })

  it('publishes an event to invited users, whose invitations show the name', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await world.invite(invitee, owner.teamId)
    await world.invite({ email: 'no.account@example.com' }, owner.teamId)
    await events.take()
    await owner.call(updateTeam, { params: { id: owner.teamId }, body: { name: 'New name' } })
    expect(await events.take()).toEqual([teamUpdated(owner), userUpdated(invitee)])
  })

  it('returns forbidden for a member, without a change or an event', async () => {
    const owner = await world.user()
    const member = await world.user()
    await world.join(member, owner.teamId)
    const params = { id: owner.teamId }
    await events.take()
    const rename = member.call(updateTeam, { params, body: { name: 'Taken over' } })
    const { code, status } = await errorOf(rename)
    expect([code, status]).toEqual(['forbidden', 403])
    expect((await owner.call(viewTeam, { params })).name).toBe(`${owner.name}'s team`)
    expect(await events.take()).toEqual([])
  })

  it('rejects a name shorter than 3 or longer than 100 characters', async () => {
    const { call, teamId } = await world.user()
    const rename = (name: string) => call(updateTeam, { params: { id: teamId }, body: { name } })
    expect((await errorOf(rename(' ab '))).fields).toEqual({ name: 'Please enter a name' })
    expect((await errorOf(rename('x'.repeat(101)))).fields).toEqual({ name: 'This is too long' })
  })

  it('returns team_not_found for a malformed id', async () => {
    const { call } = await world.user()
    const rename = call(updateTeam, { params: { id: 'none' }, body: { name: 'New name' } })
    expect(await errorCodeOf(rename)).toBe('team_not_found')
  })
})
