import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { storeSession } from './auth-screens.ts'
import { insertProject, type TestDatabase } from './database.ts'
import type { Translate } from './texts.ts'
import { ownTeam, type TestUser } from './user.ts'

type ProjectValues = Omit<Parameters<typeof insertProject>[1], 'teamId' | 'state'> & {
  state?: Parameters<typeof insertProject>[1]['state']
}

/** Inserts a project of the user's own team; by default a failed one, which stays as it is. */
export async function insertOwnProject(
  database: TestDatabase,
  user: TestUser,
  values: ProjectValues = {},
) {
  const { id: teamId } = await ownTeam(user)
  return insertProject(database, { state: 'failed_creating', ...values, teamId })
}

/** Selects a region in the form of a new project. */
export const selectRegion = (page: Page, id = 'eu') =>
  page
    .locator('label')
    .filter({ has: page.locator(`[type=radio][value=${id}]`) })
    .click()

/** Inserts a project, signs the user in and opens its page. */
export async function openOwnProject(
  page: Page,
  database: TestDatabase,
  user: TestUser,
  values: ProjectValues = {},
) {
  const project = await insertOwnProject(database, user, values)
  await storeSession(page, user)
  await page.goto(`/projects/view/${project.key}`)
  return project
}

export const editButton = (page: Page, t: Translate, label: string) =>
  page.getByRole('button', { name: t(m.shell_edit, { label }) })

/** Starts editing a field, and returns its text box. */
export async function edit(page: Page, t: Translate, label: string) {
  await editButton(page, t, label).click()
  return page.getByRole('textbox', { name: label })
}

export async function openDeleteDialog(page: Page, t: Translate) {
  await page.getByRole('button', { name: t(m.projects_menu) }).click()
  await page.getByRole('menuitem', { name: t(m.projects_delete) }).click()
  return page.getByRole('alertdialog')
}

export const projectRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

/** A release in the list of the newest ones, on the page of its project. */
export const recentRelease = (page: Page, t: Translate, number: number) =>
  page
    .getByRole('region', { name: t(m.release_title) })
    .getByRole('listitem')
    .filter({ hasText: t(m.release_number, { number }) })
