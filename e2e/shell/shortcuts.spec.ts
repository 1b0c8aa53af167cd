import type { Page } from '@playwright/test'
import { listInvoices } from '@slipway/contract/invoices'
import { listProjects } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { insertInvoice } from '../harness/invoice-screens.ts'
import { locales } from '../harness/locales.ts'
import { heading, signIn } from '../harness/screens.ts'
import { openTicket } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Say } from '../harness/texts.ts'

const sheet = (page: Page, say: Say) => page.getByRole('dialog', { name: say(m.shortcuts_title) })
const singleKeys = (page: Page, say: Say) =>
  page.getByRole('checkbox', { name: say(m.shortcuts_single_keys) })
const palette = (page: Page, say: Say) => page.getByRole('combobox', { name: say(m.palette_title) })

for (const locale of locales)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(`the sheet of shortcuts, ${colorScheme} in ${locale}`, () => {
      test.use({ locale, colorScheme })

      test('is opened by its key, is accessible and gives the focus back', async ({
        page,
        say,
        newPerson,
      }) => {
        await signIn(page, await newPerson())
        await page.goto('/projects')
        await expect(page.getByText(say(m.projects_empty))).toBeVisible()
        const create = page.getByRole('link', { name: say(m.projects_create) })
        await create.focus()
        await page.keyboard.press('?')
        await expect(sheet(page, say)).toBeVisible()
        const go = sheet(page, say).getByText(say(m.shortcuts_go, { place: say(m.shell_teams) }))
        await expect(go).toBeVisible()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(sheet(page, say)).toBeHidden()
        await expect(create).toBeFocused()
      })
    })

