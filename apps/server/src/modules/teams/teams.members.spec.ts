import { createAuthorizationCode } from '@slipway/contract/login-provider'
import { createProject, listProjects, renameProject, viewProject } from '@slipway/contract/projects'
import { leaveTeam, listTeams, removeFromTeam, viewTeam } from '@slipway/contract/teams'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../context.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { type EventRecorder, recordEvents } from '../../testing/event-recorder.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { projects } from '../projects/projects.schema.ts'
import { teams } from './teams.schema.ts'

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

async function newTeam() {
  const [owner, member] = [await world.user(), await world.user()]
  await world.join(member, owner.teamId)
  await events.take()
  return { owner, member, teamId: owner.teamId }
}

const membershipEvents = (teamId: string, userId: string) => [
  { kind: 'Team', data: { type: 'Updated', teamId } },
  { kind: 'User', data: { type: 'Updated', userId } },
]

const signIn = ({ call }: TestUser, key: string) =>
  call(createAuthorizationCode, {
    body: {
      client_id: key,
      redirect_uri: `http://${key}.localhost:${world.env.SITES_PORT}/`,
      response_type: 'code',
    },
  })

describe(title(removeFromTeam), () => {
  const remove = ({ call }: TestUser, teamId: string, userId: string) =>
    call(removeFromTeam, { params: { teamId }, query: { userId } })

  it('removes a member and publishes an event to the team and the member', async () => {
    const { owner, member, teamId } = await newTeam()
    await remove(owner, teamId, member.id)
    const { users } = await owner.call(viewTeam, { params: { id: teamId } })
    expect(users).toEqual([])
    expect((await member.call(listTeams)).map(({ id }) => id)).toEqual([member.teamId])
    expect(await events.take()).toEqual(membershipEvents(teamId, member.id))
  })

  it('ends the member’s access to the team’s projects at once, on every server', async () => {
    const { owner, member, teamId } = await newTeam()
    const { id, key } = await world.project({ teamId })
    const otherServer = world.client(member.token, 'en', await world.anotherApp())
    for (const call of [member.call, otherServer]) expect(await call(listProjects)).toHaveLength(1)
    await signIn(member, key)
    await remove(owner, teamId, member.id)
    for (const call of [member.call, otherServer]) {
      const user = { ...member, call }
      expect(await call(listProjects)).toEqual([])
      expect(await errorCodeOf(call(viewProject, { params: { key } }))).toBe('project_not_found')
      const rename = call(renameProject, { params: { id }, body: { name: 'Still mine' } })
      expect(await errorCodeOf(rename)).toBe('project_not_found')
      expect(await errorCodeOf(signIn(user, key))).toBe('project_not_found')
      expect(await errorCodeOf(call(viewTeam, { params: { id: teamId } }))).toBe('team_not_found')
    }
    expect(await owner.call(listProjects)).toHaveLength(1)
  })

  it('rejects a concurrent creation of a project that waits for the removal', async () => {
    const { owner, member, teamId } = await newTeam()
    const body = { name: 'Too late', teamId, regionId: 'eu' }
    const lock = (tx: Tx) => tx.select().from(teams).where(eq(teams.id, teamId)).for('update')
    const [removed, created] = await runBehindLock(world, lock, [
      () => remove(owner, teamId, member.id),
      () => errorCodeOf(member.call(createProject, { body })),
    ])
    expect([removed?.status, created]).toEqual([
      'fulfilled',
      { status: 'fulfilled', value: 'team_not_found' },
    ])
    expect(await owner.call(listProjects)).toEqual([])
  })

  it('rejects a concurrent change of a project by the removed member', async () => {
    const { owner, member, teamId } = await newTeam()
    const { id, key } = await world.project({ teamId, name: 'As it was' })
    const lock = (tx: Tx) => tx.select().from(projects).where(eq(projects.id, id)).for('update')
    const [renamed, removed] = await runBehindLock(world, lock, [
      () =>
        errorCodeOf(
          member.call(renameProject, { params: { id }, body: { name: 'Something else' } }),
        ),
      () => remove(owner, teamId, member.id),
    ])
    expect([renamed, removed?.status]).toEqual([
      { status: 'fulfilled', value: 'project_not_found' },
      'fulfilled',
    ])
    expect((await owner.call(viewProject, { params: { key } })).name).toBe('As it was')
  })

  it('returns forbidden for a member, even to remove themselves', async () => {
    const { member, teamId } = await newTeam()
    const { code, status } = await errorOf(remove(member, teamId, member.id))
    expect([code, status]).toEqual(['forbidden', 403])
    expect(await events.take()).toEqual([])
  })

  it('does not remove the owner', async () => {
    const { owner, teamId } = await newTeam()
    const { code, status } = await errorOf(remove(owner, teamId, owner.id))
    expect([code, status]).toEqual(['owner_cannot_leave', 409])
  })

  it('returns item_not_found for a stranger, a malformed id and a removed member', async () => {
    const { owner, member, teamId } = await newTeam()
    const stranger = await world.user()
    for (const id of [stranger.id, 'none', "' or 1=1"])
      expect(await errorCodeOf(remove(owner, teamId, id)), id).toBe('item_not_found')
    await remove(owner, teamId, member.id)
    await events.take()
    expect(await errorCodeOf(remove(owner, teamId, member.id))).toBe('item_not_found')
    expect(await events.take()).toEqual([])
  })

  it('requires the user id', async () => {
    const { owner, teamId } = await newTeam()
    const call = owner.call(removeFromTeam, { params: { teamId }, query: {} as never })
    expect((await errorOf(call)).fields).toEqual({ userId: "This value isn't valid" })
  })
})

describe(title(leaveTeam), () => {
  const leave = ({ call }: TestUser, id: string) => call(leaveTeam, { params: { id } })

  it('removes the caller and publishes an event to the team and the caller', async () => {
    const { owner, member, teamId } = await newTeam()
    const { key } = await world.project({ teamId })
    await leave(member, teamId)
    expect(await events.take()).toEqual(membershipEvents(teamId, member.id))
    expect((await member.call(listTeams)).map(({ id }) => id)).toEqual([member.teamId])
    expect(await errorCodeOf(signIn(member, key))).toBe('project_not_found')
    expect((await owner.call(viewTeam, { params: { id: teamId } })).users).toEqual([])
  })

  it('returns owner_cannot_leave for the owner', async () => {
    const { owner, teamId } = await newTeam()
    expect(await errorCodeOf(leave(owner, teamId))).toBe('owner_cannot_leave')
    expect(await events.take()).toEqual([])
  })

  it('returns team_not_found for a team the caller is not in and a malformed id', async () => {
    const { member, teamId } = await newTeam()
    await leave(member, teamId)
    const stranger = await world.user()
    for (const [user, id] of [
      [member, teamId],
      [stranger, teamId],
      [member, 'none'],
    ] as const)
      expect(await errorCodeOf(leave(user, id))).toBe('team_not_found')
  })
})
