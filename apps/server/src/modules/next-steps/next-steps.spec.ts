import { viewNextSteps } from '@slipway/contract/next-steps'
import { inviteToTeam, respondToInvitation } from '@slipway/contract/teams'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { recordDailyActivity } from '../activity/activity.service.ts'
import { domains } from '../domains/domains.schema.ts'
import { projects } from '../projects/projects.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

async function scene() {
  const owner = await world.user()
  const project = await world.project({ teamId: owner.teamId })
  const view = () => owner.call(viewNextSteps, { params: { id: project.id } })
  return { owner, project, view }
}

describe(title(viewNextSteps), () => {
  it('has no step done for a new project', async () => {
    const { view } = await scene()
    expect(await view()).toEqual({ content: false, domain: false, invitation: false })
  })

  it('returns the content as done once a release is live', async () => {
    const { project, view } = await scene()
    await world.ctx.db
      .update(projects)
      .set({ artifact: 'a'.repeat(64) })
      .where(eq(projects.id, project.id))
    expect(await view()).toMatchObject({ content: true })
  })

  it('returns the content as done once a member has signed in to the site', async () => {
    const { owner, project, view } = await scene()
    const otherProject = await world.project({ teamId: owner.teamId })
    const signIn = (id: typeof project.id) =>
      world.ctx.db.transaction((tx) =>
        recordDailyActivity(
          { ...world.ctx, user: { ...owner, verified: true } },
          tx,
          'site_accessed',
          {
            id,
            teamId: owner.teamId,
          },
        ),
      )
    await signIn(otherProject.id)
    expect(await view()).toMatchObject({ content: false })
    await signIn(project.id)
    expect(await view()).toMatchObject({ content: true })
  })

  it('returns the domain as done once it leads to the site', async () => {
    const owner = await world.user()
    const project = await world.project({ teamId: owner.teamId, domain: 'steps.example.com' })
    const view = () => owner.call(viewNextSteps, { params: { id: project.id } })
    const setState = (state: 'pending' | 'active') =>
      world.ctx.db.update(domains).set({ state }).where(eq(domains.projectId, project.id))
    await setState('pending')
    expect(await view()).toMatchObject({ domain: false })
    await setState('active')
    expect(await view()).toMatchObject({ domain: true })
  })

  it('returns the invitation as done while it is open, and once it is accepted', async () => {
    const { owner, view } = await scene()
    const member = await world.user()
    const teamId = owner.teamId
    await owner.call(inviteToTeam, { body: { teamId, email: member.email } })
    expect(await view()).toMatchObject({ invitation: true })
    await member.call(respondToInvitation, { body: { teamId, accept: true } })
    expect(await view()).toMatchObject({ invitation: true })
  })
})