test.describe('the shortcuts', () => {
  test.beforeEach(async ({ page, say, newPerson }) => {
    await signIn(page, await newPerson())
    await page.goto('/projects')
    await expect(page.getByText(say(m.projects_empty))).toBeVisible()
  })

  test('lead to every area', async ({ page, say }) => {
    for (const [key, title] of [
      ['t', say(m.teams_title)],
      ['s', say(m.support_title)],
      ['b', say(m.invoices_overview_title)],
      ['a', say(m.account_profile)],
      ['p', say(m.projects_title)],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(heading(page, title)).toBeFocused()
    }
  })

  test('create what the area is about', async ({ page, say }) => {
    await page.keyboard.press('c')
    await expect(page).toHaveURL('/projects/create')
    await page.goto('/support/tickets')
    await expect(heading(page, say(m.support_title))).toBeVisible()
    await page.keyboard.press('c')
    await expect(page).toHaveURL('/support/tickets/create')
    await page.goto('/account/billing/invoices')
    await expect(heading(page, say(m.invoices_title))).toBeVisible()
    await page.keyboard.press('c')
    await expect(page).toHaveURL('/account/billing/payment-methods/add')
  })

  test('are letters in a field, in a menu and in a dialog', async ({ page, say }) => {
    await page.keyboard.press('c')
    const name = page.getByLabel(say(m.projects_name), { exact: true })
    await expect(name).toBeFocused()
    await page.keyboard.type('c?gt')
    await expect(name).toHaveValue('c?gt')
    await expect(sheet(page, say)).toBeHidden()
    await name.fill('')
    await page.getByRole('button', { name: say(m.shell_color_mode) }).press('Enter')
    await expect(page.getByRole('menuitemradio', { checked: true })).toBeFocused()
    await page.keyboard.press('?')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: say(m.shell_color_mode) }).focus()
    await page.keyboard.press('?')
    await expect(sheet(page, say)).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.keyboard.press('Control+k')
    await expect(palette(page, say)).toBeHidden()
    await expect(page).toHaveURL('/projects/create')
  })

  test('are none with a key of the browser or of another alphabet', async ({ page, say }) => {
    for (const held of ['Control', 'Alt', 'Meta', 'Shift']) {
      await page.keyboard.press(`${held}+g`)
      await page.keyboard.press('t')
    }
    // While an input method composes a letter, its keys are its own.
    await page.evaluate(() => {
      for (const key of ['g', 't'])
        dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true }))
    })
    await page.keyboard.press('?')
    await expect(sheet(page, say)).toBeVisible()
    await expect(page).toHaveURL('/projects')
  })

  test('can be turned off on a device, but for those with Ctrl', async ({ page, say }) => {
    await page.keyboard.press('?')
    await singleKeys(page, say).uncheck()
    await page.keyboard.press('Escape')
    await expect(sheet(page, say)).toBeHidden()
    await page.reload()
    await expect(page.getByText(say(m.projects_empty))).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.keyboard.press('c')
    await page.keyboard.press('Control+k')
    await expect(palette(page, say)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/projects')
    // The way back is in the user menu.
    await page.getByRole('button', { name: say(m.shell_user_menu) }).click()
    await page.getByRole('menuitem', { name: say(m.shortcuts_title) }).click()
    await singleKeys(page, say).check()
    await page.keyboard.press('Escape')
    await expect(sheet(page, say)).toBeHidden()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect(heading(page, say(m.teams_title))).toBeFocused()
  })

  test('search the table of a page that has one, and are letters in what is typed there', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const person = await newPerson()
    await insertInvoice(database, person)
    await openTicket(person)
    await signIn(page, person)
    for (const [path, name] of [
      ['/projects', m.tables_search_projects],
      ['/teams', m.tables_search_teams],
      ['/support/tickets', m.tables_search_tickets],
      ['/account/billing/invoices', m.tables_search_invoices],
    ] as const) {
      // What is searched has a field for it, however little there is.
      await page.goto(`${path}?search=x`)
      const field = page.getByRole('searchbox', { name: say(name) })
      await expect(field).toHaveValue('x')
      await expect(field).not.toBeFocused()
      await page.keyboard.press('/')
      await expect(field).toBeFocused()
      await expect(field).toHaveValue('x')
      await field.press('End')
      await field.pressSequentially('/?c')
      await expect(field).toHaveValue('x/?c')
      await expect(palette(page, say)).toBeHidden()
    }
    await page.goto('/projects/create')
    const name = page.getByLabel(say(m.projects_name), { exact: true })
    await name.pressSequentially('a/b')
    await expect(name).toHaveValue('a/b')
    await expect(name).toBeFocused()
    await page.getByLabel(say(m.projects_region)).press('/')
    await expect(page.getByLabel(say(m.projects_region))).toBeFocused()
    await expect(palette(page, say)).toBeHidden()
  })

  for (const [path, call, name] of [
    ['/projects', listProjects.path, m.tables_search_projects],
    ['/account/billing/invoices', listInvoices.path, m.tables_search_invoices],
  ] as const)
    test(`search ${path} once its rows are there, unless one has gone elsewhere`, async ({
      page,
      say,
      newPerson,
      database,
    }) => {
      const absent = 'no such name'
      const person = await newPerson()
      await insertInvoice(database, person)
      await signIn(page, person)
      const field = page.getByRole('searchbox', { name: say(name), includeHidden: true })
      const language = page.getByRole('button', { name: say(m.shell_language) })
      for (const goesElsewhere of [false, true]) {
        const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
        await page.route(`**/api${call}*`, async (route) => {
          await answered
          await route.continue()
        })
        await page.goto(`${path}?search=${absent}`)
        await expect(field).toHaveValue(absent)
        await page.keyboard.press('/')
        if (goesElsewhere) await language.focus()
        answer()
        await expect(page.getByText(say(m.tables_nothing_for, { search: absent }))).toBeVisible()
        await expect(goesElsewhere ? language : field).toBeFocused()
        await page.unrouteAll({ behavior: 'wait' })
      }
    })

  test('search everything where the page has nothing to search', async ({ page, say }) => {
    await page.goto('/account/profile')
    await expect(heading(page, say(m.account_profile))).toBeVisible()
    await page.keyboard.press('/')
    await expect(palette(page, say)).toBeFocused()
    await expect(palette(page, say)).toHaveValue('')
  })
})

test.describe('on a device with a touch screen alone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 700 } })

  test('nothing is said of keys', async ({ page, say, newPerson }) => {
    await signIn(page, await newPerson())
    await page.goto('/projects')
    await page.getByRole('button', { name: say(m.shell_user_menu) }).tap()
    await expect(page.getByRole('menuitem', { name: say(m.shell_logout) })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: say(m.shortcuts_title) })).toBeHidden()
  })
})
