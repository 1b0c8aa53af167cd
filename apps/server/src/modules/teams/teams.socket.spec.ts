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

/** Opens a socket of the user at each server. */
const connect = ({ token }: TestUser) => Promise.all(ports.map((port) => openSocket(port, token)))
type Sockets = Awaited<ReturnType<typeof connect>>

const projectUpdated = (projectId: string) => ({
  kind: 'Project',
  data: { type: 'Updated', projectId },
})

/** Expects each socket to receive exactly these events, up to one that only this user receives. */
async function expectEvents(user: TestUser, sockets: Sockets, expected: object[]) {
  const marker = { params: { id: user.teamId }, body: { name: 'Last event' } }
  await user.call(updateTeam, marker)
  for (const { next } of sockets) {
    const events = []
    while (events.length <= expected.length) {
      const { kind, data } = await next()
      events.push({ kind, data })
    }
    expect(events).toEqual([...expected, teamUpdated(user)])
  }
}

/** An owner, a member and a stranger, the last two with sockets. */
async function createListeners() {
  const [owner, member, stranger] = [await world.user(), await world.user(), await world.user()]
  await world.join(member, owner.teamId)
  const sockets = {
    member: await connect(member),
    stranger: await connect(stranger),
  }
  return { owner, member, stranger, sockets }
}

describe('the events of a team', () => {
  it('are sent to its members on every server, and to no one else', async () => {
    const { owner, member, stranger, sockets } = await createListeners()
    const body = { name: 'New name' }
    await owner.call(updateTeam, { params: { id: owner.teamId }, body })
    await expectEvents(member, sockets.member, [teamUpdated(owner)])
    await expectEvents(stranger, sockets.stranger, [])
  })

  it('reach an invited user for the invitation, and for the team only after acceptance', async () => {
    const { owner, member, stranger, sockets } = await createListeners()
    const { teamId } = owner
    const { id: userId, email } = stranger
    await owner.call(inviteToTeam, { body: { teamId, email } })
    const invited = { kind: 'User', data: { type: 'Invited', userId, teamId } }
    await expectEvents(stranger, sockets.stranger, [invited])
    await expectEvents(member, sockets.member, [teamUpdated(owner)])
    await owner.call(cancelInvitation, { query: { teamId, email } })
    await expectEvents(stranger, sockets.stranger, [userUpdated(stranger)])
    await owner.call(inviteToTeam, { body: { teamId, email } })
    // Wait for this event: recipients are looked up when an event arrives.
    await expectEvents(stranger, sockets.stranger, [invited])
    await stranger.call(respondToInvitation, { body: { teamId, accept: true } })
    const joined = [teamUpdated(owner), userUpdated(stranger)]
    await expectEvents(stranger, sockets.stranger, joined)
    const { id } = await world.project({ teamId })
    await owner.call(renameProject, { params: { id }, body: { name: 'Seen' } })
    await expectEvents(stranger, sockets.stranger, [projectUpdated(id)])
  })

  it('tell an invited user about new names on the invitation, not about the team', async () => {
    const { owner, stranger, sockets } = await createListeners()
    const { teamId } = owner
    await owner.call(inviteToTeam, { body: { teamId, email: stranger.email } })
    const { id: userId } = stranger
    const invited = { kind: 'User', data: { type: 'Invited', userId, teamId } }
    await expectEvents(stranger, sockets.stranger, [invited])
    await owner.call(updateTeam, { params: { id: teamId }, body: { name: 'New name' } })
    await expectEvents(stranger, sockets.stranger, [userUpdated(stranger)])
    await owner.call(updateProfileName, { body: { name: 'New Owner Name' } })
    await expectEvents(stranger, sockets.stranger, [userUpdated(stranger)])
  })

  it.each([
    [
      'removed',
      (owner: TestUser, { id }: TestUser) =>
        owner.call(removeFromTeam, { params: { teamId: owner.teamId }, query: { userId: id } }),
    ],
    [
      'left',
      ({ teamId }: TestUser, member: TestUser) =>
        member.call(leaveTeam, { params: { id: teamId } }),
    ],
  ])('end for a user who was removed or left (%s)', async (_how, endMembership) => {
    const { owner, member, sockets } = await createListeners()
    const { id } = await world.project({ teamId: owner.teamId })
    const rename = { params: { id }, body: { name: 'Renamed' } }
    await owner.call(renameProject, rename)
    await expectEvents(member, sockets.member, [projectUpdated(id)])
    await endMembership(owner, member)
    await owner.call(renameProject, rename)
    await owner.call(updateTeam, { params: { id: owner.teamId }, body: { name: 'Without them' } })
    await expectEvents(member, sockets.member, [userUpdated(member)])
  })
})
