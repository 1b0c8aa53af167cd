import {
  listInvoices,
  listUnpaidInvoices,
  payInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { hour } from '@slipway/contract/limits'
import { formatCharge, formatMoney, formatUtcDate, m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { addCard, cardNumbers, fillCardForm } from '../harness/billing-screens.ts'
import {
  declinedCard,
  expireCard,
  insertInvoice,
  insertUnpaidInvoices,
  invoicePath,
  invoicesPath,
  payButton,
  payPath,
  publishInvoiceChange,
  setPaymentState,
  timeoutCard,
} from '../harness/invoice-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { watchPendingCalls } from '../harness/pending-calls.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

/** The number of checked boxes when all invoices are selected: Select all is a box, too. */
const allSelected = (invoices: number) => invoices + 1

for (const locale of testedLocales)
  test.describe(`the payment of invoices, in ${locale}`, () => {
    test.use({ locale })

    test('leads from the invoice to the receipt, and charges once for several clicks', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const id = await insertInvoice(database, user, {
        items: [{ name: 'Harbour Cafe', hours: 3, price: '4.11500' }],
        age: hour,
      })
      await insertInvoice(database, user, { monthsAgo: 2 })
      await addCard(user)
      await storeSession(page, user)
      await page.goto(invoicePath(id))
      await page.getByRole('link', { name: t(m.invoices_make_payment) }).click()
      await expect(heading(page, t(m.payments_screen_title))).toBeVisible()
      await expect(page).toHaveURL(`${payPath}?invoice=${id}`)

      // The invoice of the link is selected, although the other one is overdue.
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1)
      await expect(page.getByRole('status')).toContainText([formatMoney('12.34500', t.locale)])
      const charged = t(m.payments_screen_charged, {
        amount: formatCharge('12.34500', t.locale),
      })
      await expect(page.getByText(charged)).toBeVisible()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }

      const requests: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') requests.push(request.url())
      })
      await payButton(page, t, '12.35').dblclick()
      await expect(page.getByText(t(m.payments_screen_paid))).toBeVisible()
      await expect(page).toHaveURL(invoicePath(id))
      await expect(page.getByText(t(m.invoices_state_paid), { exact: true })).toBeVisible()
      await expect(page.getByText(/4242/)).toBeVisible()
      expect(requests).toHaveLength(1)
      await expectAccessible(page)
    })

    test('requires at least one selected invoice', async ({ page, t, newUser, database }) => {
      const user = await newUser()
      await insertInvoice(database, user)
      await insertInvoice(database, user, { monthsAgo: 2 })
      const expired = await addCard(user, cardNumbers.troy)
      await expireCard(database, expired.id)
      await addCard(user)
      await storeSession(page, user)
      await page.goto(payPath)

      const selectAll = page.getByRole('checkbox', { name: t(m.payments_screen_select_all) })
      await expect(selectAll).toBeChecked()
      await expect(page.getByRole('radio').and(page.locator(':disabled'))).toHaveCount(1)
      await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()
      await expect(page.getByText(t(m.cards_expired), { exact: true })).toBeVisible()
      await selectAll.focus()
      await page.keyboard.press('Space')
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
      await page
        .getByRole('button', { name: t(m.payments_screen_pay_nothing), exact: true })
        .click()
      await expect(page.getByText(t(m.form_select_invoice))).toBeVisible()
      await expect(selectAll).toBeFocused()
      await expect(selectAll).toHaveAccessibleDescription(t(m.form_select_invoice))
      // The navigation hides half of the link above, which is then too small to touch.
      await page.evaluate('scrollTo(0, 0)')
      await expectAccessible(page)
    })

    test('leads a user without a card to adding one, and back', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const id = await insertInvoice(database, user)
      await storeSession(page, user)
      await page.goto(`${payPath}?invoice=${id}`)
      await expect(page.getByText(t(m.payments_screen_no_methods_hint))).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: t(m.cards_add) }).click()
      await expect(page).toHaveURL(/payment-methods\/add\?next=/)
      await fillCardForm(page, t)
      await page.getByLabel(t(m.cards_number), { exact: true }).fill(cardNumbers.troy)
      await page.getByRole('button', { name: t(m.cards_add_action) }).click()
      await expect(page).toHaveURL(
        ({ pathname, searchParams }) => pathname === payPath && searchParams.get('invoice') === id,
      )
      await expect(page.getByRole('radio')).toBeChecked()
      await payButton(page, t, '8.40').click()
      await expect(page).toHaveURL(invoicePath(id))
    })
  })

