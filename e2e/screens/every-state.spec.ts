import type { Page } from '@playwright/test'
import { listDomains } from '@slipway/contract/domains'
import { listEnvironment } from '@slipway/contract/environment'
import { listInvoices, listUnpaidInvoices } from '@slipway/contract/invoices'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import { listPersonalTokens } from '@slipway/contract/personal-tokens'
import { listProjects, viewProject } from '@slipway/contract/projects'
import { listReleases } from '@slipway/contract/releases'
import { listTickets, viewTicket } from '@slipway/contract/support'
import { listInvitations, viewTeam } from '@slipway/contract/teams'
import { viewTraffic } from '@slipway/contract/traffic'
import { m } from '@slipway/phrases'
import { expectAccessible, expectContrastInLight } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import {
  addCard,
  cardName,
  cardNumbers,
  menuButton,
  overviewPath,
} from '../harness/billing-screens.ts'
import type { TestDatabase } from '../harness/database.ts'
import { payPath } from '../harness/invoice-screens.ts'
import { edit, insertOwnProject, openDeleteDialog } from '../harness/project-screens.ts'
import { ticketPath } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import type { TestUser } from '../harness/user.ts'

type Screen = {
  /** `KEY` stands for the key of a project. */
  path: string
  call: { path: string }
  /** The text for a user without data; without one the screen has no such state. */
  empty?: (t: Translate) => string
}

const screens: Screen[] = [
  { path: '/projects', call: listProjects, empty: (t) => t(m.projects_empty) },
  { path: '/projects/view/any', call: viewProject },
  {
    path: '/teams/invitations',
    call: listInvitations,
    empty: (t) => t(m.teams_invitations_empty),
  },
  { path: '/teams/view/any', call: viewTeam },
  { path: '/support/tickets', call: listTickets, empty: (t) => t(m.support_empty) },
  { path: ticketPath('any'), call: viewTicket },
  { path: overviewPath, call: listPaymentMethods, empty: (t) => t(m.cards_empty) },
  { path: '/account/billing/invoices', call: listInvoices, empty: (t) => t(m.invoices_empty) },
  { path: payPath, call: listUnpaidInvoices },
  { path: '/account/tokens', call: listPersonalTokens, empty: (t) => t(m.tokens_none) },
]

/** Screens of a project. Separate, because the empty project list needs a user without projects. */
const projectScreens: Screen[] = [
  {
    path: '/projects/view/KEY/releases',
    call: listReleases,
    empty: (t) => t(m.release_none),
  },
  {
    path: '/projects/view/KEY/domains',
    call: listDomains,
    empty: (t) => t(m.domains_add_title),
  },
  {
    path: '/projects/view/KEY/settings',
    call: listEnvironment,
    empty: (t) => t(m.environment_none),
  },
  {
    path: '/projects/view/KEY/traffic',
    call: viewTraffic,
    empty: (t) => t(m.traffic_none),
  },
]

/** Inserts a project of the user, and returns its screens. */
async function projectScreensOf(user: TestUser, database: TestDatabase): Promise<Screen[]> {
  const { key } = await insertOwnProject(database, user)
  return projectScreens.map((screen) => ({ ...screen, path: screen.path.replace('KEY', key) }))
}

/** All screens; inserts a project for those that need one. */
const allScreensOf = async (user: TestUser, database: TestDatabase) => [
  ...screens,
  ...(await projectScreensOf(user, database)),
]

const urlPattern = ({ call }: Screen) => `**/api${call.path.replace(/:\w+/g, '*')}*`

async function expectAccessibleInBothModes(page: Page) {
  await expectAccessible(page)
  await expectContrastInLight(page)
}

