import { renameProject, restartProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { insertActivity } from '../harness/activity.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

test.describe('/projects/view/{projectKey}/activity', () => {
  test('names who changed what, adds new changes live, and shows older ones', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id, key, name } = await insertOwnProject(database, user)
    const rename = (after: string) =>
      user.call(renameProject, { params: { id }, body: { name: after } })
    await rename('First name')
    for (let restart = 0; restart < 30; restart++)
      await user.call(restartProject, { params: { id } })
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}/activity`)
    const entries = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.locator('time') })
    await expect(entries).toHaveCount(30)
    const actor = user.name
    await expect(entries.first()).toContainText(t(m.activity_project_restarted, { actor }))
    await expectAccessible(page)

    await rename('Second name')
    await expect(entries.first()).toContainText(
      t(m.activity_project_renamed, { actor, before: 'First name', after: 'Second name' }),
    )
    await page.getByRole('button', { name: t(m.activity_older) }).click()
    await expect(entries).toHaveCount(32)
    await expect(entries.last()).toContainText(
      t(m.activity_project_renamed, { actor, before: name, after: 'First name' }),
    )
    await expect(page.getByRole('button', { name: t(m.activity_older) })).toHaveCount(0)

    // A later change requests the newest entries alone.
    const requests: URL[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.includes('/activity/')) requests.push(url)
    })
    await rename('Third name')
    await expect(entries.first()).toContainText('Third name')
    await expect(entries).toHaveCount(33)
    expect(requests).not.toEqual([])
    expect(requests.filter(({ searchParams }) => searchParams.has('before'))).toEqual([])
  })

  test('says that nothing has happened yet', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user)
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}/activity`)
    await expect(page.getByText(t(m.activity_empty))).toBeVisible()
  })
})

test.describe('/projects', () => {
  test('shows what happened last beside the list from 1,440 px on', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id } = await insertOwnProject(database, user)
    await insertActivity(database, user, 3)
    await user.call(renameProject, { params: { id }, body: { name: 'Old Mill' } })
    await storeSession(page, user)
    const feed = page.getByRole('complementary', { name: t(m.activity_recent) })
    for (const width of [1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/projects')
      await expect(feed.getByRole('link', { name: 'Old Mill' })).toBeVisible()
      const table = page.getByRole('table', { name: t(m.projects_list_caption) })
      const [left, right] = [await table.boundingBox(), await feed.boundingBox()]
      expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await expectAccessible(page)
    await page.setViewportSize({ width: 1439, height: 900 })
    await expect(feed).toHaveCount(0)
  })
})

test.describe('/teams/view/{id}', () => {
  test('shows what happened in the team, with a link to its project', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id, key } = await insertOwnProject(database, user)
    await user.call(renameProject, { params: { id }, body: { name: 'Old Mill' } })
    await storeSession(page, user)
    await page.goto(paths.team((await ownTeam(user)).id))
    const activity = page.getByRole('region', { name: t(m.activity_title) })
    await activity.getByRole('link', { name: 'Old Mill' }).click()
    await expect(page).toHaveURL(new RegExp(key))
  })
})