test('a user whose cards are all expired is led to adding another card', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const user = await newUser()
  await insertInvoice(database, user)
  await expireCard(database, (await addCard(user)).id)
  await storeSession(page, user)
  await page.goto(payPath)
  await expect(page.getByText(t(m.payments_screen_no_methods_hint))).toBeVisible()
  await expect(page.getByRole('radio')).toBeDisabled()
  await payButton(page, t, '8.40').click()
  await expect(page.getByRole('alert')).toHaveText(t(m.form_select_payment_method))
  await expectAccessible(page)
  await page.getByRole('link', { name: t(m.cards_add) }).click()
  await expect(page).toHaveURL(/payment-methods\/add\?next=/)
})

test('more invoices than one payment accepts are rejected with the limit', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const user = await newUser()
  await insertUnpaidInvoices(database, user, 101)
  await addCard(user)
  await storeSession(page, user)
  await page.goto(payPath)
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(100)
  const selectAll = page.getByRole('checkbox', { name: t(m.payments_screen_select_all) })
  await selectAll.check()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(allSelected(101))
  await payButton(page, t, '848.40').click()
  await expect(page.getByText(t(m.form_too_many_invoices))).toBeVisible()
  await expect(selectAll).toBeFocused()
})

test.describe('a payment', () => {
  test('that the bank declines shows why and keeps the selection; another card pays', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertInvoice(database, user)
    await insertInvoice(database, user, { monthsAgo: 2 })
    await addCard(user, declinedCard)
    await addCard(user)
    await storeSession(page, user)
    await page.goto(payPath)
    const chosen = page.getByRole('checkbox', { checked: true })
    await expect(chosen).toHaveCount(allSelected(2))
    await payButton(page, t, '16.80').click()
    await expect(page.getByRole('alert')).toContainText(t(m.payments_failure_card_declined))
    const reason = t(m.payments_failure_card_declined)
    await expect(page.getByText(t(m.payments_screen_last_failure, { reason }))).toHaveCount(2)
    await expect(chosen).toHaveCount(allSelected(2))
    await expectAccessible(page)

    await page.getByRole('radio', { name: /4242/ }).check()
    await payButton(page, t, '16.80').click()
    await expect(page.getByText(t(m.payments_screen_paid))).toBeVisible()
    await expect(page).toHaveURL(invoicesPath)
    const { items } = await user.call(listInvoices, { query: {} })
    expect(items.every(({ paidAt }) => paidAt !== null)).toBe(true)
    const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
    await expect(rows).toHaveCount(2)
    for (const row of await rows.all()) await expect(row).toContainText(t(m.invoices_state_paid))
  })

  test('that the bank declines after the page was refetched keeps the selection', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user)
    await insertInvoice(database, user, { monthsAgo: 2 })
    await addCard(user, declinedCard)
    await storeSession(page, user)
    await page.goto(payPath)
    await waitUntilConnected(page, t)
    const chosen = page.getByRole('checkbox', { checked: true })
    await expect(chosen).toHaveCount(allSelected(2))
    await page.route(`**/api${payInvoices.path}`, async (route) => {
      // Meanwhile the page receives the invoices in progress.
      const refetched = page.waitForResponse((response) =>
        response.url().endsWith(listUnpaidInvoices.path),
      )
      await setPaymentState(database, user, 'in_progress')
      await publishInvoiceChange(database, id)
      await (await refetched).finished()
      await setPaymentState(database, user, null)
      await route.continue()
    })
    await payButton(page, t, '16.80').click()
    await expect(page.getByRole('alert')).toContainText(t(m.payments_failure_card_declined))
    await expect(chosen).toHaveCount(allSelected(2))
  })

  test('whose invoices leave the list before its response opens the paid invoices', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertInvoice(database, user)
    await insertInvoice(database, user, { monthsAgo: 2 })
    await addCard(user)
    await storeSession(page, user)
    await page.goto(payPath)
    await waitUntilConnected(page, t)
    await page.route(`**/api${payInvoices.path}`, async (route) => {
      const refetched = page.waitForResponse(
        async (response) =>
          response.url().endsWith(listUnpaidInvoices.path) && (await response.json()).length === 0,
      )
      const response = await route.fetch()
      await refetched
      await route.fulfill({ response })
    })
    await payButton(page, t, '16.80').click()
    await expect(page.getByText(t(m.payments_screen_paid))).toBeVisible()
    await expect(page).toHaveURL(invoicesPath)
  })

  test('with an unknown outcome is in progress in every tab until it is known', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user)
    await addCard(user, timeoutCard)
    await storeSession(page, user)
    await page.goto(`${payPath}?invoice=${id}`)
    const otherTab = await page.context().newPage()
    await otherTab.goto(payPath)
    await waitUntilConnected(otherTab, t)
    await payButton(page, t, '8.40').click()

    // The other tab cannot select the invoice.
    const choice = otherTab.getByRole('checkbox')
    await expect(choice).toBeDisabled()
    await expect(choice).not.toBeChecked()
    await expect(otherTab.getByText(t(m.payments_screen_in_progress))).toBeVisible()
    await expectAccessible(otherTab)

    await expect(page).toHaveURL(invoicePath(id))
    await expect(page.getByText(t(m.invoices_payment_in_progress_hint))).toBeVisible()
    const { dueAt } = await user.call(viewInvoice, { params: { id } })
    const day = formatUtcDate(dueAt, t.locale, { month: 'long', year: true })
    await expect(page.getByText(t(m.invoices_due_in_progress, { day }))).toBeVisible()
    await expect(page.getByRole('link', { name: t(m.invoices_make_payment) })).toHaveCount(0)
    await expectAccessible(page)
    await expect(page.getByText(t(m.invoices_now_paid))).toBeVisible({ timeout: 60_000 })
    await expect(otherTab.getByText(t(m.payments_screen_nothing))).toBeVisible()
  })

  test('of an invoice that is paid in another browser says so and shows the remaining ones', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user)
    await insertInvoice(database, user, { monthsAgo: 2 })
    await addCard(user)
    // This page receives no event before it pays.
    const before = await user.call(listUnpaidInvoices)
    let isPaying = false
    await page.route('**/api/account/invoice/unpaid', (route) =>
      isPaying ? route.continue() : route.fulfill({ json: before }),
    )
    await page.route('**/api/account/invoice/pay', (route) => {
      isPaying = true
      return route.continue()
    })
    await storeSession(page, user)
    const waitUntilUpToDate = watchPendingCalls(page)
    await page.goto(payPath)
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(allSelected(2))
    await waitUntilUpToDate(t)
    await database.pool.query(
      "update invoices set paid_at = now(), payment_state = 'succeeded' where id = $1",
      [id],
    )
    await payButton(page, t, '16.80').click()
    await expect(page.getByRole('alert')).toContainText(t(m.error_invoice_already_paid))
    await expect(page.getByRole('checkbox')).toHaveCount(1)
    await payButton(page, t, '8.40').click()
    await expect(page.getByText(t(m.payments_screen_paid))).toBeVisible()
  })
})
