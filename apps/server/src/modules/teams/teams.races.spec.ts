import { serviceLimits } from '@slipway/contract/service-limits'
import {
  cancelInvitation,
  inviteToTeam,
  leaveTeam,
  listInvitations,
  listTeams,
  removeFromTeam,
  respondToInvitation,
  viewTeam,
} from '@slipway/contract/teams'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../context.ts'
import { type EventRecorder, recordEvents } from '../../testing/event-recorder.ts'
import { outcome } from '../../testing/matchers.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { teams } from './teams.schema.ts'

let world: World
let events: EventRecorder
let owner: TestUser
let otherUser: TestUser
/** Each user calls a different server. */
let ownerCalls: TestUser['call']
let otherCalls: TestUser['call']
beforeAll(async () => {
  world = await createWorld()
  events = await recordEvents(world.database.options)
  owner = await world.user()
  otherUser = await world.user()
  ownerCalls = owner.call
  otherCalls = world.client(otherUser.token, 'en', await world.anotherApp())
})
afterAll(async () => {
  await events.close()
  await world.close()
})

const rounds = 50

type Call = () => Promise<unknown>

/**
 * Runs both calls concurrently; returns their outcomes. Every second round locks the team until
 * both calls wait for it. Each call starts first in half of the rounds.
 */
async function race(round: number, first: Call, second: Call) {
  const calls = [first, second].map((call) => () => outcome(call()))
  const isReversed = round % 4 >= 2
  if (isReversed) calls.reverse()
  const lock = (tx: Tx) => tx.select().from(teams).where(eq(teams.id, owner.teamId)).for('update')
  const results =
    round % 2 === 0
      ? await runBehindLock(world, lock, calls)
      : await Promise.allSettled(calls.map((call) => call()))
  const outcomes = results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
  return isReversed ? outcomes.reverse() : outcomes
}

const teamUpdated = () => ({ kind: 'Team', data: { type: 'Updated', teamId: owner.teamId } })
const otherUpdated = () => ({ kind: 'User', data: { type: 'Updated', userId: otherUser.id } })

const team = () => ownerCalls(viewTeam, { params: { id: owner.teamId } })

describe('accepting an invitation while the owner cancels it', () => {
  it('lets one call succeed and publishes one set of events', async () => {
    for (let round = 0; round < rounds; round++) {
      await world.invite(otherUser, owner.teamId)
      await events.take()
      const [accepted, cancelled] = await race(
        round,
        () => otherCalls(respondToInvitation, { body: { teamId: owner.teamId, accept: true } }),
        () =>
          ownerCalls(cancelInvitation, { query: { teamId: owner.teamId, email: otherUser.email } }),
      )
      expect([
        ['ok', 'invitation_not_found'],
        ['invitation_not_found', 'ok'],
      ]).toContainEqual([accepted, cancelled])
      expect(await events.take()).toEqual([teamUpdated(), otherUpdated()])

      const { users, invited } = await team()
      const joined = accepted === 'ok' ? [otherUser.id] : []
      expect([users.map(({ id }) => id), invited]).toEqual([joined, []])
      expect(await otherCalls(listInvitations)).toEqual([])
      expect(await otherCalls(listTeams)).toHaveLength(1 + joined.length)
      if (accepted === 'ok') await otherCalls(leaveTeam, { params: { id: owner.teamId } })
    }
    expect(await world.mailsTo(otherUser.email)).toEqual([])
  })
})

describe('leaving a team while the owner removes the member', () => {
  it('ends the membership once and publishes one set of events', async () => {
    for (let round = 0; round < rounds; round++) {
      await world.join(otherUser, owner.teamId)
      await events.take()
      const [leaveOutcome, removeOutcome] = await race(
        round,
        () => otherCalls(leaveTeam, { params: { id: owner.teamId } }),
        () =>
          ownerCalls(removeFromTeam, {
            params: { teamId: owner.teamId },
            query: { userId: otherUser.id },
          }),
      )
      expect([
        ['ok', 'item_not_found'],
        ['team_not_found', 'ok'],
      ]).toContainEqual([leaveOutcome, removeOutcome])
      expect(await events.take()).toEqual([teamUpdated(), otherUpdated()])
      expect((await team()).users).toEqual([])
      expect(await otherCalls(listTeams)).toHaveLength(1)
    }
  })
})

describe('inviting one address with two concurrent calls', () => {
  it('stores and emails one invitation and publishes one set of events', async () => {
    const otherServer = world.client(owner.token, 'en', await world.anotherApp())
    for (let round = 0; round < rounds; round++) {
      const invitee = await world.user()
      const body = { teamId: owner.teamId, email: invitee.email }
      await events.take()
      const outcomes = await race(
        round,
        () => ownerCalls(inviteToTeam, { body }),
        () => otherServer(inviteToTeam, { body }),
      )
      expect(outcomes.sort()).toEqual(['already_invited', 'ok'])
      expect(await events.take()).toEqual([
        teamUpdated(),
        { kind: 'User', data: { type: 'Invited', userId: invitee.id, teamId: owner.teamId } },
      ])
      expect(await world.mailsTo(invitee.email)).toHaveLength(1)
      expect(await invitee.call(listInvitations)).toHaveLength(1)
      await invitee.call(respondToInvitation, { body: { teamId: owner.teamId, accept: false } })
      world.clock.forward(serviceLimits.attemptWindow)
    }
    expect((await team()).invited).toEqual([])
  })
})

describe('inviting a user who is accepting an invitation', () => {
  it('never stores an invitation of a member', async () => {
    for (let round = 0; round < rounds; round++) {
      const invitee = await world.user()
      const call = world.client(invitee.token, 'en', world.app)
      await world.invite(invitee, owner.teamId)
      const [accepted, invited] = await race(
        round,
        () => call(respondToInvitation, { body: { teamId: owner.teamId, accept: true } }),
        () => ownerCalls(inviteToTeam, { body: { teamId: owner.teamId, email: invitee.email } }),
      )
      expect(accepted).toBe('ok')
      expect(['already_invited', 'already_joined']).toContain(invited)
      expect(await world.mailsTo(invitee.email)).toEqual([])
    }
    const { users, invited } = await team()
    expect([users.length, invited]).toEqual([rounds, []])
  })
})
