import { day } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertInvoice, payPath } from '../harness/invoice-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { openTicket } from '../harness/support-screens.ts'
import { invite } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'

test.describe('the first page', () => {
  test('begins with what waits for the user, each with its link', async ({
    page,
    t,
    newUser,
    database,
    operator,
  }) => {
    const [user, other] = [await newUser(), await newUser()]
    await insertInvoice(database, user, { age: 2 * day })
    const failed = await insertOwnProject(database, user, { state: 'failed_creating' })
    await invite(other, user)
    const ticket = await openTicket(user)
    await operator(replyToTicket, { params: { id: ticket.id }, body: { text: 'A reply.' } })
    await storeSession(page, user)
    await page.goto('/projects')

    const lines = page.getByRole('region', { name: t(m.needs_title) }).getByRole('listitem')
    await expect(lines).toHaveCount(4)
    await expect(lines.nth(1)).toContainText(t(m.needs_project_failed, { name: failed.name ?? '' }))
    await expect(lines.nth(2)).toContainText(t(m.shell_invitations_waiting, { count: 1 }))
    await expect(lines.nth(3)).toContainText(t(m.shell_replies_waiting, { count: 1 }))
    await expectAccessible(page)
    await lines.first().getByRole('link').click()
    await expect(page).toHaveURL(new RegExp(`${payPath}$`))
  })

  test('shows three steps to a user without a project, and nothing that waits', async ({
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
    await expectAccessible(page)
    await steps.nth(2).getByRole('link').click()
    await expect(page).toHaveURL(`/projects/view/${key}/domains`)
    await page.goBack()
    await page.getByRole('button', { name: t(m.shell_dismiss) }).click()
    await expect(steps).toHaveCount(0)
    await expect(heading(page, t(m.projects_title))).toBeFocused()
  })
})
