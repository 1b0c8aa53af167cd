import { createProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { addCard, cards, overviewPath } from '../harness/billing-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { heading, projectRow, signIn } from '../harness/screens.ts'
import { openTicket } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'

test.describe('whoever has one already', () => {
  test('is led from the projects to another one', async ({ page, say, newPerson, database }) => {
    const person = await newPerson()
    await insertOwnProject(database, person, { name: 'First Shop' })
    await signIn(page, person)
    await page.goto('/projects')
    await expect(projectRow(page, 'First Shop')).toBeVisible()
    await page.getByRole('link', { name: say(m.projects_create), exact: true }).click()
    await expect(heading(page, say(m.projects_create))).toBeVisible()
    await expect(page).toHaveURL('/projects/create')
  })

  test('is led from the tickets to another one', async ({ page, say, newPerson }) => {
    const person = await newPerson()
    await openTicket(person, { subject: 'First question' })
    await signIn(page, person)
    await page.goto('/support/tickets')
    await expect(page.getByRole('link', { name: 'First question' })).toBeVisible()
    await page.getByRole('link', { name: say(m.support_create), exact: true }).click()
    await expect(heading(page, say(m.support_create))).toBeVisible()
    await expect(page).toHaveURL('/support/tickets/create')
  })

  test('is led from the cards to another one', async ({ page, say, newPerson }) => {
    const person = await newPerson()
    await addCard(person)
    await signIn(page, person)
    await page.goto(overviewPath)
    await expect(cards(page, say)).toHaveCount(1)
    await page.getByRole('link', { name: say(m.cards_add), exact: true }).click()
    await expect(heading(page, say(m.cards_add))).toBeVisible()
    await expect(page).toHaveURL('/account/billing/payment-methods/add')
  })
})

test.describe('a project that was just created', () => {
  test('has taken the place of the form: going back leads to what was before that', async ({
    page,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    await page.goto('/projects')
    await page.getByRole('link', { name: say(m.projects_create), exact: true }).click()
    await page.getByLabel(say(m.projects_name), { exact: true }).fill('History Shop')
    await page.getByLabel(say(m.projects_region)).selectOption('eu')
    const created = page.waitForResponse(`**/api${createProject.path}`)
    await page.getByRole('button', { name: say(m.projects_create) }).click()
    const { key } = await (await created).json()
    await expect(page).toHaveURL(`/projects/view/${key}`)
    await expect(heading(page, 'History Shop')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/projects')
    await expect(heading(page, say(m.projects_title))).toBeVisible()
  })
})
