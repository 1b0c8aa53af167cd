import { listProjects, viewProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { insertActivity } from '../harness/activity.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertProject } from '../harness/database.ts'
import {
  editButton,
  insertOwnProject,
  openOwnProject,
  projectRow,
} from '../harness/project-screens.ts'
import { rejectCalls } from '../harness/rejected-calls.ts'
import { heading } from '../harness/shell-screens.ts'
import { addMember } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam } from '../harness/user.ts'

test.describe('/projects', () => {
  test('shows what to do first when there is no project', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await page.getByRole('link', { name: t(m.projects_create) }).click()
    await expect(page).toHaveURL('/projects/create')
  })

  test('is a table with a header for each column and each row', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    await insertProject(database, { teamId: team.id, state: 'failed_creating', name: 'Old Mill' })
    await insertProject(database, { teamId: team.id, state: 'deleted', name: 'Winter Fair' })
    await storeSession(page, user)
    await page.goto('/projects')
    const table = page.getByRole('table', { name: t(m.projects_list_caption) })
    await expect(table.getByRole('columnheader')).toHaveText([
      t(m.projects_name),
      t(m.projects_state),
      t(m.projects_updated),
      t(m.projects_id),
      t(m.projects_access),
    ])
    const names = table.getByRole('rowheader').getByRole('link')
    await expect(names).toHaveText(['Old Mill'])
    await page.getByRole('button', { name: t(m.projects_deleted_show, { count: 1 }) }).click()
    // The newest project comes first.
    await expect(names).toHaveText(['Winter Fair', 'Old Mill'])
    await expect(projectRow(page, 'Old Mill')).toContainText(t(m.projects_state_failed_creating))
    await expect(projectRow(page, 'Old Mill')).toContainText(t(m.projects_not_created))
    await expect(projectRow(page, 'Winter Fair')).toContainText(t(m.projects_state_deleted))
    await expectAccessible(page)
  })

  test('names the team of each project to a user of several teams', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const [user, owner] = [await newUser(), await newUser({ name: 'Grace Example' })]
    const team = await addMember(owner, user)
    await insertProject(database, { teamId: team.id, state: 'failed_creating', name: 'Old Mill' })
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(page.getByRole('columnheader', { name: t(m.projects_team) })).toBeVisible()
    await expect(projectRow(page, 'Old Mill')).toContainText(team.name)
  })

  test('shows the id and the last change beside the feed, and in a narrow table the change below the state', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const [user, owner] = [await newUser(), await newUser({ name: 'Grace Example' })]
    const team = await addMember(owner, user)
    await insertProject(database, { teamId: team.id, state: 'failed_creating', name: 'Old Mill' })
    await insertActivity(database, user, 3)
    await storeSession(page, user)
    const feed = page.getByRole('complementary', { name: t(m.activity_recent) })
    const updated = page.getByRole('columnheader', { name: t(m.projects_updated) })
    const state = projectRow(page, 'Old Mill').getByRole('cell').first()
    for (const { width, isWideTable } of [
      { width: 1440, isWideTable: true },
      { width: 1280, isWideTable: true },
      { width: 768, isWideTable: false },
    ]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/projects')
      await expect(page.getByRole('columnheader', { name: t(m.projects_id) })).toBeVisible()
      await expect(page.getByRole('columnheader', { name: t(m.projects_team) })).toBeVisible()
      await expect(feed).toHaveCount(width === 1440 ? 1 : 0)
      await expect(updated).toBeVisible({ visible: isWideTable })
      await expect(state.getByRole('time')).toBeVisible({ visible: !isWideTable })
      await expect(projectRow(page, 'Old Mill').getByRole('time')).toHaveCount(1)
    }
  })

  test('begins each row with a tile of the initial', async ({ page, newUser, database }) => {
    const user = await newUser()
    const { id: teamId } = await ownTeam(user)
    await insertProject(database, { teamId, state: 'failed_creating', name: 'Old Mill' })
    await storeSession(page, user)
    await page.goto('/projects')
    const header = projectRow(page, 'Old Mill').getByRole('rowheader')
    const tile = header.locator('[data-initial="O"]')
    const drawn = await tile.evaluate((each) => getComputedStyle(each, '::before').content)
    expect(drawn).toBe('"O"')
    const [tileBox, linkBox] = [
      await tile.boundingBox(),
      await header.getByRole('link').boundingBox(),
    ]
    expect((tileBox?.x ?? 0) + (tileBox?.width ?? 0)).toBeLessThanOrEqual(linkBox?.x ?? 0)
  })

  test('cuts an address at the edge of its line', async ({ page, newUser, database }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user, {
      name: 'Community garden of the old town',
      state: 'ready',
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await storeSession(page, user)
    await page.goto('/projects')
    const line = page.getByTitle(new RegExp(`^${key}\\.`)).getByText(/\.localhost/)
    const isCut = () => line.evaluate((element) => element.scrollWidth > element.clientWidth)
    expect(await isCut()).toBe(true)
    await page.setViewportSize({ width: 1280, height: 844 })
    expect(await isCut()).toBe(false)
  })

  test('warns in the row of a domain that no longer leads to the site, and keeps the address of a stopped one', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id: teamId } = await ownTeam(user)
    const [name, domain] = ['Old Mill', `www.${teamId}.example`]
    await insertProject(database, { teamId, state: 'ready', name, domain })
    await database.pool.query("update domains set state = 'failed' where host = $1", [domain])
    const shop = { teamId, state: 'ready', name: 'Corner Shop', power: 'stopped' } as const
    const { key } = await insertProject(database, shop)
    await storeSession(page, user)
    await page.goto('/projects')
    const problem = t(m.needs_domain_failed, { domain, name })
    await expect(projectRow(page, name).getByTitle(problem)).toContainText(domain)
    await expect(projectRow(page, 'Corner Shop').getByRole('rowheader')).toContainText(`${key}.`)
    await expectAccessible(page)
  })

  test('tells projects with the same name apart by their keys', async ({
    page,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id: teamId } = await ownTeam(user)
    const state = 'failed_creating'
    const shops = [
      await insertProject(database, { teamId, state, name: 'Corner Shop' }),
      await insertProject(database, { teamId, state, name: 'corner shop' }),
    ]
    const museum = await insertProject(database, { teamId, state, name: 'Old Mill' })
    await storeSession(page, user)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto('/projects')
      for (const { key, name } of shops) {
        await expect(page.getByRole('rowheader').filter({ hasText: key })).toContainText(name)
        const link = page.getByRole('link', { name, exact: true, description: key })
        await expect(link).toHaveAttribute('href', `/projects/view/${key}`)
      }
      await expect(page.getByText(museum.key)).toHaveCount(0)
      await expectAccessible(page)
    }
  })

  test('labels the link to the editor as such, and the default URL as the address of the site', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user, {
      state: 'modifying',
      name: 'Old Mill',
    })
    await storeSession(page, user)
    await page.goto('/projects')
    const access = page.getByRole('link', { name: 'Edit Old Mill' })
    // With a mouse the icons appear while the pointer or the focus is on the row.
    await expect(access.locator('xpath=ancestor::td/span/span')).toHaveCSS('opacity', '0')
    await access.focus()
    await expect(access.locator('xpath=ancestor::td/span/span')).toHaveCSS('opacity', '1')
    await expect(access).toHaveAttribute('href', /\/yk\/app\/auth\/oauth\/cloud$/)
    await page.goto(`/projects/view/${key}`)
    await expect(access).toHaveText(/^Edit site/)
    const address = page.getByRole('main').getByRole('link', { name: `${key}.localhost` })
    const siteUrl = new RegExp(`^http://${key}\\.localhost:\\d+/?$`)
    await expect(address).toHaveAttribute('href', siteUrl)
    await page.getByRole('link', { name: t(m.domains_title), exact: true }).click()
    const item = page.getByRole('listitem').filter({ hasText: t(m.projects_default_url) })
    await expect(item.getByRole('link')).toHaveAttribute('href', siteUrl)
  })

  test('opens a project by a click anywhere in its row', async ({ page, newUser, database }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user, { name: 'Old Mill' })
    await storeSession(page, user)
    await page.goto('/projects')
    await projectRow(page, 'Old Mill').click()
    await expect(page).toHaveURL(`/projects/view/${key}`)
  })

  test('is a list of two lines each on a phone, and still a table for screen readers', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const name = 'A project whose name is as long as names become when nobody stops them from it'
    await insertOwnProject(database, user, { name })
    await page.setViewportSize({ width: 390, height: 844 })
    await storeSession(page, user)
    await page.goto('/projects')
    const row = projectRow(page, name)
    await expect(row).toContainText(t(m.projects_state_failed_creating))
    const cells = await row.getByRole('cell').all()
    // The state with the last change; the project's page has the rest.
    expect(cells).toHaveLength(1)
    await expect(row.getByRole('time')).toBeVisible()
    const title = await row.getByRole('rowheader').boundingBox()
    for (const cell of cells) {
      const box = await cell.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual((title?.x ?? 0) + (title?.width ?? 0))
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    }
    await expectAccessible(page)
  })

  test('shows an error that can be retried', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    const { allowAtClick } = await rejectCalls(page, listProjects.path)
    await page.goto('/projects')
    const failure = page.getByRole('alert')
    await expect(failure).toContainText(
      t(m.shell_loading_failed, { item: t(m.projects_item_list) }),
    )
    await expect(failure).toContainText(t(m.error_too_many_requests))
    await expectAccessible(page)
    await allowAtClick(page.getByRole('button', { name: t(m.shell_retry) }))
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  })
})

