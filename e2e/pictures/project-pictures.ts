import type { Page } from '@playwright/test'
import {
  createProject,
  listProjects,
  type ProjectState,
  renameProject,
  viewProject,
} from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { selectRegion } from '../harness/project-screens.ts'
import type { Translate } from '../harness/texts.ts'
import { delayCalls, failed, loading, type Picture, pageAt, reject, untilSlow } from './picture.ts'

const createPath = '/projects/create'

async function fillProject(page: Page, t: Translate) {
  await page.goto(createPath, { waitUntil: 'networkidle' })
  await page.getByLabel(t(m.projects_name), { exact: true }).fill('Night Market')
  await selectRegion(page)
  const team = page.getByLabel(t(m.projects_team), { exact: true })
  if (await team.count()) await team.selectOption({ index: 1 })
}

/** The list with a search text. */
const searched = (name: string, text: string): Picture => ({
  name,
  show: async (page) => {
    await page.goto('/projects', { waitUntil: 'networkidle' })
    await page.getByRole('searchbox').fill(text)
  },
})

/** For a user with projects; `keyOf` gives the key of a project by state. */
export const projectPictures = (keyOf: (state: ProjectState) => string): Picture[] => [
  pageAt('projects', '/projects'),
  searched('projects-searched', 'mill'),
  searched('projects-nothing-found', 'no such project'),
  {
    name: 'projects-banner',
    show: async (page) => {
      await page.evaluate(() => localStorage.removeItem('openAlphaAgreed'))
      await page.goto('/projects')
      await page.getByRole('rowheader').first().waitFor()
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => localStorage.setItem('openAlphaAgreed', 'yes'))
    },
  },
  loading('projects-loading', '/projects', listProjects),
  failed('projects-failed', '/projects', listProjects),
  pageAt('create', createPath),
  {
    name: 'create-errors',
    show: async (page, t) => {
      await page.getByLabel(t(m.projects_domain_optional)).fill('https://example.org')
      await page.getByRole('button', { name: t(m.projects_create) }).click()
      await page.getByText(t(m.form_enter_name)).waitFor()
    },
  },
  {
    name: 'create-rejected',
    show: async (page, t) => {
      await fillProject(page, t)
      await reject(page, createProject, 409, 'project_limit_reached')
      await page.getByRole('button', { name: t(m.projects_create) }).click()
      await page.getByText(t(m.error_project_limit_reached)).first().waitFor()
    },
  },
  {
    name: 'create-slow',
    delaysMutation: true,
    show: async (page, t) => {
      await fillProject(page, t)
      await delayCalls(page, createProject)
      await page.getByRole('button', { name: t(m.projects_create) }).click()
      await untilSlow(page)
    },
  },
  {
    name: 'create-leaving',
    inWindow: true,
    show: async (page, t) => {
      await fillProject(page, t)
      const navigation = page.getByRole('navigation').first()
      await navigation.getByRole('link', { name: t(m.shell_teams) }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  loading('view-loading', `/projects/view/${keyOf('ready')}`, viewProject),
  failed('view-failed', `/projects/view/${keyOf('ready')}`, viewProject),
  {
    name: 'view-forbidden',
    show: async (page, t) => {
      await reject(page, viewProject, 403, 'forbidden')
      await page.goto(`/projects/view/${keyOf('ready')}`)
      await page.getByText(t(m.error_forbidden)).waitFor()
    },
  },
  ...(
    ['pending', 'creating', 'modifying', 'failed_creating', 'deleting', 'deleted', 'ready'] as const
  ).map((state) => pageAt(`view-${state}`, `/projects/view/${keyOf(state)}`)),
  {
    name: 'logs',
    path: `/projects/view/${keyOf('ready')}/logs`,
    show: async (page) => {
      // The stream of the log never lets the network be idle.
      await page.goto(`/projects/view/${keyOf('ready')}/logs`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.locator('main .animate-shimmer').first().waitFor({ state: 'detached' })
    },
  },
  pageAt('settings', `/projects/view/${keyOf('ready')}/settings`),
  pageAt('traffic', `/projects/view/${keyOf('ready')}/traffic`),
  {
    name: 'view-menu',
    show: async (page, t) => {
      await page.goto(`/projects/view/${keyOf('ready')}`, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: t(m.projects_menu) }).click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'view-delete',
    inWindow: true,
    show: async (page, t) => {
      await page.getByRole('menuitem', { name: t(m.projects_delete) }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  pageAt('releases', `/projects/view/${keyOf('ready')}/releases`),
  {
    name: 'view-editing',
    show: async (page, t) => {
      await page.goto(`/projects/view/${keyOf('ready')}`, { waitUntil: 'networkidle' })
      const label = t(m.projects_domain)
      await page.getByRole('button', { name: t(m.shell_edit, { label }) }).click()
      await page.getByRole('textbox', { name: label }).fill('https://example.org')
      await page.getByRole('button', { name: t(m.shell_save) }).click()
      await page.getByText(t(m.form_enter_domain)).waitFor()
    },
  },
  {
    name: 'view-saving-failed',
    show: async (page, t) => {
      await page.goto(`/projects/view/${keyOf('ready')}`, { waitUntil: 'networkidle' })
      await reject(page, renameProject, 503, 'unavailable')
      const label = t(m.projects_name)
      await page.getByRole('button', { name: t(m.shell_edit, { label }) }).click()
      await page.getByRole('textbox', { name: label }).fill('Another name')
      await page.getByRole('button', { name: t(m.shell_save) }).click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  pageAt('view-missing', '/projects/view/no-such-project'),
]

/** For a user with hundreds of projects. */
export const manyProjectsPictures: Picture[] = [
  {
    name: 'projects-many',
    inWindow: true,
    show: async (page) => {
      await page.goto('/projects', { waitUntil: 'networkidle' })
      await page.getByRole('rowheader').first().waitFor()
      await page.mouse.wheel(0, 4000)
      await page.waitForTimeout(300)
    },
  },
]

/** For a user without projects. */
export const noProjectsPictures: Picture[] = [pageAt('projects-empty', '/projects')]
