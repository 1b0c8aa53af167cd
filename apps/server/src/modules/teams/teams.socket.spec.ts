import { updateProfileName } from '@slipway/contract/account'
import { renameProject } from '@slipway/contract/projects'
import {
  cancelInvitation,
  inviteToTeam,
  leaveTeam,
  removeFromTeam,
  respondToInvitation,
  updateTeam,
} from '@slipway/contract/teams'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeSockets, openSocket } from '../../http/socket.fixture.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { teamUpdated, userUpdated } from './teams.fixture.ts'

let world: World
let ports: number[]
beforeAll(async () => {
  world = await createWorld()
  ports = [await world.listen(), await world.listen(await world.anotherApp())]
})
afterAll(() => world.close())
afterEach(closeSockets)

/** Sockets of the person, one at each server. */
const connect = ({ token }: TestUser) => Promise.all(ports.map((port) => openSocket(port, token)))
type Sockets = Awaited<ReturnType<typeof connect>>

const projectUpdated = (projectId: string) => ({
  kind: 'Project',
  data: { type: 'Updated', projectId },
})

/** What each of the sockets hears, and nothing but that until an event that the person alone hears. */
async function heard(person: TestUser, sockets: Sockets, expected: object[]) {
  const fence = { params: { id: person.teamId }, body: { name: 'The fence' } }
  await person.call(updateTeam, fence)
  for (const { next } of sockets) {
    const all = []
    while (all.length <= expected.length) {
      const { kind, data } = await next()
      all.push({ kind, data })
    }
    expect(all).toEqual([...expected, teamUpdated(person)])
  }
}

/** An owner, somebody who joined and somebody who has nothing to do with the team, each listening. */
async function listeners() {
  const people = [await world.user(), await world.user(), await world.user()] as const
  const [owner, member, stranger] = people
  await world.join(member, owner.teamId)
  const sockets = {
    member: await connect(member),
    stranger: await connect(stranger),
  }
  return { owner, member, stranger, sockets }
}

describe('who hears of a team', () => {
  it('is everybody in it, on every server, and nobody else', async () => {
    const { owner, member, stranger, sockets } = await listeners()
    const body = { name: 'New name' }
    await owner.call(updateTeam, { params: { id: owner.teamId }, body })
    await heard(member, sockets.member, [teamUpdated(owner)])
    await heard(stranger, sockets.stranger, [])
  })

  it('is whoever is invited of the invitation alone, and of the team once they accepted', async () => {
    const { owner, member, stranger, sockets } = await listeners()
    const { teamId } = owner
    const { id: userId, email } = stranger
    await owner.call(inviteToTeam, { body: { teamId, email } })
    const invited = { kind: 'User', data: { type: 'Invited', userId, teamId } }
    await heard(stranger, sockets.stranger, [invited])
    await heard(member, sockets.member, [teamUpdated(owner)])
    await owner.call(cancelInvitation, { query: { teamId, email } })
    await heard(stranger, sockets.stranger, [userUpdated(stranger)])
    await owner.call(inviteToTeam, { body: { teamId, email } })
    // Who is in the team is asked when an event comes: not before has this one been told.
    await heard(stranger, sockets.stranger, [invited])
    await stranger.call(respondToInvitation, { body: { teamId, accept: true } })
    const joined = [teamUpdated(owner), userUpdated(stranger)]
    await heard(stranger, sockets.stranger, joined)
    const { id } = await world.project({ teamId })
    await owner.call(renameProject, { params: { id }, body: { name: 'Seen' } })
    await heard(stranger, sockets.stranger, [projectUpdated(id)])
  })

  it('is whoever is invited of the names that their invitation shows, and not of the team', async () => {
    const { owner, stranger, sockets } = await listeners()
    const { teamId } = owner
    await owner.call(inviteToTeam, { body: { teamId, email: stranger.email } })
    const { id: userId } = stranger
    const invited = { kind: 'User', data: { type: 'Invited', userId, teamId } }
    await heard(stranger, sockets.stranger, [invited])
    await owner.call(updateTeam, { params: { id: teamId }, body: { name: 'New name' } })
    await heard(stranger, sockets.stranger, [userUpdated(stranger)])
    await owner.call(updateProfileName, { body: { name: 'New Owner Name' } })
    await heard(stranger, sockets.stranger, [userUpdated(stranger)])
  })

  it.each([
    [
      'removed',
      (owner: TestUser, { id }: TestUser) =>
        owner.call(removeFromTeam, { params: { teamId: owner.teamId }, query: { userId: id } }),
    ],
    [
      'gone by themselves',
      ({ teamId }: TestUser, member: TestUser) =>
        member.call(leaveTeam, { params: { id: teamId } }),
    ],
  ])(
    'is not who was %s: they hear that, and nothing of it or its projects after',
    async (_how, go) => {
      const { owner, member, sockets } = await listeners()
      const { id } = await world.project({ teamId: owner.teamId })
      const rename = { params: { id }, body: { name: 'Renamed' } }
      await owner.call(renameProject, rename)
      await heard(member, sockets.member, [projectUpdated(id)])
      await go(owner, member)
      await owner.call(renameProject, rename)
      await owner.call(updateTeam, { params: { id: owner.teamId }, body: { name: 'Without them' } })
      await heard(member, sockets.member, [userUpdated(member)])
    },
  )
})
