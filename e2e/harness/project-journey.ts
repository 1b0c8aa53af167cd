import { existsSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { listProjects, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { createLayout } from '../../apps/server/src/engines/hosting/local/files/layout.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { expectAccessible } from './accessibility.ts'
import { storeSession } from './auth-screens.ts'
import { openDeleteDialog, selectRegion } from './project-screens.ts'
import { heading } from './shell-screens.ts'
import { expect } from './test.ts'
import type { Translate } from './texts.ts'
import type { TestUser } from './user.ts'

/** What the steps of a journey get of the server. */
type Service = { sitesPort: number; dataDir: string }

const expectState = (page: Page, text: string) =>
  expect(page.getByRole('main').getByText(text, { exact: true }).first()).toBeVisible()

/** Creates a project by the form of the console, and waits until it is ready. */
export async function createByForm(
  page: Page,
  t: Translate,
  user: TestUser,
  { name, runtime }: { name: string; runtime: string },
): Promise<Project> {
  await storeSession(page, user)
  await page.goto(`${user.serverUrl}/projects/create`)
  await page.getByRole('main').getByText(runtime, { exact: true }).click()
  await page.getByLabel(t(m.projects_name), { exact: true }).fill(name)
  await selectRegion(page)
  await page.getByRole('button', { name: t(m.projects_create) }).click()
  await expect(heading(page, name)).toBeVisible()
  await expectState(page, t(m.projects_state_ready))
  await expectAccessible(page)
  const [project] = await user.call(listProjects)
  if (!project) throw new Error('the project was not created')
  return project
}

async function chooseInMenu(page: Page, t: Translate, entry: string) {
  await page.getByRole('button', { name: t(m.projects_menu) }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Stops, starts and restarts a project by its page, and visits its site after each. */
export async function changePower(
  page: Page,
  t: Translate,
  { sitesPort }: Service,
  { key }: Pick<Project, 'key'>,
) {
  const untilStatus = (status: number) =>
    until(async () => (await sitePage(sitesPort, `${key}.localhost`)).status === status)
  await chooseInMenu(page, t, t(m.projects_stop))
  await page.getByRole('button', { name: t(m.projects_stop_confirm) }).click()
  await expectState(page, t(m.projects_state_stopped))
  await untilStatus(503)
  await page
    .getByRole('main')
    .getByRole('button', { name: t(m.projects_start) })
    .click()
  await expectState(page, t(m.projects_state_ready))
  await untilStatus(200)
  await chooseInMenu(page, t, t(m.projects_restart))
  await expectState(page, t(m.projects_state_ready))
  await untilStatus(200)
}

/** Deletes a project by its page, and waits until none of its files is left. */
export async function deleteProject(
  page: Page,
  t: Translate,
  { dataDir }: Service,
  { key, name }: Pick<Project, 'key' | 'name'>,
) {
  const dialog = await openDeleteDialog(page, t)
  await dialog.getByRole('textbox', { name: t(m.projects_delete_type, { name }) }).fill(name)
  await dialog.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
  const { folder, socketFolder } = createLayout(dataDir).site(key)
  await until(async () => !existsSync(folder) && !existsSync(socketFolder))
}
