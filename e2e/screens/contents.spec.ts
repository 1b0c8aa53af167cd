import type { Page } from '@playwright/test'
import { getProfile } from '@slipway/contract/account'
import { getActiveInvoice, listInvoices, viewInvoice } from '@slipway/contract/invoices'
import { minute } from '@slipway/contract/limits'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import { listTickets } from '@slipway/contract/support'
import { formatMoney, formatPeriodStart, m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import {
  addCard,
  cardNumbers,
  cards,
  insertUsage,
  overviewPath,
} from '../harness/billing-screens.ts'
import { insertInvoice, invoicePath, invoicesPath } from '../harness/invoice-screens.ts'
import { insertOwnProject, openDeleteDialog, openOwnProject } from '../harness/project-screens.ts'
import { rejectCalls } from '../harness/rejected-calls.ts'
import { heading } from '../harness/shell-screens.ts'
import { openTicket, ticketPath } from '../harness/support-screens.ts'
import { addMember } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'

/** The value of a detail list under a label. */
const detail = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(label, { exact: true }) })
    .getByRole('definition')

const dayText = (time: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(time))

test.describe('/support/tickets', () => {
  test("shows a ticket's id, state and last update, in the list and on its page", async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { id, updatedAt } = await openTicket(user, { subject: 'Where is it?' })
    await storeSession(page, user)
    await page.goto('/support/tickets')
    const table = page.getByRole('table', { name: t(m.support_list_caption) })
    for (const header of [m.support_id, m.support_subject, m.support_state, m.support_updated])
      await expect(table.getByRole('columnheader', { name: t(header) })).toBeVisible()
    const row = table.getByRole('row').filter({ hasText: 'Where is it?' })
    await expect(row).toContainText(id.slice(-4))
    const state = row.getByRole('cell').filter({ hasText: t(m.support_state_open) })
    await expect(state.locator('svg')).toBeVisible()
    await expect(row.locator(`time[datetime="${updatedAt}"]`)).toBeVisible()

    await page.goto(ticketPath(id))
    await expect(page.getByText(t(m.support_last_update))).toBeVisible()
    await expect(page.getByRole('main').locator(`time[datetime="${updatedAt}"]`)).not.toHaveCount(0)
  })
})

test.describe('/projects/view/{key}', () => {
  test("shows the project's key at the end of its settings", async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const { key } = await openOwnProject(page, database, await newUser())
    await page.getByRole('link', { name: t(m.projects_settings), exact: true }).click()
    await expect(detail(page, t(m.projects_key))).toContainText(key)
  })

  test('lets a member who is not the owner delete the project', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const owner = await newUser()
    const member = await newUser({ name: 'Grace Example' })
    await addMember(owner, member)
    const { key, name } = await insertOwnProject(database, owner)
    await storeSession(page, member)
    await page.goto(`/projects/view/${key}`)
    const dialog = await openDeleteDialog(page, t)
    await expect(dialog).toContainText(t(m.projects_delete_title, { name }))
    await dialog.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
    // One toast says that the project is being deleted, the next one that it was deleted.
    const toast = page.getByText(t(m.projects_deleting_toast, { name }))
    await expect(toast.or(page.getByText(t(m.projects_deleted_toast, { name })))).toBeVisible()
  })
})

test.describe('/teams/view/{id}', () => {
  test("shows the team's owner", async ({ page, t, newUser }) => {
    const owner = await newUser({ name: 'Ada Owner' })
    const member = await newUser({ name: 'Grace Member' })
    const team = await addMember(owner, member)
    await storeSession(page, member)
    await page.goto(`/teams/view/${team.id}`)
    await expect(detail(page, t(m.teams_owner))).toHaveText('Ada Owner')
  })
})

test.describe('/account/profile', () => {
  test('shows that the user logs in with an email address, and refetches after a new name', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/account/profile')
    await expect(detail(page, t(m.account_method))).toHaveText('Email')
    const label = t(m.account_name)
    await page.getByRole('button', { name: t(m.shell_edit, { label }) }).click()
    await page.getByRole('textbox', { name: label }).fill('Another Name')
    // Only a response with the new name proves the refetch: an earlier request may still be
    // pending.
    const profileResponse = page.waitForResponse(
      async (response) =>
        response.request().method() === 'GET' &&
        new URL(response.url()).pathname === `/api${getProfile.path}` &&
        (await response.json()).name === 'Another Name',
    )
    await page.getByRole('button', { name: t(m.shell_save) }).click()
    await profileResponse
  })
})

