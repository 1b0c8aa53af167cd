import type { Locator, Page } from '@playwright/test'
import { hour } from '@slipway/contract/limits'
import type { ProjectState } from '@slipway/contract/projects'
import { createTicket } from '@slipway/contract/support'
import { type Locale, m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { findUserId, insertProject, joinTeam, type TestDatabase } from '../harness/database.ts'
import {
  insertInvoice,
  insertPaidInvoices,
  invoicePath,
  invoiceRows,
  invoicesPath,
} from '../harness/invoice-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading, tabTo } from '../harness/shell-screens.ts'
import { ticketPath } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

const names = ['İstanbul Rehberi', 'ISTANBUL MUSEUM', 'Işık Fırın', 'Site 10', 'Site 9', 'Old Mill']

/** The first three rows by name. Turkish sorts I before İ and s before ş, as separate letters. */
const firstByName: Record<Locale, string[]> = {
  en: ['Işık Fırın', 'ISTANBUL MUSEUM', 'İstanbul Rehberi'],
  tr: ['ISTANBUL MUSEUM', 'Işık Fırın', 'İstanbul Rehberi'],
}

/**
 * Inserts six projects, of which the last one changed last. Those named Site are in `siteState`.
 */
async function insertSixProjects(
  database: TestDatabase,
  user: TestUser,
  siteState: ProjectState = 'ready',
) {
  const { id: teamId } = await ownTeam(user)
  for (const [index, name] of names.entries()) {
    const state = name.startsWith('Site') ? siteState : 'failed_creating'
    const createdAt = new Date(Date.now() - (names.length - index) * hour)
    await insertProject(database, { teamId, state, name, createdAt, updatedAt: createdAt })
  }
}

const rows = (page: Page) => page.getByRole('rowheader').getByRole('link')
const search = (page: Page, t: Translate) =>
  page.getByRole('searchbox', { name: t(m.tables_search_projects) })
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const headerButton = (page: Page, name: string) => header(page, name).getByRole('button')

for (const locale of testedLocales)
  test.describe(`a table, in ${locale}`, () => {
    test.use({ locale })

    test('is sorted by its headers: ascending, descending, default', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      // The reconciler changes a ready project, which would move its row.
      await insertSixProjects(database, user, 'deleted')
      await storeSession(page, user)
      await page.goto('/projects?deleted=shown')
      const name = t(m.projects_name)
      const defaultOrder = names.toReversed()
      await expect(rows(page)).toHaveText(defaultOrder)
      await expect(header(page, name)).not.toHaveAttribute('aria-sort')

      const first = firstByName[t.locale]
      const ascending = [...first, 'Old Mill', 'Site 9', 'Site 10']
      await tabTo(headerButton(page, name))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/projects?deleted=shown&sort=name')
      await expect(header(page, name)).toHaveAttribute('aria-sort', 'ascending')
      await expect(rows(page)).toHaveText(ascending)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/projects?deleted=shown&sort=-name')
      await expect(header(page, name)).toHaveAttribute('aria-sort', 'descending')
      await expect(rows(page)).toHaveText(ascending.toReversed())
      await expectAccessible(page)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/projects?deleted=shown')
      await expect(rows(page)).toHaveText(defaultOrder)

      await headerButton(page, t(m.projects_state)).click()
      await expect(rows(page).last()).toHaveText(/Site/)
    })

    test('is searched without regard to case and accents, and shows how many rows match', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      await insertSixProjects(database, user)
      await storeSession(page, user)
      await page.goto('/projects')
      const field = search(page, t)
      for (const typed of ['istanbul', 'İSTANBUL', 'ISTANBUL']) {
        await field.fill(typed)
        await expect(rows(page)).toHaveText(['ISTANBUL MUSEUM', 'İstanbul Rehberi'])
      }
      await expect(page.getByRole('search').getByRole('status')).toHaveText(
        t(m.tables_shown_of, { shown: 2, total: 6 }),
      )
      await expectAccessible(page)
      await field.press('Escape')
      await expect(field).toHaveValue('')
      await expect(rows(page)).toHaveCount(6)
      await expect(page).toHaveURL('/projects')

      await field.fill('no such thing')
      await expect(
        page.getByText(t(m.tables_nothing_for, { search: 'no such thing' })),
      ).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: t(m.tables_clear_all) }).click()
      await expect(rows(page)).toHaveCount(6)
      await expect(field).toBeFocused()
    })

    test('has a select field for sorting on a phone', async ({ page, t, newUser, database }) => {
      const user = await newUser()
      await insertSixProjects(database, user)
      await page.setViewportSize({ width: 390, height: 844 })
      await storeSession(page, user)
      await page.goto('/projects')
      await expect(rows(page)).toHaveText(names.toReversed())
      await expect(headerButton(page, t(m.projects_name))).toBeHidden()
      const column = t(m.projects_name)
      await page
        .getByRole('combobox', { name: t(m.tables_sort) })
        .selectOption({ label: t(m.tables_sort_descending, { column }) })
      await expect(page).toHaveURL('/projects?sort=-name')
      await expect(rows(page).first()).toHaveText('Site 10')
      await expectAccessible(page)
    })

    test('has a button that shows the filters on a phone', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      await insertSixProjects(database, user)
      await page.setViewportSize({ width: 390, height: 844 })
      await storeSession(page, user)
      await page.goto('/projects')
      const button = page.getByRole('button', { name: t(m.tables_filters) })
      const filter = page.getByRole('combobox', { name: t(m.projects_state) })
      await expect(button).toHaveAttribute('aria-expanded', 'false')
      await expect(filter).toBeHidden()
      await button.click()
      await filter.selectOption(t(m.projects_state_ready))
      await expect(page).toHaveURL('/projects?state=ready')
      await page.reload()
      await expect(filter).toBeVisible()
      // The button stays marked while its filter is hidden.
      await button.click()
      await expect(filter).toBeHidden()
      await expect(button).toHaveClass(/text-accent/)
      await expectAccessible(page)
    })
  })

