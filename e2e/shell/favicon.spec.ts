import { deleteProject, listProjects, type ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { insertProject } from '../harness/database.ts'
import { alertIcon, defaultIcon, favicon } from '../harness/favicon.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

test.describe('the favicon', () => {
  test("has a red dot while a project's creation has failed", async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    const state = 'failed_creating'
    const { key } = await insertProject(database, { teamId: team.id, state, name: 'Old Mill' })
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(page.getByRole('row').filter({ hasText: 'Old Mill' })).toBeVisible()
    await expect(favicon(page)).toHaveAttribute('href', alertIcon)
    await expect(page).toHaveTitle(`${t(m.projects_title)} · Slipway`)
    const [project] = await user.call(listProjects)
    expect(project?.key).toBe(key)
    await user.call(deleteProject, { params: { id: project?.id as ProjectId } })
    await expect(favicon(page)).toHaveAttribute('href', defaultIcon)
  })
})
