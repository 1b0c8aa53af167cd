import { listInvitations, listTeams, viewTeam } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Announcements, hearAnnouncements } from '../../testing/announcements.ts'
import { refusal, refused } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import {
  address,
  cancel,
  invite,
  respond,
  teamUpdated,
  userUpdated,
  waitingAt,
} from './teams.fixture.ts'

let world: World
let announced: Announcements
beforeAll(async () => {
  world = await createWorld()
  announced = await hearAnnouncements(world.database.options)
})
afterAll(async () => {
  await announced.close()
  await world.close()
})

describe('GET /management/team/invitations', () => {
  it('lists what waits for the user’s answer, oldest first, with the team and its owner', async () => {
    const [first, second, invitee] = [await world.user(), await world.user(), await world.user()]
    await invite(first, invitee.email)
    const earlier = world.clock.now().toISOString()
    world.clock.forward(1000)
    await invite(second, invitee.email)
    await invite(second, address())
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

describe('PUT /management/team/respond', () => {
  it('joins the team when it is accepted, and tells the team and oneself', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    world.clock.forward(1000)
    await announced.take()
    await respond(invitee, owner.teamId, true)
    expect(await announced.take()).toEqual([teamUpdated(owner), userUpdated(invitee)])
    const { id, name, username } = invitee
    const team = await invitee.call(viewTeam, { params: { id: owner.teamId } })
    expect(team.users).toEqual([{ id, name, username, createdAt: world.clock.now().toISOString() }])
    expect(team.invited).toEqual([])
    expect(await invitee.call(listInvitations)).toEqual([])
  })

  it('ends the invitation when it is rejected, and tells the team and oneself', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    await announced.take()
    await respond(invitee, owner.teamId, false)
    expect(await announced.take()).toEqual([teamUpdated(owner), userUpdated(invitee)])
    expect(await invitee.call(listTeams)).toHaveLength(1)
    expect([await invitee.call(listInvitations), await waitingAt(owner)]).toEqual([[], []])
  })

  it('does not find what was answered, taken back, or never was', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    await respond(invitee, owner.teamId, true)
    expect(await refusal(respond(invitee, owner.teamId, true))).toBe('invitation_not_found')
    const other = await world.user()
    await invite(owner, other.email)
    await cancel(owner, other.email)
    expect(await refusal(respond(other, owner.teamId, true))).toBe('invitation_not_found')
    for (const teamId of ['none', other.teamId])
      expect(await refusal(respond(owner, teamId, true)), teamId).toBe('invitation_not_found')
  })

  it('is for whoever has the address: nobody else answers it, not even the owner', async () => {
    const [owner, invitee, stranger] = [await world.user(), await world.user(), await world.user()]
    await invite(owner, invitee.email)
    for (const who of [owner, stranger])
      expect(await refusal(respond(who, owner.teamId, true))).toBe('invitation_not_found')
    expect(await waitingAt(owner)).toEqual([invitee.email])
  })

  it('joins once when it is accepted twice at once', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    const tries = await Promise.allSettled([
      respond(invitee, owner.teamId, true),
      respond(invitee, owner.teamId, true),
    ])
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await invitee.call(listTeams)).toHaveLength(2)
  })

  it('takes true or false and nothing else', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    for (const accept of ['true', 1, null, undefined]) {
      const answer = await refused(respond(invitee, owner.teamId, accept as never))
      expect(answer.fields).toEqual({ accept: "This value isn't valid" })
    }
    expect(await waitingAt(owner)).toEqual([invitee.email])
  })
})

describe('DELETE /management/team/cancel', () => {
  it('takes the invitation back, in any case of the address, and tells the team and the invitee', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    await announced.take()
    await cancel(owner, ` ${invitee.email.toUpperCase()} `)
    expect(await announced.take()).toEqual([teamUpdated(owner), userUpdated(invitee)])
    expect([await invitee.call(listInvitations), await waitingAt(owner)]).toEqual([[], []])
  })

  it('tells the team alone when nobody has the address', async () => {
    const owner = await world.user()
    const email = address()
    await invite(owner, email)
    await announced.take()
    await cancel(owner, email)
    expect(await announced.take()).toEqual([teamUpdated(owner)])
  })

  it('is for the owner: a member is forbidden', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    const email = address()
    await invite(owner, email)
    expect(await refusal(cancel({ ...member, teamId: owner.teamId }, email))).toBe('forbidden')
    expect(await waitingAt(owner)).toEqual([email])
  })

  it('does not find what is not waiting, nor an address that is none', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await invite(owner, member.email)
    await respond(member, owner.teamId, true)
    for (const email of [member.email, address(), 'İ', "' or 1=1"])
      expect(await refusal(cancel(owner, email)), email).toBe('invitation_not_found')
  })
})
