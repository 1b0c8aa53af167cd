import { createProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { addCard, cards, overviewPath } from '../harness/billing-screens.ts'
import { insertOwnProject, projectRow, selectRegion } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { openTicket } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'

test.describe('a list that is not empty', () => {
  test('the project list links to the create page', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    await insertOwnProject(database, user, { name: 'First Shop' })
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(projectRow(page, 'First Shop')).toBeVisible()
    await page.getByRole('link', { name: t(m.projects_create), exact: true }).click()
    await expect(heading(page, t(m.projects_create_title))).toBeVisible()
    await expect(page).toHaveURL('/projects/create')
  })

  test('the ticket list links to the create page', async ({ page, t, newUser }) => {
    const user = await newUser()
    await openTicket(user, { subject: 'First question' })
    await storeSession(page, user)
    await page.goto('/support/tickets')
    await expect(page.getByRole('link', { name: 'First question' })).toBeVisible()
    await page.getByRole('link', { name: t(m.support_create), exact: true }).click()
    await expect(heading(page, t(m.support_create_title))).toBeVisible()
    await expect(page).toHaveURL('/support/tickets/create')
  })

  test('the card list links to the page that adds a card', async ({ page, t, newUser }) => {
    const user = await newUser()
    await addCard(user)
    await storeSession(page, user)
    await page.goto(overviewPath)
    await expect(cards(page, t)).toHaveCount(1)
    await page.getByRole('link', { name: t(m.cards_add), exact: true }).click()
    await expect(heading(page, t(m.cards_add_title))).toBeVisible()
    await expect(page).toHaveURL('/account/billing/payment-methods/add')
  })
})

test.describe('a project that was just created', () => {
  test('replaces the form in the history, so Back skips it', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await page.getByRole('link', { name: t(m.projects_create), exact: true }).click()
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('History Shop')
    await selectRegion(page)
    const created = page.waitForResponse(`**/api${createProject.path}`)
    await page.getByRole('button', { name: t(m.projects_create) }).click()
    const { key } = await (await created).json()
    await expect(page).toHaveURL(`/projects/view/${key}`)
    await expect(heading(page, 'History Shop')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/projects')
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })
})
