import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { payInvoices, viewInvoice } from '@slipway/contract/invoices'
import { day, hour, minute } from '@slipway/contract/limits'
import { formatCharge, formatMoney, formatRate, formatUtcDate, m } from '@slipway/phrases'
import { textsOf } from '../../apps/server/src/modules/invoices-pdf/invoices-pdf.fixture.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { addCard } from '../harness/billing-screens.ts'
import {
  declinedCard,
  insertInvoice,
  insertPaidInvoices,
  invoicePath,
  invoiceRows,
  invoicesPath,
  pageLink,
  pagination,
  paidAfter,
  payButton,
  payPath,
} from '../harness/invoice-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading, tabTo, waitUntilConnected } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of testedLocales)
  test.describe(`the invoices, in ${locale}`, () => {
    test.use({ locale })

    test('an empty list shows when the first invoice is issued, and one page', async ({
      page,
      t,
      newUser,
    }) => {
      await storeSession(page, await newUser())
      await page.goto('/account/billing/overview')
      await page.getByRole('link', { name: t(m.invoices_overview_tab_invoices) }).click()
      await expect(heading(page, t(m.invoices_title))).toBeVisible()
      await expect(page.getByText(t(m.invoices_empty))).toBeVisible()
      const pages = pagination(page, t)
      await expect(pages.locator('[aria-current=page]')).toContainText('1')
      await expect(pages.getByRole('link')).toHaveCount(0)
      await expectAccessible(page)
      await page.getByRole('link', { name: t(m.invoices_show_usage) }).click()
      await expect(page).toHaveURL('/account/billing/overview')
    })

    test('each row leads to its invoice and PDF, also in dark mode', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser({ name: 'Işıl Örnek' })
      const id = await insertInvoice(database, user, {
        items: [
          { name: 'Çığır İnşaat', hours: 100, price: '0.12345', discount: '0.00045' },
          { name: '<b>{{x}}</b>', hours: 1, price: '7.00001' },
        ],
      })
      const invoice = await user.call(viewInvoice, { params: { id } })
      await storeSession(page, user)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.goto(invoicesPath)
      await expect(invoiceRows(page, t)).toHaveCount(1)
      const row = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
      await expect(row).toContainText(formatMoney(invoice.amount, t.locale))
      const charged = formatCharge(invoice.amount, t.locale)
      await expect(row).toContainText(t(m.invoices_amount_rounded, { amount: charged }))
      await expectAccessible(page)
      await row.getByRole('rowheader').getByRole('link').click()

      await expect(page).toHaveURL(invoicePath(id))
      const day = formatUtcDate(invoice.dueAt, t.locale, { month: 'long', year: true })
      const amount = formatCharge(invoice.amount, t.locale)
      await expect(page.getByText(amount, { exact: true }).first()).toBeVisible()
      await expect(page.getByText(t(m.invoices_due_late, { day }))).toBeVisible()
      const table = page.getByRole('table', { name: t(m.invoices_items) })
      for (const item of invoice.items) {
        const invoiceRow = table.getByRole('row').filter({ hasText: item.projectName })
        for (const amount of [item.price, item.totalAmount])
          await expect(invoiceRow).toContainText(formatMoney(amount, t.locale))
      }
      await expect(table).toContainText(t(m.invoices_hours, { count: 100, hours: '100' }))
      await expect(page.getByText(t(m.invoices_dates_utc))).toBeVisible()
      await expect(table).toContainText(formatMoney('0.00045', t.locale))
      await expect(
        table.getByRole('row', { name: t(m.invoices_discount_total), exact: false }).last(),
      ).toContainText(formatMoney('-0.04500', t.locale))
      await expect(
        table
          .getByRole('row')
          .filter({ hasText: t(m.invoices_total) })
          .last(),
      ).toContainText(formatMoney('19.30001', t.locale))
      await expect(table.getByRole('row').last()).toHaveText(
        `${t(m.invoices_amount_due)}${formatCharge('19.30', t.locale)}`,
      )
      await expectAccessible(page)

      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: t(m.invoices_download) }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe(
        `slipway-invoice-${invoice.createdAt.slice(0, 10)}-${id.slice(-8)}.pdf`,
      )
      const texts = (await textsOf(await readFile(await download.path()))).flat()
      for (const expected of [
        'Çığır İnşaat',
        '<b>{{x}}</b>',
        formatMoney('19.30001', t.locale),
        'Işıl Örnek',
      ])
        expect(texts).toContain(expected)
      expect(texts).toContain(t(m.invoices_invoice))
    })

    test('the seller, the tax and the number are on the page and in the PDF, named by it', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const number = `SW-2025-${randomInt(1_000_000).toString().padStart(6, '0')}`
      const id = await insertInvoice(database, user, {
        number,
        items: [{ name: 'Harbour Cafe', hours: 100, price: '0.1' }],
        taxRate: '20',
        seller: { name: 'Slip Ltd', address: ['Quay 1', '34710 İstanbul'], taxNumber: 'EX 123' },
      })
      await storeSession(page, user)
      await page.goto(invoicePath(id))
      const sheet = page.getByRole('main')
      for (const expected of [number, 'Slip Ltd', 'Quay 1', '34710 İstanbul'])
        await expect(sheet.getByText(expected, { exact: true }).last()).toBeVisible()
      await expect(sheet.getByText(t(m.invoices_tax_number, { number: 'EX 123' }))).toBeVisible()
      const tax = t(m.invoices_tax, { rate: formatRate('20', t.locale) })
      const table = page.getByRole('table', { name: t(m.invoices_items) })
      await expect(table.getByRole('row', { name: tax })).toContainText(
        formatMoney('2.00000', t.locale),
      )

      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: t(m.invoices_download) }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe(`${number}.pdf`)
      const texts = (await textsOf(await readFile(await download.path()))).flat()
      for (const expected of [number, 'Slip Ltd', 'Quay 1', tax]) expect(texts).toContain(expected)
    })

    test('a missing invoice and an invoice of another user are not found', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const id = await insertInvoice(database, await newUser())
      await storeSession(page, await newUser())
      for (const missing of [id, 'no-such-invoice']) {
        await page.goto(invoicePath(missing))
        await expect(page.getByText(t(m.invoices_missing, { id: missing }))).toBeVisible()
      }
      await expectAccessible(page)
      await page.getByRole('link', { name: t(m.invoices_show_all) }).click()
      await expect(page).toHaveURL(invoicesPath)
    })
  })

