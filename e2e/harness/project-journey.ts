import { existsSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { listProjects, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { createLayout } from '../../apps/server/src/engines/hosting/local/files/layout.ts'
import { readProcessRecord } from '../../apps/server/src/engines/hosting/local/process/process-record.ts'
import { processesOf } from '../../apps/server/src/testing/processes.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { expectAccessible } from './accessibility.ts'
import { storeSession } from './auth-screens.ts'
import { openDeleteDialog, recentRelease, selectRegion } from './project-screens.ts'
import { heading } from './shell-screens.ts'
import { expect } from './test.ts'
import type { Translate } from './texts.ts'
import type { TestUser } from './user.ts'

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
  // A site of files is not live before its first release.
  const main = page.getByRole('main')
  const created = main
    .getByText(t(m.projects_state_ready), { exact: true })
    .or(main.getByText(t(m.projects_state_not_live), { exact: true }))
  await expect(created.first()).toBeVisible()
  await expectAccessible(page)
  const [project] = await user.call(listProjects)
  if (!project) throw new Error('the project was not created')
  return project
}

async function chooseInMenu(page: Page, t: Translate, entry: string) {
  await page.getByRole('button', { name: t(m.projects_menu) }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Reads what identifies the start of the program that serves a site; undefined without one. */
export type ReadStart = () => Promise<string | undefined>

/** Restarts a site, and waits until a program with another start serves it. */
export async function expectRestart(readStart: ReadStart | null, restart: () => Promise<unknown>) {
  if (!readStart) return void (await restart())
  const previous = await until(readStart)
  await restart()
  await until(async () => ![previous, undefined].includes(await readStart()))
}

/** The start of the program in the engine's record, for a site whose pages do not show it. */
export const recordedStart =
  ({ dataDir, sitesPort }: Service, { key }: Pick<Project, 'key'>): ReadStart =>
  async () => {
    // A site that sleeps has no record.
    await sitePage(sitesPort, `${key}.localhost`)
    return (await readProcessRecord(createLayout(dataDir).site(key).process))?.startTime
  }

/**
 * Stops, starts and restarts a project by its page, and visits its site after each. Static files
 * have no program, so `readStart` is null.
 */
export async function changePower(
  page: Page,
  t: Translate,
  { sitesPort }: Service,
  { key }: Pick<Project, 'key'>,
  readStart: ReadStart | null,
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
  await expectRestart(readStart, async () => {
    await chooseInMenu(page, t, t(m.projects_restart))
    await expectState(page, t(m.projects_state_ready))
  })
  await untilStatus(200)
}

/** Rolls a project back to a release by the list of its releases, and waits until it is done. */
export async function rollBack(
  page: Page,
  t: Translate,
  { key }: Pick<Project, 'key'>,
  { to, number }: { to: number; number: number },
) {
  await page.goto(new URL(paths.releases(key), page.url()).href)
  await page
    .getByRole('button', { name: t(m.release_roll_back_named, { number: to }), exact: true })
    .click()
  await expect(page.getByRole('status').getByText(t(m.release_live_now, { number }))).toBeAttached()
  await page.getByRole('link', { name: t(m.projects_tab_overview), exact: true }).click()
  await expect(recentRelease(page, t, number)).toContainText(t(m.release_state_live))
}

export async function untilAsleep({ dataDir }: Service, { key }: Pick<Project, 'key'>) {
  const { asleep, folder } = createLayout(dataDir).site(key)
  await until(async () => existsSync(asleep) && (await processesOf(folder)).length === 0)
}

export async function deleteProject(page: Page, t: Translate, { name }: Pick<Project, 'name'>) {
  const dialog = await openDeleteDialog(page, t)
  await dialog.getByRole('textbox', { name: t(m.projects_delete_type, { name }) }).fill(name)
  await dialog.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
  await expectState(page, t(m.projects_state_deleted))
}
