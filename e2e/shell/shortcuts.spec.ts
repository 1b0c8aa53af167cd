import type { Page } from '@playwright/test'
import { listInvoices } from '@slipway/contract/invoices'
import { listProjects } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertInvoice } from '../harness/invoice-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { openTicket } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

const sheet = (page: Page, t: Translate) => page.getByRole('dialog', { name: t(m.shortcuts_title) })
const singleKeys = (page: Page, t: Translate) =>
  page.getByRole('checkbox', { name: t(m.shortcuts_single_keys) })
const palette = (page: Page, t: Translate) =>
  page.getByRole('combobox', { name: t(m.palette_title) })

for (const locale of testedLocales)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(`the list of shortcuts, ${colorScheme} in ${locale}`, () => {
      test.use({ locale, colorScheme })

      test('opens by its key, is accessible and restores the focus', async ({
        page,
        t,
        newUser,
      }) => {
        await storeSession(page, await newUser())
        await page.goto('/projects')
        await expect(page.getByText(t(m.projects_empty))).toBeVisible()
        const create = page.getByRole('link', { name: t(m.projects_create) })
        await create.focus()
        await page.keyboard.press('?')
        await expect(sheet(page, t)).toBeVisible()
        const goToTeams = sheet(page, t).getByText(t(m.shortcuts_go, { place: t(m.shell_teams) }))
        await expect(goToTeams).toBeVisible()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(sheet(page, t)).toBeHidden()
        await expect(create).toBeFocused()
      })
    })