test.describe('/account/billing/invoices', () => {
  test('shows four columns and links back to the overview', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const paidAt = new Date()
    const id = await insertInvoice(database, user, { monthsAgo: 3, paidAt })
    const invoice = await user.call(viewInvoice, { params: { id } })
    await storeSession(page, user)
    await page.goto(invoicesPath)
    const table = page.getByRole('table', { name: t(m.invoices_caption) })
    for (const header of [
      m.invoices_start_date,
      m.invoices_issue_date,
      m.invoices_amount,
      m.invoices_paid,
    ])
      await expect(table.getByRole('columnheader', { name: t(header), exact: true })).toBeVisible()
    const row = table.getByRole('row').filter({ has: page.getByRole('rowheader') })
    await expect(row.getByRole('rowheader')).toContainText(
      formatPeriodStart(invoice.createdAt, 'en'),
    )
    await expect(row).toContainText(dayText(invoice.issuedAt ?? ''))
    await expect(row).toContainText(formatMoney(invoice.amount, 'en'))
    await expect(row).toContainText(dayText(paidAt.toISOString()))

    await page.getByRole('link', { name: t(m.invoices_overview_tab), exact: true }).click()
    await expect(page).toHaveURL(overviewPath)
    await expect(heading(page, t(m.invoices_overview_title))).toBeVisible()
  })

  test('shows when an invoice begins, was issued and was paid, and for which product', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const paidAt = new Date()
    const id = await insertInvoice(database, user, { monthsAgo: 3, paidAt })
    const invoice = await user.call(viewInvoice, { params: { id } })
    await storeSession(page, user)
    await page.goto(invoicePath(id))
    for (const [label, text] of [
      [m.invoices_start_date, formatPeriodStart(invoice.createdAt, 'en')],
      [m.invoices_issue_date, dayText(invoice.issuedAt ?? '')],
      [m.invoices_paid_date, dayText(paidAt.toISOString())],
    ] as const)
      await expect(detail(page, t(label))).toHaveText(text)
    const table = page.getByRole('table', { name: t(m.invoices_items) })
    await expect(table).toContainText(invoice.items[0]?.product ?? 'a product')
  })

  test('shows the running usage per product', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const since = new Date(Date.now() - 30 * minute)
    await insertUsage(database, user, { name: 'Harbour Cafe', since })
    await insertUsage(database, user, { name: 'Old Mill', since })
    const active = await user.call(getActiveInvoice)
    const [website] = active.usage
    if (!website || active.usage.length > 1) throw new Error('expected one product')
    const hours = (count: number) => t(m.invoices_hours, { count, hours: `${count}` })
    const price = formatMoney(active.items[0]?.price ?? '', 'en')
    await storeSession(page, user)
    await page.goto(overviewPath)
    const card = page.getByRole('region', { name: t(m.invoices_active_title) })
    const rows = card.getByRole('table', { name: t(m.invoices_active_items) }).getByRole('row')
    await expect(rows.last()).toHaveText(
      t(m.invoices_total) +
        `${website.product} · ${hours(website.runningHours)} × ${price}` +
        formatMoney(website.totalAmount, 'en'),
    )
    // Columns would repeat what the total says.
    await expect(rows.first()).not.toContainText(t(m.invoices_active_product))
    await expect(rows.first()).not.toContainText(t(m.invoices_price))

    const usage = [website, { ...website, product: 'Database', runningHours: 5 }]
    await page.route(`**/api${getActiveInvoice.path}`, (route) =>
      route.fulfill({ json: { ...active, usage } }),
    )
    await page.reload()
    await expect(card).toContainText(t(m.invoices_active_usage))
    for (const { product, runningHours, totalAmount } of usage) {
      const value = detail(page, product)
      await expect(value).toContainText(hours(runningHours))
      await expect(value).toContainText(formatMoney(totalAmount, 'en'))
    }
  })
})

test.describe('the payment methods', () => {
  test('are named after their card association', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const { id } = await addCard(user, cardNumbers.masterCard)
    await storeSession(page, user)
    for (const [association, name] of [
      ['master_card', 'MasterCard'],
      ['american_express', 'American Express'],
      ['visa', 'Visa'],
      ['troy', 'troy'],
      ['other', 'Card'],
    ] as const) {
      // Some associations have no test number.
      await database.pool.query('update payment_methods set card_assoc = $1 where id = $2', [
        association,
        id,
      ])
      await page.goto(overviewPath)
      await expect(cards(page, t)).toContainText([`${name} •••• 4444`])
    }
  })
})

test.describe('a list that fails to load', () => {
  test('is named with the reason, and can be retried', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    for (const { path, page: address, item } of [
      { path: listTickets.path, page: '/support/tickets', item: m.support_item_list },
      { path: `${listInvoices.path}*`, page: invoicesPath, item: m.invoices_item_list },
      { path: listPaymentMethods.path, page: overviewPath, item: m.cards_item_list },
    ]) {
      const { allowAtClick } = await rejectCalls(page, path)
      await page.goto(address)
      const failure = page.getByRole('alert')
      await expect(failure).toContainText(t(m.shell_loading_failed, { item: t(item) }))
      await expect(failure).toContainText(t(m.error_too_many_requests))
      await allowAtClick(page.getByRole('button', { name: t(m.shell_retry) }))
      await expect(failure).toHaveCount(0)
    }
  })
})