// every-screen.spec.ts tests the screens with data, and the pages that are not found.
test.describe('every state of every screen is accessible, dark and light', () => {
  test.use({ colorScheme: 'dark', hasTouch: true, viewport: { width: 390, height: 844 } })

  test('while loading', async ({ page, newUser, database }) => {
    const user = await newUser()
    await storeSession(page, user)
    for (const screen of await allScreensOf(user, database)) {
      await page.route(urlPattern(screen), () => undefined)
      await page.goto(screen.path)
      // A phone hides the avatars of members.
      const shapes = page.locator('.animate-shimmer').filter({ visible: true })
      await expect(shapes.first()).toBeVisible()
      await expectAccessibleInBothModes(page)
      await page.unroute(urlPattern(screen))
    }
  })

  test('after a failed request', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    await storeSession(page, user)
    for (const screen of await allScreensOf(user, database)) {
      await page.route(urlPattern(screen), (route) =>
        route.fulfill({ status: 429, json: { code: 429, error: 'too_many_requests' } }),
      )
      await page.goto(screen.path)
      await expect(page.getByRole('main').getByRole('alert').first()).toContainText(
        t(m.error_too_many_requests),
      )
      await expect(page.getByRole('button', { name: t(m.shell_retry) })).toBeVisible()
      await expectAccessibleInBothModes(page)
      await page.unroute(urlPattern(screen))
    }
  })

  test('while empty', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    await storeSession(page, user)
    const check = async ({ path, empty }: Screen) => {
      if (!empty) return
      await page.goto(path)
      await expect(page.getByText(empty(t), { exact: true })).toBeVisible()
      await expectAccessibleInBothModes(page)
    }
    for (const screen of screens) await check(screen)
    for (const screen of await projectScreensOf(user, database)) await check(screen)
  })

  test('with open menus, dialogs and forms', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const project = await insertOwnProject(database, user)
    await addCard(user)
    await addCard(user, cardNumbers.troy)
    await storeSession(page, user)
    await page.goto(`/projects/view/${project.key}`)
    for (const name of [m.shell_user_menu, m.shell_language, m.shell_color_mode, m.projects_menu]) {
      await page.getByRole('button', { name: t(name), exact: true }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessibleInBothModes(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toBeHidden()
    }
    await openDeleteDialog(page, t)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectAccessibleInBothModes(page)
    await page.keyboard.press('Escape')
    await (await edit(page, t, t(m.projects_name))).fill('ab')
    await page.keyboard.press('Enter')
    await expect(page.getByText(t(m.form_enter_name), { exact: true })).toBeVisible()
    await expectAccessibleInBothModes(page)
    await page.keyboard.press('Escape')

    await page.goto(`/projects/view/${project.key}/settings`)
    const main = page.getByRole('main')
    for (const name of [m.environment_add, m.environment_paste, m.projects_stop]) {
      await main.getByRole('button', { name: t(name), exact: true }).click()
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
      await expect(dialog).toBeVisible()
      await expectAccessibleInBothModes(page)
      // Without a keyboard it is closed by a button.
      await dialog.getByRole('button', { name: t(m.shell_cancel), exact: true }).click()
      await expect(dialog).toBeHidden()
    }
    await page.goto('/account/tokens')
    await main
      .getByRole('button', { name: t(m.tokens_create) })
      .first()
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessibleInBothModes(page)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t(m.shell_cancel) })
      .click()
    await expect(page.getByRole('dialog')).toBeHidden()

    await page.goto(overviewPath)
    const card = cardName(t, m.cards_visa, cardNumbers.visa)
    await menuButton(page, t, card).click()
    await page.getByRole('menuitem', { name: t(m.cards_edit) }).click()
    await page.getByLabel(t(m.cards_city), { exact: true }).fill('a')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await expectAccessibleInBothModes(page)
  })

  test('with an error at every field', async ({ page, newUser }) => {
    await storeSession(page, await newUser())
    for (const path of [
      '/projects/create',
      '/support/tickets/create',
      '/account/billing/payment-methods/add',
    ]) {
      await page.goto(path)
      await page.locator('main form [type=submit]').click()
      await expect(page.locator('main form [aria-invalid=true]').first()).toBeFocused()
      await expectAccessibleInBothModes(page)
    }
  })
})

test.describe('forced colors', () => {
  test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } })

  test('show the current area, the focus and a skeleton', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.route(`**/api${listProjects.path}`, () => undefined)
    await page.goto('/projects')
    const bar = page.locator('.animate-shimmer').first()
    await expect(bar).toBeVisible()
    const canvas = await page.evaluate<string>(
      'getComputedStyle(document.documentElement).backgroundColor',
    )
    await expect(bar).not.toHaveCSS('background-color', canvas)
    const areas = page.getByRole('navigation', { name: t(m.shell_navigation) })
    const current = areas.getByRole('link', { name: t(m.shell_projects), exact: true })
    const other = areas.getByRole('link', { name: t(m.shell_support), exact: true })
    await expect(current).not.toHaveCSS('border-bottom-color', canvas)
    await expect(other).toHaveCSS('border-bottom-color', canvas)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    await expect(focused).toHaveCSS('outline-style', 'solid')
    await expect(focused).not.toHaveCSS('outline-color', canvas)
  })
})