test.describe('/projects/view/{key}', () => {
  test('leads back to the projects instead of a retry that would fail again', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user)
    await storeSession(page, user)
    await page.route(`**/api${viewProject.path.replace(':key', '*')}`, (route) =>
      route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
    )
    await page.goto(`/projects/view/${key}`)
    const failure = page.getByRole('alert')
    await expect(failure).toContainText(t(m.error_forbidden))
    await expect(page.getByRole('button', { name: t(m.shell_retry) })).toHaveCount(0)
    await expectAccessible(page)
    await failure.getByRole('link', { name: t(m.projects_show_all) }).click()
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })

  test('reports a missing project', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/view/no-such-project')
    await expect(page.getByText(t(m.projects_missing, { key: 'no-such-project' }))).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: t(m.projects_show_all) }).click()
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })

  test("reports another team's project as missing", async ({ page, t, newUser, database }) => {
    const { key } = await insertOwnProject(database, await newUser())
    await storeSession(page, await newUser())
    await page.goto(`/projects/view/${key}`)
    await expect(page.getByText(t(m.projects_missing, { key }))).toBeVisible()
  })

  test('shows a deleted project without actions', async ({ page, t, newUser, database }) => {
    const { name } = await openOwnProject(page, database, await newUser(), { state: 'deleted' })
    await expect(heading(page, name)).toBeVisible()
    await expect(page.getByText(t(m.projects_hint_deleted))).toBeVisible()
    for (const label of [t(m.projects_name), t(m.projects_domain)])
      await expect(editButton(page, t, label)).toBeHidden()
    await expect(page.getByRole('button', { name: t(m.projects_menu) })).toBeHidden()
    await expectAccessible(page)
  })
})

test.describe('/projects/view/{key} in Turkish', () => {
  test.use({ locale: 'tr-TR' })

  test("shows the engine's metadata in Turkish", async ({ page, newUser, database }) => {
    const metadata = [
      { key: 'database_version', value: 'Flat file 1' },
      { key: 'engine', value: 'local' },
    ]
    const { key } = await openOwnProject(page, database, await newUser(), { metadata })
    await page.goto(`/projects/view/${key}/settings`)
    await expect(page.getByRole('definition').filter({ hasText: 'Dosya tabanlı v1' })).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: /^local$/ })).toHaveCount(0)
    await expect(page.getByRole('main')).not.toContainText('Flat file')
  })
})
