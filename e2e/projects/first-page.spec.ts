import type { Locator } from '@playwright/test'
import { listActivity } from '@slipway/contract/activity'
import { day } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { insertActivity } from '../harness/activity.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertInvoice, payPath } from '../harness/invoice-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { openTicket } from '../harness/support-screens.ts'
import { invite } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'

test.describe('the first page', () => {
  test('begins with what needs the user, each with its link', async ({
    page,
    t,
    newUser,
    database,
    operator,
  }) => {
    const [user, other] = [await newUser(), await newUser()]
    await insertInvoice(database, user, { age: 2 * day })
    const failed = await insertOwnProject(database, user, { state: 'failed_creating' })
    await insertOwnProject(database, user, { state: 'failed_creating' })
    await invite(other, user)
    const ticket = await openTicket(user)
    await operator(replyToTicket, { params: { id: ticket.id }, body: { text: 'A reply.' } })
    await storeSession(page, user)
    await page.goto('/projects')

    const tasks = page.getByRole('region', { name: t(m.needs_title) })
    const lines = tasks.getByRole('listitem')
    await expect(lines).toHaveCount(3)
    await tasks.getByRole('button', { name: t(m.needs_more, { number: 2 }) }).click()
    await expect(lines).toHaveCount(5)
    await expect(lines.nth(2)).toContainText(t(m.needs_project_failed, { name: failed.name ?? '' }))
    await expect(lines.nth(3)).toContainText(t(m.shell_invitations_waiting, { count: 1 }))
    await expect(lines.nth(4)).toContainText(t(m.shell_replies_waiting, { count: 1 }))
    const labels = [m.needs_pay, m.needs_reason, m.needs_reason, m.needs_review, m.needs_review]
    await expect(lines.getByRole('link')).toHaveText(labels.map((label) => t(label)))
    await expectAccessible(page)
    await lines.first().getByRole('link').click()
    await expect(page).toHaveURL(new RegExp(`${payPath}$`))
  })

  test('shows the first project beside four tasks, on a desktop and on a phone', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const [user, other] = [await newUser(), await newUser()]
    await insertInvoice(database, user, { age: 2 * day })
    for (const name of ['Old Mill', 'Corner Shop']) await insertOwnProject(database, user, { name })
    await invite(other, user)
    await storeSession(page, user)
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      await page.goto('/projects')
      await expect(
        page.getByRole('region', { name: t(m.needs_title) }).getByRole('listitem'),
      ).toHaveCount(4)
      await expect(page.getByRole('rowheader').first()).toBeInViewport({ ratio: 1 })
    }
  })

  test('has one grid: the navigation, the list and the feed end at the same edges', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertOwnProject(database, user)
    await insertActivity(database, user, 3)
    await storeSession(page, user)
    await page.goto('/projects')
    const table = page.getByRole('table', { name: t(m.projects_list_caption) })
    const feed = page.getByRole('complementary', { name: t(m.activity_recent) })
    const create = page.getByRole('link', { name: t(m.projects_create) })
    const brand = page.getByRole('banner').getByRole('link').first()
    const edges = async (part: Locator) => {
      const box = await part.boundingBox()
      return { left: Math.round(box?.x ?? 0), right: Math.round((box?.x ?? 0) + (box?.width ?? 0)) }
    }
    for (const width of [1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      await expect(feed.getByRole('listitem').first()).toBeVisible()
      const grid = await edges(create)
      expect((await edges(feed)).right, `the feed at ${width} px`).toBe(grid.right)
      expect((await edges(table)).right, `the list at ${width} px`).toBeLessThan(
        (await edges(feed)).left,
      )
      // The frame of the table has a border.
      expect((await edges(table)).left - 1).toBe((await edges(brand)).left)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await expect(feed).toHaveCount(0)
    expect((await edges(table)).right + 1, 'the list at 1280 px').toBe((await edges(create)).right)
  })

  test('gives the list the whole width until there are three entries of activity', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertOwnProject(database, user)
    await insertActivity(database, user, 3)
    await page.route(`**/api${listActivity.path}*`, async (route) => {
      const { items } = await (await route.fetch()).json()
      await route.fulfill({ json: { items: items.slice(0, 2), before: null } })
    })
    await page.setViewportSize({ width: 1440, height: 900 })
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(page.getByRole('rowheader')).toBeVisible()
    await expect(page.getByRole('complementary', { name: t(m.activity_recent) })).toHaveCount(0)
    const create = await page.getByRole('link', { name: t(m.projects_create) }).boundingBox()
    const table = await page.getByRole('table').boundingBox()
    expect(Math.round((table?.x ?? 0) + (table?.width ?? 0)) + 1).toBe(
      Math.round((create?.x ?? 0) + (create?.width ?? 0)),
    )
  })

  test('shows three steps to a user without a project, and nothing that needs the user', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(heading(page, t(m.projects_title))).toBeVisible()
    const steps = page.getByRole('list', { name: t(m.first_steps_label) }).getByRole('listitem')
    await expect(steps).toHaveCount(3)
    await expect(page.getByRole('region', { name: t(m.needs_title) })).toHaveCount(0)
  })

  test('ticks off the steps of a user with one project, until the domain leads to it', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user, { state: 'modifying' })
    await storeSession(page, user)
    await page.goto('/projects')
    const steps = page.getByRole('list', { name: t(m.first_steps_label) }).getByRole('listitem')
    await expect(steps).toHaveCount(3)
    await expect(steps.nth(0)).toContainText(t(m.projects_live_done))
    await expect(steps.nth(1)).not.toContainText(t(m.projects_live_done))
    // Above the list.
    const [first, table] = await Promise.all([
      steps.first().boundingBox(),
      page.getByRole('table').boundingBox(),
    ])
    expect(first?.y).toBeLessThan(table?.y ?? 0)
    await expectAccessible(page)
    await steps.nth(2).getByRole('link').click()
    await expect(page).toHaveURL(`/projects/view/${key}/domains`)
    await page.goBack()
    await page.getByRole('button', { name: t(m.shell_dismiss) }).click()
    await expect(steps).toHaveCount(0)
    await expect(heading(page, t(m.projects_title))).toBeFocused()
  })
})