test.describe('the pages of the invoice list', () => {
  test('open by keyboard, are in the URL, and show the previous rows while loading', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertPaidInvoices(database, user, 25)
    await storeSession(page, user)
    await page.goto(invoicesPath)
    await expect(invoiceRows(page, t)).toHaveCount(10)
    const current = pagination(page, t).locator('[aria-current=page]')
    await expect(current).toContainText('1')
    await expect(pageLink(page, t, 3)).toBeVisible()
    await expect(page.getByRole('link', { name: t(m.invoices_previous) })).toHaveCount(0)

    const newest = await invoiceRows(page, t).first().textContent()
    let release = () => {}
    const delay = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/account/invoice/all?page=3*', async (route) => {
      await delay
      await route.continue()
    })
    await tabTo(pageLink(page, t, 3))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${invoicesPath}?page=3`)
    await expect(current).toContainText('3')
    await expect(invoiceRows(page, t).first()).toHaveText(newest ?? '')
    release()
    await expect(invoiceRows(page, t)).toHaveCount(5)
    await expect(page.getByRole('link', { name: t(m.invoices_next) })).toHaveCount(0)
    await expectAccessible(page)

    await page.getByRole('link', { name: t(m.invoices_previous) }).press('Enter')
    await expect(page).toHaveURL(`${invoicesPath}?page=2`)
    await expect(invoiceRows(page, t)).toHaveCount(10)
    await page.goBack()
    await expect(current).toContainText('3')
    await expect(invoiceRows(page, t)).toHaveCount(5)
  })

  test('keep their columns, also beside a page with longer states and buttons', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    for (let monthsAgo = 13; monthsAgo > 1; monthsAgo--)
      await insertInvoice(database, user, { monthsAgo, paidAt: paidAfter(monthsAgo) })
    await insertInvoice(database, user, { monthsAgo: 1, failure: 'insufficient_funds' })
    await storeSession(page, user)
    await page.goto(invoicesPath)
    const columns = () =>
      page
        .getByRole('columnheader')
        .evaluateAll((headers) => headers.map((header) => header.getBoundingClientRect().x))
    await expect(page.getByText(t(m.payments_failure_insufficient_funds))).toBeVisible()
    const first = await columns()
    await page.getByRole('link', { name: t(m.invoices_next) }).click()
    await expect(invoiceRows(page, t)).toHaveCount(3)
    expect(await columns()).toEqual(first)
  })

  test('a page past the end says so', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    await insertPaidInvoices(database, user, 11)
    await storeSession(page, user)
    await page.goto(`${invoicesPath}?page=4`)
    await expect(page.getByText(t(m.invoices_page_missing, { page: 4 }))).toBeVisible()
    await expectAccessible(page)
    await expect(page.getByRole('link', { name: t(m.invoices_next) })).toHaveCount(0)
    await page.getByRole('link', { name: t(m.invoices_previous) }).click()
    await expect(page).toHaveURL(`${invoicesPath}?page=2`)
    await expect(invoiceRows(page, t)).toHaveCount(1)
    await page.goBack()
    await page.getByRole('link', { name: t(m.invoices_first_page) }).click()
    await expect(invoiceRows(page, t)).toHaveCount(10)
    await page.goto(`${invoicesPath}?page=nonsense`)
    await expect(invoiceRows(page, t)).toHaveCount(10)

    // A page past the end does not tell the list's length, so the list shows its search at once.
    await page.goto(`${invoicesPath}?page=4`)
    await expect(page.getByText(t(m.invoices_page_missing, { page: 4 }))).toBeVisible()
    await page.route('**/api/account/invoice/all*', () => undefined)
    await page.goto(invoicesPath)
    await expect(page.getByRole('table', { name: t(m.invoices_caption) })).toBeVisible()
    await expect(page.getByLabel(t(m.tables_search_invoices))).toBeVisible()
  })
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  test(`an unpaid invoice is paid with one click in a list ${viewport.width} px wide`, async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertPaidInvoices(database, user, 2)
    const id = await insertInvoice(database, user, { monthsAgo: 3, failure: 'insufficient_funds' })
    await addCard(user)
    await page.setViewportSize(viewport)
    await storeSession(page, user)
    await page.goto(`${invoicesPath}?state=unpaid`)
    await expect(invoiceRows(page, t)).toHaveCount(1)
    await page.goto(invoicesPath)
    await expect(invoiceRows(page, t)).toHaveCount(3)
    await expect(page.getByText(t(m.payments_failure_insufficient_funds))).toBeVisible()
    const pay = page.getByRole('link', { name: t(m.invoices_make_payment) })
    await expect(pay).toHaveCount(1)
    await expectAccessible(page)
    await pay.click()
    await expect(page).toHaveURL(`${payPath}?invoice=${id}`)
    await expect(payButton(page, t, '8.40')).toBeVisible()
  })

test('the palette finds an unpaid invoice by its state', async ({ page, t, newUser, database }) => {
  const user = await newUser()
  await insertPaidInvoices(database, user, 1)
  const id = await insertInvoice(database, user, { monthsAgo: 2, age: hour })
  await storeSession(page, user)
  await page.goto('/account/profile')
  await expect(heading(page, t(m.account_profile))).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: t(m.palette_title) }).fill('unpaid')
  const option = page.getByRole('option').filter({ hasText: t(m.palette_invoice) })
  await expect(option).toHaveCount(1)
  await option.click()
  await expect(page).toHaveURL(invoicePath(id))
})

test('an unpaid invoice becomes overdue on an open page once 24 hours have passed', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const user = await newUser()
  const id = await insertInvoice(database, user, { age: day - hour })
  await page.clock.install()
  await storeSession(page, user)
  const badge = (label: Parameters<typeof t>[0]) => page.getByText(t(label), { exact: true }).last()
  const setAge = (age: string) =>
    database.pool.query('update invoices set issued_at = now() - $2::interval where id = $1', [
      id,
      age,
    ])
  for (const path of [invoicesPath, invoicePath(id)]) {
    await setAge('23 hours')
    await page.goto(path)
    await expect(badge(m.invoices_state_unpaid)).toBeVisible()
    // The page refetches once its socket is open.
    await waitUntilConnected(page, t)
    await setAge('25 hours')
    // A fetch that began before that time shows the old state until the next one.
    await expect(async () => {
      await page.clock.fastForward(5 * minute)
      await expect(badge(m.invoices_state_overdue)).toBeVisible({ timeout: 2_000 })
    }).toPass()
  }
})

test.describe('/account/billing/invoices/view/{id}', () => {
  test('shows why the last payment failed, and updates when it is paid in another tab', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user, { failure: 'insufficient_funds' })
    const { id: paymentMethodId } = await addCard(user)
    await storeSession(page, user)
    await page.goto(invoicePath(id))
    await expect(page.getByRole('alert')).toContainText(t(m.payments_failure_insufficient_funds))
    const pay = page.getByRole('link', { name: t(m.invoices_make_payment) })
    await expect(pay).toBeVisible()
    const list = await page.context().newPage()
    await list.goto(invoicesPath)
    await waitUntilConnected(list, t)
    await waitUntilConnected(page, t)

    await user.call(payInvoices, { body: { invoiceIds: [id], paymentMethodId } })
    await expect(page.getByText(t(m.invoices_now_paid))).toBeVisible()
    await expect(pay).toHaveCount(0)
    await expect(list.getByText(t(m.invoices_state_paid), { exact: true }).last()).toBeVisible()
    await expectAccessible(page)
  })

  test('stays visible with its actions when a refresh fails', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user)
    const { id: paymentMethodId } = await addCard(user, declinedCard)
    await storeSession(page, user)
    await page.goto(invoicePath(id))
    const pay = page.getByRole('link', { name: t(m.invoices_make_payment) })
    await expect(pay).toBeVisible()
    await waitUntilConnected(page, t)
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await page.route(`**/api${viewInvoice.path.replace(':id', '*')}`, (route) =>
      route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
    )
    const rejection = page.waitForResponse(
      (response) => response.url().includes(id) && response.status() === 403,
    )
    // A failed payment changes the invoice, so the page gets an event.
    const body = { invoiceIds: [id], paymentMethodId }
    await expect(user.call(payInvoices, { body })).rejects.toThrow()
    await rejection
    await expect(heading(page, name)).toBeVisible()
    await expect(pay).toBeVisible()
    await expect(page.getByRole('button', { name: t(m.invoices_download) })).toBeVisible()
    await expect(page.getByRole('table', { name: t(m.invoices_items) })).toBeVisible()
  })

  test('shows the time of a start in the middle of a day, also in the list', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user)
    await database.pool.query(
      "update invoices set starts_at = starts_at + interval '9 days 14 hours 30 minutes' where id = $1",
      [id],
    )
    await storeSession(page, user)
    await page.goto(invoicesPath)
    await expect(page.getByText(t(m.invoices_dates_utc))).toBeVisible()
    await page
      .getByRole('rowheader')
      .getByRole('link', { name: /14:30 UTC/ })
      .click()
    await expect(heading(page, /14:30 UTC/)).toBeVisible()
  })

  test('shows an error when its PDF fails to load', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user)
    await storeSession(page, user)
    await page.route('**/api/account/invoice/pdf/*', (route) =>
      route.fulfill({ status: 404, json: { code: 404, error: 'invoice_not_found' } }),
    )
    await page.goto(invoicePath(id))
    await page.getByRole('button', { name: t(m.invoices_download) }).click()
    const message = t(m.error_invoice_not_found)
    await expect(page.getByText(t(m.invoices_download_failed, { message }))).toBeVisible()
  })
})
