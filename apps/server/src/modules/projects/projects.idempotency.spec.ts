import {
  createProject,
  deleteProject,
  listProjects,
  renameProject,
} from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, refused } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { teamMembers } from '../teams/teams.schema.ts'
import { projects } from './projects.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const form = (more: { teamId: TeamId; domain?: string; idempotencyKey?: string }) => ({
  body: { name: 'My site', regionId: 'eu', domain: null, ...more },
})

describe('a creation that is sent again with its idempotency key', () => {
  const idempotencyKey = () => crypto.randomUUID()

  it('answers with the project of the first time, whatever became of it since', async () => {
    const { call, teamId } = await world.user()
    const same = form({ teamId, domain: 'once.example.com', idempotencyKey: idempotencyKey() })
    const first = await call(createProject, same)
    expect(await call(createProject, same)).toEqual(first)
    const renamed = await call(renameProject, { params: { id: first.id }, body: { name: 'New' } })
    expect(await call(createProject, same)).toEqual(renamed)
    expect(await call(listProjects)).toHaveLength(1)
  })

  it('makes one project when it is sent to two servers at once, again and again', async () => {
    const other = await world.anotherApp()
    for (let round = 0; round < 20; round++) {
      const { call, teamId, token } = await world.user()
      const domain = `round-${round}.example.com`
      const same = form({ teamId, domain, idempotencyKey: idempotencyKey() })
      const there = world.client(token, 'en', other)
      const answers = await Promise.all(
        [call, there, call, there].map((send) => send(createProject, same)),
      )
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      expect(await call(listProjects)).toHaveLength(1)
    }
  })

  it('answers also when the limit is reached meanwhile', async () => {
    const { call, teamId } = await world.user()
    const same = form({ teamId, idempotencyKey: idempotencyKey() })
    const { id } = await call(createProject, same)
    for (let number = 1; number < 10; number++) await world.project({ teamId })
    expect(await refusal(call(createProject, form({ teamId })))).toBe('project_limit_reached')
    expect((await call(createProject, same)).id).toBe(id)
  })

  it('makes one project when two teams are named at once, and none where the user is no more', async () => {
    const other = await world.anotherApp()
    const person = await world.user()
    const host = await world.user()
    await world.join(person, host.teamId)
    const there = world.client(person.token, 'en', other)
    for (let round = 0; round < 20; round++) {
      const key = idempotencyKey()
      const sent = (teamId: TeamId) => form({ teamId, idempotencyKey: key })
      const answers = await Promise.all([
        person.call(createProject, sent(person.teamId)),
        there(createProject, sent(host.teamId)),
      ])
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      const [{ id }] = answers
      await person.call(deleteProject, { params: { id } })
      await world.ctx.db.update(projects).set({ state: 'deleted' }).where(eq(projects.id, id))
    }

    const left = form({ teamId: host.teamId, idempotencyKey: idempotencyKey() })
    await person.call(createProject, left)
    await world.ctx.db
      .delete(teamMembers)
      .where(and(eq(teamMembers.teamId, host.teamId), eq(teamMembers.userId, person.id)))
    expect(await refusal(person.call(createProject, left))).toBe('team_not_found')
    const moved = form({ teamId: person.teamId, idempotencyKey: left.body.idempotencyKey })
    expect(await refusal(person.call(createProject, moved))).toBe('team_not_found')
  })

  it("is nobody else's: another user's same key makes a project of theirs", async () => {
    const [one, two] = [await world.user(), await world.user()]
    const key = idempotencyKey()
    const first = await one.call(createProject, form({ teamId: one.teamId, idempotencyKey: key }))
    const second = await two.call(createProject, form({ teamId: two.teamId, idempotencyKey: key }))
    expect(second.id).not.toBe(first.id)
  })

  it('is not taken with a key that is no UUID', async () => {
    const { call, teamId } = await world.user()
    const wrong = form({ teamId, idempotencyKey: 'again' })
    expect((await refused(call(createProject, wrong))).code).toBe('validation_error')
  })
})
