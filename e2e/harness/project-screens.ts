import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { insertProject, type TestDatabase } from './database.ts'
import { signIn } from './screens.ts'
import type { Say } from './texts.ts'
import { ownTeam, type Person } from './user.ts'

type Given = Omit<Parameters<typeof insertProject>[1], 'teamId' | 'state'> & {
  state?: Parameters<typeof insertProject>[1]['state']
}

/** Stores a project of the person's own team; gives it. Without a state it has failed, and stays so. */
export async function insertOwnProject(database: TestDatabase, person: Person, given: Given = {}) {
  const { id: teamId } = await ownTeam(person)
  return insertProject(database, { state: 'failed_creating', ...given, teamId })
}

/** The same, and the person opens its page. */
export async function openOwnProject(
  page: Page,
  database: TestDatabase,
  person: Person,
  given: Given = {},
) {
  const project = await insertOwnProject(database, person, given)
  await signIn(page, person)
  await page.goto(`/projects/view/${project.key}`)
  return project
}

/** The button that starts editing a field of the page. */
export const editButton = (page: Page, say: Say, label: string) =>
  page.getByRole('button', { name: say(m.shell_edit, { label }) })

/** Starts editing a field; gives where it is typed. */
export async function edit(page: Page, say: Say, label: string) {
  await editButton(page, say, label).click()
  return page.getByRole('textbox', { name: label })
}

/** Opens the question whether the project is to be deleted; gives it. */
export async function askToDelete(page: Page, say: Say) {
  await page.getByRole('button', { name: say(m.projects_menu) }).click()
  await page.getByRole('menuitem', { name: say(m.projects_delete) }).click()
  return page.getByRole('alertdialog')
}
