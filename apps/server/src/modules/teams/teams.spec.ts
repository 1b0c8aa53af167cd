import { listTeams, viewTeam } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { teamInvitations } from './teams.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('GET /management/team/all', () => {
  it('lists the teams one owns or joined, oldest first', async () => {
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

describe('GET /management/team/view/{id}', () => {
  it('gives the owner, who joined, and who is invited', async () => {
    const owner = await world.user()
    const member = await world.user()
    await world.join(member, owner.teamId)
    const createdAt = world.clock.now()
    await world.ctx.db
      .insert(teamInvitations)
      .values({ teamId: owner.teamId, email: 'invited@example.com', createdAt })
    expect(await member.call(viewTeam, { params: { id: owner.teamId } })).toEqual({
      id: owner.teamId,
      name: `${owner.name}'s team`,
      userId: owner.id,
      owner: { id: owner.id, name: owner.name },
      users: [
        {
          id: member.id,
          name: member.name,
          username: member.username,
          createdAt: createdAt.toISOString(),
        },
      ],
      invited: [{ email: 'invited@example.com', createdAt: createdAt.toISOString() }],
    })
  })

  it('does not find an id that is none', async () => {
    const { call } = await world.user()
    expect(await refusal(call(viewTeam, { params: { id: 'none' } }))).toBe('team_not_found')
  })
})