test.describe('the search, filters and order of a table', () => {
  test('stay after a reload, in a link and after Back', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    await insertSixProjects(database, user)
    await storeSession(page, user)
    await page.goto('/support/tickets')
    await page.goto('/projects')
    await search(page, t).pressSequentially('site')
    await page
      .getByRole('combobox', { name: t(m.projects_state) })
      .selectOption(t(m.projects_state_ready))
    await headerButton(page, t(m.projects_name)).click()
    const address = '/projects?search=site&state=ready&sort=name'
    await expect(page).toHaveURL(address)
    const expectView = async () => {
      await expect(rows(page)).toHaveText(['Site 9', 'Site 10'])
      await expect(search(page, t)).toHaveValue('site')
    }
    await expectView()
    await page.reload()
    await expectView()
    await page.getByRole('link', { name: 'Site 9', exact: true }).click()
    await expect(heading(page, 'Site 9')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(address)
    await expectView()
    // Typing and selecting share one history entry.
    await page.goBack()
    await expect(page).toHaveURL('/support/tickets')
  })

  test('come from the URL, which ignores unknown values', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertSixProjects(database, user)
    await storeSession(page, user)
    await page.goto('/projects?state=nonsense&sort=constructor&team=1&search=a&search=b')
    await expect(rows(page)).toHaveCount(names.length)
    await expect(search(page, t)).toHaveValue('')
    await page.goto('/projects?state=ready&sort=name')
    await expect(rows(page)).toHaveText(['Site 9', 'Site 10'])
  })

  test('follow the history', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    await insertSixProjects(database, user)
    await storeSession(page, user)
    await page.goto('/projects?search=mill')
    await expect(rows(page)).toHaveText(['Old Mill'])
    await page
      .getByRole('navigation', { name: t(m.shell_navigation) })
      .getByRole('link', { name: t(m.shell_projects) })
      .click()
    await expect(search(page, t)).toHaveValue('')
    await expect(rows(page)).toHaveCount(6)
    await page.goBack()
    await expect(search(page, t)).toHaveValue('mill')
    await expect(rows(page)).toHaveText(['Old Mill'])
  })

  test('are all cleared by one button', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    await insertSixProjects(database, user)
    const otherTeam = await ownTeam(await newUser({ name: 'Grace Example' }))
    await joinTeam(database, {
      userId: await findUserId(database, user.email),
      teamId: otherTeam.id,
    })
    await insertProject(database, { teamId: otherTeam.id, state: 'ready', name: 'Site 11' })
    await storeSession(page, user)
    await page.goto(`/projects?search=site&state=ready&team=${otherTeam.id}`)
    await expect(rows(page)).toHaveText(['Site 11'])
    await expect(page.getByRole('combobox', { name: t(m.projects_team) })).toHaveValue(otherTeam.id)
    await page.getByRole('button', { name: t(m.tables_clear), exact: true }).click()
    await expect(page).toHaveURL('/projects')
    await expect(rows(page)).toHaveCount(7)
    await expect(search(page, t)).toBeFocused()
  })

  test('have no toolbar with one row, nor on a phone with five', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { id: teamId } = await ownTeam(user)
    await insertProject(database, { teamId, state: 'ready', name: 'Old Mill' })
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(rows(page)).toHaveCount(1)
    await expect(search(page, t)).toHaveCount(0)
    for (const name of names.slice(1, -1))
      await insertProject(database, { teamId, state: 'ready', name })
    await page.reload()
    await expect(rows(page)).toHaveCount(5)
    await expect(search(page, t)).toBeVisible()
    await expect(
      page.getByText(t(m.tables_total_projects, { count: 5 }), { exact: true }),
    ).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await expect(rows(page)).toHaveCount(5)
    await expect(search(page, t)).toHaveCount(0)
    await page.goto('/projects?search=mill')
    await expect(rows(page)).toHaveText(['Old Mill'])
    // The field stays while the user types in it.
    await search(page, t).fill('')
    await expect(rows(page)).toHaveCount(5)
    await expect(search(page, t)).toBeFocused()
  })

  test('reserve the height of the toolbar while the rows load, if it was shown before', async ({
    page,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertSixProjects(database, user)
    await storeSession(page, user)
    await page.goto('/projects')
    const top = async () => (await page.getByRole('table').boundingBox())?.y
    await expect(rows(page)).toHaveCount(6)
    const topWhenLoaded = await top()
    let respond = () => {}
    const response = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.route('**/api/management/project/all', async (route) => {
      await response
      await route.continue()
    })
    await page.reload()
    await expect(page.locator('table[aria-busy=true]')).toBeVisible()
    expect(await top()).toBe(topWhenLoaded)
    respond()
    await expect(rows(page)).toHaveCount(6)
    expect(await top()).toBe(topWhenLoaded)
  })
})

