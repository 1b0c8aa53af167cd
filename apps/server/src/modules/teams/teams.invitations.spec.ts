import {
  cancelInvitation,
  listInvitations,
  listTeams,
  respondToInvitation,
  viewTeam,
} from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { type EventRecorder, recordEvents } from '../../testing/event-recorder.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import {
  cancel,
  invite,
  newEmail,
  pendingInvitations,
  respond,
  teamUpdated,
  userUpdated,
} from './teams.fixture.ts'

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

describe(title(listInvitations), () => {
  it('lists the user’s pending invitations, oldest first, with team and owner', async () => {
    const [first, second, invitee] = [await world.user(), await world.user(), await world.user()]
    await invite(first, invitee.email)
    const earlier = world.clock.now().toISOString()
    world.clock.forward(1000)
    await invite(second, invitee.email)
    await invite(second, newEmail())
    const { email } = invitee
    expect(await invitee.call(listInvitations)).toEqual([
      {
        teamId: first.teamId,
        teamName: `${first.name}'s team`,
        ownerName: first.name,
        email,
        createdAt: earlier,
      },
      {
        teamId: second.teamId,
        teamName: `${second.name}'s team`,
        ownerName: second.name,
        email,
        createdAt: world.clock.now().toISOString(),
      },
    ])
    expect(await first.call(listInvitations)).toEqual([])
  })
})

describe(title(respondToInvitation), () => {
  it('adds the user to the team on acceptance and publishes an event to both', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    world.clock.forward(1000)
    await events.take()
    await respond(invitee, owner.teamId, true)
    expect(await events.take()).toEqual([teamUpdated(owner), userUpdated(invitee)])
    const { id, name, username } = invitee
    const team = await invitee.call(viewTeam, { params: { id: owner.teamId } })
    expect(team.users).toEqual([{ id, name, username, createdAt: world.clock.now().toISOString() }])
    expect(team.invited).toEqual([])
    expect(await invitee.call(listInvitations)).toEqual([])
  })

  it('removes the invitation on rejection and publishes an event to both', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    await events.take()
    await respond(invitee, owner.teamId, false)
    expect(await events.take()).toEqual([teamUpdated(owner), userUpdated(invitee)])
    expect(await invitee.call(listTeams)).toHaveLength(1)
    expect([await invitee.call(listInvitations), await pendingInvitations(owner)]).toEqual([[], []])
  })

  it('returns invitation_not_found for an accepted, rejected, canceled or unknown invitation', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    await respond(invitee, owner.teamId, true)
    expect(await errorCodeOf(respond(invitee, owner.teamId, true))).toBe('invitation_not_found')
    const rejecting = await world.user()
    await invite(owner, rejecting.email)
    await respond(rejecting, owner.teamId, false)
    expect(await errorCodeOf(respond(rejecting, owner.teamId, true))).toBe('invitation_not_found')
    const otherUser = await world.user()
    await invite(owner, otherUser.email)
    await cancel(owner, otherUser.email)
    expect(await errorCodeOf(respond(otherUser, owner.teamId, true))).toBe('invitation_not_found')
    for (const teamId of ['none', otherUser.teamId])
      expect(await errorCodeOf(respond(owner, teamId, true)), teamId).toBe('invitation_not_found')
  })

  it('accepts a response from the invited user only', async () => {
    const [owner, invitee, stranger] = [await world.user(), await world.user(), await world.user()]
    await invite(owner, invitee.email)
    for (const user of [owner, stranger])
      expect(await errorCodeOf(respond(user, owner.teamId, true))).toBe('invitation_not_found')
    expect(await pendingInvitations(owner)).toEqual([invitee.email])
  })

  it('accepts one of two concurrent responses', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    const results = await Promise.allSettled([
      respond(invitee, owner.teamId, true),
      respond(invitee, owner.teamId, true),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await invitee.call(listTeams)).toHaveLength(2)
  })

  it('accepts only true or false', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    for (const accept of ['true', 1, null, undefined]) {
      const error = await errorOf(respond(invitee, owner.teamId, accept as never))
      expect(error.fields).toEqual({ accept: "This value isn't valid" })
    }
    expect(await pendingInvitations(owner)).toEqual([invitee.email])
  })
})

describe(title(cancelInvitation), () => {
  it('cancels the invitation, with any case of the address, and publishes an event to both', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    await events.take()
    await cancel(owner, ` ${invitee.email.toUpperCase()} `)
    expect(await events.take()).toEqual([teamUpdated(owner), userUpdated(invitee)])
    expect([await invitee.call(listInvitations), await pendingInvitations(owner)]).toEqual([[], []])
  })

  it('publishes an event only to the team if the address has no account', async () => {
    const owner = await world.user()
    const email = newEmail()
    await invite(owner, email)
    await events.take()
    await cancel(owner, email)
    expect(await events.take()).toEqual([teamUpdated(owner)])
  })

  it('returns forbidden for a member who is not the owner', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    const email = newEmail()
    await invite(owner, email)
    expect(await errorCodeOf(cancel({ ...member, teamId: owner.teamId }, email))).toBe('forbidden')
    expect(await pendingInvitations(owner)).toEqual([email])
  })

  it('returns invitation_not_found for a malformed address and for one without an invitation', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await invite(owner, member.email)
    await respond(member, owner.teamId, true)
    for (const email of [member.email, newEmail(), 'İ', "' or 1=1"])
      expect(await errorCodeOf(cancel(owner, email)), email).toBe('invitation_not_found')
  })
})
