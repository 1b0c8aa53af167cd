import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { signIn } from './auth-screens.ts'
import { insertProject, type TestDatabase } from './database.ts'
import type { Translate } from './texts.ts'
import { ownTeam, type TestUser } from './user.ts'

type Given = Omit<Parameters<typeof insertProject>[1], 'teamId' | 'state'> & {
  state?: Parameters<typeof insertProject>[1]['state']
}

/** Stores a project of the user's own team; gives it. Without a state it has failed, and stays so. */
export async function insertOwnProject(database: TestDatabase, user: TestUser, given: Given = {}) {
  const { id: teamId } = await ownTeam(user)
  return insertProject(database, { state: 'failed_creating', ...given, teamId })
}

/** The same, and the user opens its page. */
export async function openOwnProject(
  page: Page,
  database: TestDatabase,
  user: TestUser,
  given: Given = {},
) {
  const project = await insertOwnProject(database, user, given)
  await signIn(page, user)
  await page.goto(`/projects/view/${project.key}`)
  return project
}

/** The button that starts editing a field of the page. */
export const editButton = (page: Page, t: Translate, label: string) =>
  page.getByRole('button', { name: t(m.shell_edit, { label }) })

/** Starts editing a field; gives where it is typed. */
export async function edit(page: Page, t: Translate, label: string) {
  await editButton(page, t, label).click()
  return page.getByRole('textbox', { name: label })
}

/** Opens the question whether the project is to be deleted; gives it. */
export async function openDeleteDialog(page: Page, t: Translate) {
  await page.getByRole('button', { name: t(m.projects_menu) }).click()
  await page.getByRole('menuitem', { name: t(m.projects_delete) }).click()
  return page.getByRole('alertdialog')
}

/** A row of the project list: the project of that name. */
export const projectRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