test.describe('a row, clicked outside its link,', () => {
  /** Clicks a corner of the cell after the one with the link. */
  async function clickBesideLink(row: Locator) {
    const box = await row.getByRole('cell').first().boundingBox()
    if (!box) throw new Error('the row is not visible')
    await row.page().mouse.click(box.x + 2, box.y + 2)
  }

  test('opens a ticket, a team and an invoice', async ({ page, newUser, database }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    const body = { subject: 'Help', message: 'Please help' }
    const ticket = await user.call(createTicket, { body })
    const invoiceId = await insertInvoice(database, user)
    await storeSession(page, user)
    for (const [list, row, target] of [
      ['/support/tickets', page.getByRole('row', { name: body.subject }), ticketPath(ticket.id)],
      ['/teams', page.getByRole('row', { name: team.name }), `/teams/view/${team.id}`],
      [
        invoicesPath,
        page.getByRole('row').filter({ has: page.getByRole('rowheader') }),
        invoicePath(invoiceId),
      ],
    ] as const) {
      await page.goto(list)
      await clickBesideLink(row)
      await expect(page).toHaveURL(target)
    }
  })
})

test.describe('the list of invoices', () => {
  test('is searched, filtered and sorted by the server, from its first page on', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertPaidInvoices(database, user, 12)
    const items = [{ name: 'Harbour Cafe', price: '3.00000' }]
    const id = await insertInvoice(database, user, { monthsAgo: 13, items })
    await storeSession(page, user)
    await page.goto(`${invoicesPath}?page=2`)
    await expect(invoiceRows(page, t)).toHaveCount(3)
    await headerButton(page, t(m.invoices_amount)).click()
    await expect(page).toHaveURL(`${invoicesPath}?sort=amount`)
    await headerButton(page, t(m.invoices_amount)).click()
    await expect(page).toHaveURL(`${invoicesPath}?sort=-amount`)
    const link = invoiceRows(page, t).first().getByRole('link')
    await expect(link).toHaveAttribute('href', `${invoicesPath}/view/${id}`)
    // The other pages keep the filter and the order.
    const next = page.getByRole('link', { name: t(m.invoices_next) })
    await expect(next).toHaveAttribute('href', `${invoicesPath}?sort=-amount&page=2`)

    await page
      .getByRole('combobox', { name: t(m.invoices_state) })
      .selectOption(t(m.invoices_state_unpaid))
    await expect(page).toHaveURL(`${invoicesPath}?sort=-amount&state=unpaid`)
    await expect(invoiceRows(page, t)).toHaveCount(1)
    await expectAccessible(page)
    await page.getByRole('searchbox').fill(id.slice(-8))
    await expect(invoiceRows(page, t)).toHaveCount(1)
    await page
      .getByRole('combobox', { name: t(m.invoices_state) })
      .selectOption(t(m.invoices_state_paid))
    await expect(page.getByText(t(m.tables_nothing_for, { search: id.slice(-8) }))).toBeVisible()
    await page.getByRole('button', { name: t(m.tables_clear_all) }).click()
    await expect(invoiceRows(page, t)).toHaveCount(10)
  })
})
