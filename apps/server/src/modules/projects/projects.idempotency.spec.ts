import {
  createProject,
  deleteProject,
  listProjects,
  renameProject,
} from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { teamMembers } from '../teams/teams.schema.ts'
import { projects } from './projects.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const form = (overrides: { teamId: TeamId; domain?: string; idempotencyKey?: string }) => ({
  body: { name: 'My site', regionId: 'eu', domain: null, ...overrides },
})

describe(`${title(createProject)} with an idempotency key`, () => {
  const idempotencyKey = () => crypto.randomUUID()

  it('returns the project of the first request, with its changes since', async () => {
    const { call, teamId } = await world.user()
    const request = form({ teamId, domain: 'once.example.com', idempotencyKey: idempotencyKey() })
    const first = await call(createProject, request)
    expect(await call(createProject, request)).toEqual(first)
    const renamed = await call(renameProject, { params: { id: first.id }, body: { name: 'New' } })
    expect(await call(createProject, request)).toEqual(renamed)
    expect(await call(listProjects)).toHaveLength(1)
  })

  it('creates one project when two servers receive the same request at once', async () => {
    const otherApp = await world.anotherApp()
    for (let round = 0; round < 20; round++) {
      const { call, teamId, token } = await world.user()
      const domain = `round-${round}.example.com`
      const request = form({ teamId, domain, idempotencyKey: idempotencyKey() })
      const callOther = world.client(token, 'en', otherApp)
      const responses = await Promise.all(
        [call, callOther, call, callOther].map((send) => send(createProject, request)),
      )
      expect(new Set(responses.map(({ id }) => id)).size).toBe(1)
      expect(await call(listProjects)).toHaveLength(1)
    }
  })

  it('returns the first project even when the project limit is reached since', async () => {
    const { call, teamId } = await world.user()
    const request = form({ teamId, idempotencyKey: idempotencyKey() })
    const { id } = await call(createProject, request)
    for (let number = 1; number < 10; number++) await world.project({ teamId })
    expect(await errorCodeOf(call(createProject, form({ teamId })))).toBe('project_limit_reached')
    expect((await call(createProject, request)).id).toBe(id)
  })

  it('creates one project when requests name two teams at once, and none in a team that the user left', async () => {
    const otherApp = await world.anotherApp()
    const member = await world.user()
    const owner = await world.user()
    await world.join(member, owner.teamId)
    const callOther = world.client(member.token, 'en', otherApp)
    for (let round = 0; round < 20; round++) {
      const key = idempotencyKey()
      const sent = (teamId: TeamId) => form({ teamId, idempotencyKey: key })
      const responses = await Promise.all([
        member.call(createProject, sent(member.teamId)),
        callOther(createProject, sent(owner.teamId)),
      ])
      expect(new Set(responses.map(({ id }) => id)).size).toBe(1)
      const [{ id }] = responses
      await member.call(deleteProject, { params: { id } })
      await world.ctx.db.update(projects).set({ state: 'deleted' }).where(eq(projects.id, id))
    }

    const formOfLeaver = form({ teamId: owner.teamId, idempotencyKey: idempotencyKey() })
    await member.call(createProject, formOfLeaver)
    await world.ctx.db
      .delete(teamMembers)
      .where(and(eq(teamMembers.teamId, owner.teamId), eq(teamMembers.userId, member.id)))
    expect(await errorCodeOf(member.call(createProject, formOfLeaver))).toBe('team_not_found')
    const moved = form({ teamId: member.teamId, idempotencyKey: formOfLeaver.body.idempotencyKey })
    expect(await errorCodeOf(member.call(createProject, moved))).toBe('team_not_found')
  })

  it('creates another project when another user sends the same key', async () => {
    const [firstUser, secondUser] = [await world.user(), await world.user()]
    const key = idempotencyKey()
    const first = await firstUser.call(
      createProject,
      form({ teamId: firstUser.teamId, idempotencyKey: key }),
    )
    const second = await secondUser.call(
      createProject,
      form({ teamId: secondUser.teamId, idempotencyKey: key }),
    )
    expect(second.id).not.toBe(first.id)
  })

  it('is rejected with a key that is not a UUID', async () => {
    const { call, teamId } = await world.user()
    const wrong = form({ teamId, idempotencyKey: 'again' })
    expect((await errorOf(call(createProject, wrong))).code).toBe('validation_error')
  })
})
