import { serviceLimits } from '@slipway/contract/service-limits'
import { inviteToTeam, listInvitations, listTeams } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { type EventRecorder, recordEvents } from '../../testing/event-recorder.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { openVerificationLink, signUpUser } from '../auth/auth.fixture.ts'
import {
  cancel,
  invite,
  newEmail,
  pendingInvitations,
  respond,
  teamUpdated,
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

describe(title(inviteToTeam), () => {
  it('stores the invitation, emails it once and publishes events to the team and the invitee', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    const createdAt = world.clock.now().toISOString()
    await events.take()
    const invitation = await invite(owner, invitee.email)
    expect(invitation).toEqual({ teamId: owner.teamId, email: invitee.email, createdAt })
    expect(await pendingInvitations(owner)).toEqual([invitee.email])
    expect(await world.mailsTo(invitee.email)).toHaveLength(1)
    expect(await events.take()).toEqual([
      teamUpdated(owner),
      { kind: 'User', data: { type: 'Invited', userId: invitee.id, teamId: owner.teamId } },
    ])
  })

  it('accepts an address without an account, whose user finds the invitation after sign-up', async () => {
    await world.startWorkers()
    const owner = await world.user({ name: "Şule O'Hara" })
    const email = newEmail()
    await events.take()
    expect((await invite(owner, `  ${email.toUpperCase()} `)).email).toBe(email)
    expect(await events.take()).toEqual([teamUpdated(owner)])
    const newcomer = await signUpUser(world, email)
    expect(await errorCodeOf(newcomer.call(listInvitations))).toBe('user_not_verified')
    expect(await errorCodeOf(respond(newcomer, owner.teamId, true))).toBe('user_not_verified')
    await openVerificationLink(world, email)
    expect(await newcomer.call(listInvitations)).toMatchObject([
      { teamId: owner.teamId, teamName: "Şule O'Hara's team", ownerName: "Şule O'Hara", email },
    ])
    await respond(newcomer, owner.teamId, true)
    expect(await newcomer.call(listTeams)).toHaveLength(2)
  })

  it.each([
    '',
    'nobody',
    'a@b@example.com',
    'a b@example.com',
    'a@example',
    'a@10.0.0.1',
    'a..b@example.com',
    'Some Body <a@example.com>',
    'a@example.com,b@example.com',
    'a@example.com\nBcc: b@example.com',
    'İlke@example.com',
    'ışık@example.com',
    'ilke@ışık.example',
    `${'x'.repeat(65)}@example.com`,
  ])('rejects the malformed address %j', async (email) => {
    const { code, fields } = await errorOf(invite(await world.user(), email))
    expect([code, fields]).toEqual([
      'validation_error',
      { email: 'Please enter an email for invitation to be sent' },
    ])
  })

  it('returns the error message in Turkish', async () => {
    const owner = await world.user({ locale: 'tr' })
    expect((await errorOf(invite(owner, 'ığdır'))).fields).toEqual({
      email: 'Davetin gönderileceği bir e-posta adresi girin',
    })
  })

  it('lowercases ILKE to ilke, not to the Turkish ılke', async () => {
    const owner = await world.user()
    const ilke = await world.user({ email: 'ilke.i@example.com' })
    await invite(owner, 'ILKE.I@EXAMPLE.COM')
    expect(await ilke.call(listInvitations)).toHaveLength(1)
    expect(await errorCodeOf(invite(owner, 'Ilke.I@Example.Com'))).toBe('already_invited')
  })

  it('rejects the caller’s own address, in any case', async () => {
    const owner = await world.user()
    for (const email of [owner.email, owner.email.toUpperCase()])
      expect(await errorCodeOf(invite(owner, email))).toBe('self_invite_not_possible')
  })

  it('rejects the address of a member', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await invite(owner, member.email)
    await respond(member, owner.teamId, true)
    const { code, status } = await errorOf(invite(owner, member.email))
    expect([code, status]).toEqual(['already_joined', 409])
    expect(await world.mailsTo(member.email)).toHaveLength(1)
  })

  it('rejects an invited address, without another email or event', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    await events.take()
    for (let times = 0; times < 5; times++) {
      const { code, status } = await errorOf(invite(owner, invitee.email))
      expect([code, status]).toEqual(['already_invited', 409])
    }
    expect(await world.mailsTo(invitee.email)).toHaveLength(1)
    expect(await events.take()).toEqual([])
  })

  it('returns forbidden for a member who is not the owner', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    const email = newEmail()
    const call = member.call(inviteToTeam, { body: { teamId: owner.teamId, email } })
    expect(await errorCodeOf(call)).toBe('forbidden')
    expect(await world.mailsTo(email)).toEqual([])
  })

  it('emails an address at most three times in 15 minutes, over all teams', async () => {
    const email = newEmail()
    for (let times = 0; times < 3; times++) await invite(await world.user(), email)
    const owner = await world.user()
    await events.take()
    const { code, status } = await errorOf(invite(owner, email))
    expect([code, status]).toEqual(['action_limit_reached', 429])
    expect([await pendingInvitations(owner), await events.take()]).toEqual([[], []])
    expect(await world.mailsTo(email)).toHaveLength(3)
    world.clock.forward(serviceLimits.attemptWindow)
    await invite(owner, email)
    expect(await world.mailsTo(email)).toHaveLength(4)
  })

  it('counts canceled and rejected invitations towards the limit', async () => {
    const [owner, invitee] = [await world.user(), await world.user()]
    await invite(owner, invitee.email)
    await cancel(owner, invitee.email)
    await invite(owner, invitee.email)
    await respond(invitee, owner.teamId, false)
    await invite(owner, invitee.email)
    expect(await world.mailsTo(invitee.email)).toHaveLength(3)
    await cancel(owner, invitee.email)
    expect(await errorCodeOf(invite(owner, invitee.email))).toBe('action_limit_reached')
  })

  it('limits a user to twenty invitations in 15 minutes, even concurrent ones', async () => {
    const owner = await world.user()
    for (let count = 0; count < 18; count++) await invite(owner, newEmail())
    // Only six at once: all wait for one lock, which has a timeout.
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => invite(owner, newEmail())),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason.code] : [],
    )
    expect(codes).toEqual(Array.from({ length: 4 }, () => 'action_limit_reached'))
    expect(await pendingInvitations(owner)).toHaveLength(20)
    world.clock.forward(serviceLimits.attemptWindow)
    await invite(owner, newEmail())
  })

  it('limits a team to 100 pending invitations', async () => {
    const owner = await world.user()
    const emails = Array.from({ length: serviceLimits.invitationsPerTeam }, newEmail)
    for (const email of emails) await world.invite({ email }, owner.teamId)
    const { code, status } = await errorOf(invite(owner, newEmail()))
    expect([code, status]).toEqual(['invitation_limit_reached', 409])
    await cancel(owner, emails[0] ?? '')
    await invite(owner, newEmail())
  })
})