test.describe('the shortcuts', () => {
  test.beforeEach(async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  })

  test('lead to every area', async ({ page, t }) => {
    for (const [key, title] of [
      ['t', t(m.teams_title)],
      ['s', t(m.support_title)],
      ['b', t(m.invoices_overview_title)],
      ['a', t(m.account_profile)],
      ['p', t(m.projects_title)],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(heading(page, title)).toBeFocused()
    }
  })

  test('create the resource of the area', async ({ page, t }) => {
    await page.keyboard.press('c')
    await expect(page).toHaveURL('/projects/create')
    await page.goto('/support/tickets')
    await expect(heading(page, t(m.support_title))).toBeVisible()
    await page.keyboard.press('c')
    await expect(page).toHaveURL('/support/tickets/create')
    await page.goto('/account/billing/invoices')
    await expect(heading(page, t(m.invoices_title))).toBeVisible()
    await page.keyboard.press('c')
    await expect(page).toHaveURL('/account/billing/payment-methods/add')
  })

  test('are plain characters in a field, a menu and a dialog', async ({ page, t }) => {
    await page.keyboard.press('c')
    const name = page.getByLabel(t(m.projects_name), { exact: true })
    await expect(name).toBeFocused()
    await page.keyboard.type('c?gt')
    await expect(name).toHaveValue('c?gt')
    await expect(sheet(page, t)).toBeHidden()
    await name.fill('')
    await page.getByRole('button', { name: t(m.shell_color_mode) }).press('Enter')
    await expect(page.getByRole('menuitemradio', { checked: true })).toBeFocused()
    await page.keyboard.press('?')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: t(m.shell_color_mode) }).focus()
    await page.keyboard.press('?')
    await expect(sheet(page, t)).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.keyboard.press('Control+k')
    await expect(palette(page, t)).toBeHidden()
    await expect(page).toHaveURL('/projects/create')
  })

  test('ignore keys with modifiers and during composition', async ({ page, t }) => {
    for (const modifier of ['Control', 'Alt', 'Meta', 'Shift']) {
      await page.keyboard.press(`${modifier}+g`)
      await page.keyboard.press('t')
    }
    // While an input method composes a character, the keys belong to it.
    await page.evaluate(() => {
      for (const key of ['g', 't'])
        dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true }))
    })
    await page.keyboard.press('?')
    await expect(sheet(page, t)).toBeVisible()
    await expect(page).toHaveURL('/projects')
  })

  test('can be turned off on a device, except those with Ctrl', async ({ page, t }) => {
    await page.keyboard.press('?')
    await singleKeys(page, t).uncheck()
    await page.keyboard.press('Escape')
    await expect(sheet(page, t)).toBeHidden()
    await page.reload()
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.keyboard.press('c')
    await page.keyboard.press('Control+k')
    await expect(palette(page, t)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/projects')
    // The user menu turns them on again.
    await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
    await page.getByRole('menuitem', { name: t(m.shortcuts_title) }).click()
    await singleKeys(page, t).check()
    await page.keyboard.press('Escape')
    await expect(sheet(page, t)).toBeHidden()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect(heading(page, t(m.teams_title))).toBeFocused()
  })

  test("focus the search of the page's table, and type characters inside it", async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertInvoice(database, user)
    await openTicket(user)
    await storeSession(page, user)
    for (const [path, name] of [
      ['/projects', m.tables_search_projects],
      ['/teams', m.tables_search_teams],
      ['/support/tickets', m.tables_search_tickets],
      ['/account/billing/invoices', m.tables_search_invoices],
    ] as const) {
      // With `?search`, the field is shown even with few rows.
      await page.goto(`${path}?search=x`)
      const field = page.getByRole('searchbox', { name: t(name) })
      await expect(field).toHaveValue('x')
      await expect(field).not.toBeFocused()
      await page.keyboard.press('/')
      await expect(field).toBeFocused()
      await expect(field).toHaveValue('x')
      await field.press('End')
      await field.pressSequentially('/?c')
      await expect(field).toHaveValue('x/?c')
      await expect(palette(page, t)).toBeHidden()
    }
    await page.goto('/projects/create')
    const name = page.getByLabel(t(m.projects_name), { exact: true })
    await name.pressSequentially('a/b')
    await expect(name).toHaveValue('a/b')
    await expect(name).toBeFocused()
    const region = page.getByRole('radiogroup', { name: t(m.projects_region) }).getByRole('radio')
    await region.first().press('/')
    await expect(region.first()).toBeFocused()
    await expect(palette(page, t)).toBeHidden()
  })

  for (const [path, endpointPath, name] of [
    ['/projects', listProjects.path, m.tables_search_projects],
    ['/account/billing/invoices', listInvoices.path, m.tables_search_invoices],
  ] as const)
    test(`focus the search of ${path} once its rows load, unless the focus has moved`, async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const absent = 'no such name'
      const user = await newUser()
      await insertInvoice(database, user)
      await storeSession(page, user)
      const field = page.getByRole('searchbox', { name: t(name), includeHidden: true })
      const language = page.getByRole('button', { name: t(m.shell_language) })
      for (const movesFocus of [false, true]) {
        const { promise: released, resolve: release } = Promise.withResolvers<void>()
        await page.route(`**/api${endpointPath}*`, async (route) => {
          await released
          await route.continue()
        })
        await page.goto(`${path}?search=${absent}`)
        await expect(field).toHaveValue(absent)
        await page.keyboard.press('/')
        if (movesFocus) await language.focus()
        release()
        await expect(page.getByText(t(m.tables_nothing_for, { search: absent }))).toBeVisible()
        await expect(movesFocus ? language : field).toBeFocused()
        await page.unrouteAll({ behavior: 'wait' })
      }
    })

  test('open the palette on a page without a search', async ({ page, t }) => {
    await page.goto('/account/profile')
    await expect(heading(page, t(m.account_profile))).toBeVisible()
    await page.keyboard.press('/')
    await expect(palette(page, t)).toBeFocused()
    await expect(palette(page, t)).toHaveValue('')
  })
})

test.describe('on a device with only a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 700 } })

  test('no shortcut is shown', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await page.getByRole('button', { name: t(m.shell_user_menu) }).tap()
    await expect(page.getByRole('menuitem', { name: t(m.shell_logout) })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: t(m.shortcuts_title) })).toBeHidden()
  })
})
