import { getActiveInvoice, listUnpaidInvoices, payInvoices } from '@slipway/contract/invoices'
import { day, hour, minute } from '@slipway/contract/limits'
import { formatCharge, formatMoney, formatPeriod, formatUtcDate, m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { addCard, cards, insertUsage, overviewPath } from '../harness/billing-screens.ts'
import { insertInvoice } from '../harness/invoice-screens.ts'
import { everyLocale } from '../harness/locales.ts'
import { rejectCalls } from '../harness/rejected-calls.ts'
import { heading, waitUntilConnected } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of everyLocale)
  test.describe(`the billing overview, in ${locale}`, () => {
    test.use({ locale })

    test('shows the current cost per product, project and day', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      // Started 30 minutes ago: the first hour of usage is billed and lasts for the whole test.
      const since = new Date(Date.now() - 30 * minute)
      await insertUsage(database, user, { name: 'Işıl’s Bakery', since })
      await insertUsage(database, user, { name: 'Harbour Cafe', since })
      const active = await user.call(getActiveInvoice)
      await storeSession(page, user)
      await page.goto('/projects')
      await page
        .getByRole('navigation', { name: t(m.shell_navigation) })
        .getByRole('link', { name: t(m.shell_billing), exact: true })
        .click()

      await expect(heading(page, t(m.invoices_overview_title))).toBeVisible()
      const card = page.getByRole('region', { name: t(m.invoices_active_title) })
      await expect(card).toContainText(formatMoney(active.amount, t.locale))
      const figures = page.getByRole('main').locator('dl').first()
      await expect(figures).toContainText(formatCharge(active.expected, t.locale))
      const soFar = formatCharge(active.amount, t.locale)
      await expect(figures).toContainText(t(m.invoices_due_so_far, { amount: soFar }))
      await expect(card).toContainText(String(new Date().getUTCFullYear()))
      const table = page.getByRole('table', { name: t(m.invoices_active_items) })
      for (const { projectName, runningHours, totalAmount } of active.items) {
        const row = table.getByRole('row').filter({ hasText: projectName })
        await expect(row).toContainText(
          t(m.invoices_hours, { count: runningHours, hours: `${runningHours}` }),
        )
        await expect(row).toContainText(formatMoney(totalAmount, t.locale))
      }
      // Both have the same price, which the total states once.
      await expect(table).toContainText(`× ${formatMoney(active.items[0]?.price ?? '', t.locale)}`)
      await expect(page.getByText(t(m.invoices_hours_rule, { hours: 672, days: 28 }))).toBeVisible()
      const days = page.getByRole('table', { name: t(m.invoices_active_chart) })
      await expect(days.getByRole('row')).toHaveCount(active.days.length + 1)
      await expect(days).toContainText(t(m.invoices_active_today))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }
    })

    test('shows what to do when nothing runs', async ({ page, t, newUser }) => {
      await storeSession(page, await newUser())
      await page.goto(overviewPath)
      await expect(page.getByText(t(m.invoices_active_empty))).toBeVisible()
      await expect(page.getByText(t(m.cards_empty))).toBeVisible()
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expectAccessible(page)
      await page.getByRole('link', { name: t(m.invoices_active_create) }).click()
      await expect(page).toHaveURL('/projects/create')
    })
  })

test('the amount due, its date and the card are shown first', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const user = await newUser()
  await insertInvoice(database, user, { age: hour, items: [{ name: 'Shop', price: '0.03485' }] })
  const [invoice] = await user.call(listUnpaidInvoices)
  const card = await addCard(user)
  await storeSession(page, user)
  await page.goto(overviewPath)
  const figures = page.getByRole('main').locator('dl').first()
  await expect(figures).toContainText(
    `${t(m.invoices_amount_due)}${formatCharge('23.42', t.locale)}`,
  )
  const due = Date.parse(invoice?.issuedAt ?? '') + day
  const dueDay = formatUtcDate(due, t.locale, { month: 'long', year: true })
  await expect(figures).toContainText(t(m.invoices_due_now, { day: dueDay }))
  await expect(figures).toContainText(card.lastDigits)
  await expectAccessible(page)
  await page
    .getByRole('main')
    .getByRole('link', { name: t(m.invoices_overview_pay) })
    .click()
  await expect(page).toHaveURL('/account/billing/invoices/pay')
})

test.describe('the cost chart', () => {
  test('is read by pointer and by keys, one day at a time', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertUsage(database, user, { since: new Date(Date.now() - 30 * minute) })
    const { days } = await user.call(getActiveInvoice)
    await storeSession(page, user)
    await page.goto(overviewPath)
    const chart = page.getByRole('slider', { name: t(m.invoices_active_chart_read) })
    const today = days.findIndex(({ date }) => date === new Date().toISOString().slice(0, 10))
    await expect(chart).toHaveAttribute('aria-valuenow', String(today + 1))
    await expect(chart).toHaveAttribute('aria-valuemax', String(days.length))

    await chart.focus()
    await page.keyboard.press('Home')
    await expect(chart).toHaveAttribute('aria-valuenow', '1')
    await page.keyboard.press('ArrowLeft')
    await expect(chart).toHaveAttribute('aria-valuenow', '1')
    await page.keyboard.press('ArrowRight')
    await expect(chart).toHaveAttribute('aria-valuenow', '2')
    await page.keyboard.press('End')
    const last = days.at(-1)
    await expect(chart).toHaveAttribute(
      'aria-valuetext',
      new RegExp(`${formatCharge(last?.expected ?? '', t.locale).replace('$', '\\$')}(?!\\d)`),
    )

    const box = await chart.boundingBox()
    if (!box) throw new Error('the chart is not shown')
    await page.mouse.move(box.x + 2, box.y + box.height / 2)
    await expect(chart).toHaveAttribute('aria-valuenow', '1')
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2)
    await expect(chart).toHaveAttribute('aria-valuenow', String(days.length))
    await page.mouse.move(box.x, box.y - 200)
    await expect(chart).toHaveAttribute('aria-valuenow', String(today + 1))
  })
})

test.describe('the banner of unpaid invoices', () => {
  test('appears 24 hours after the issue, shows count and sum, and leads to the payment', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertInvoice(database, user, { age: day - hour })
    await storeSession(page, user)
    await page.goto(overviewPath)
    await expect(page.getByText(t(m.invoices_active_empty))).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)

    await insertInvoice(database, user, {
      monthsAgo: 2,
      age: day + minute,
      items: [{ name: 'Harbour Cafe', hours: 1, price: '1200.00001' }],
    })
    await insertInvoice(database, user, {
      monthsAgo: 3,
      age: 9 * day,
      items: [{ name: 'Harbour Cafe', hours: 100, price: '0.34500' }],
    })
    await page.reload()
    const warning = page.getByRole('alert')
    const issues = (await user.call(listUnpaidInvoices)).map(({ issuedAt }) =>
      Date.parse(issuedAt ?? ''),
    )
    await expect(warning).toContainText(
      t(m.invoices_overview_overdue, {
        count: 2,
        amount: formatCharge('1234.50001', t.locale),
        day: formatUtcDate(Math.min(...issues) + day, t.locale, { month: 'long', year: true }),
      }),
    )
    // The figures have only what is due later.
    await expect(page.getByRole('main').locator('dl').first()).toContainText(
      `${t(m.invoices_amount_due)}${formatCharge('8.40', t.locale)}`,
    )
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    await warning.getByRole('link', { name: t(m.invoices_overview_pay) }).click()
    await expect(page).toHaveURL('/account/billing/invoices/pay')
  })

  test('appears on an open page once 24 hours have passed', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user, { age: day - hour })
    await page.clock.install()
    await storeSession(page, user)
    await page.goto(overviewPath)
    await expect(page.getByText(t(m.invoices_active_empty))).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await database.pool.query(
      "update invoices set issued_at = issued_at - interval '2 hours' where id = $1",
      [id],
    )
    await page.clock.fastForward(5 * minute)
    await expect(page.getByRole('alert')).toBeVisible()
  })

  test('disappears once the invoice is paid in another browser', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const id = await insertInvoice(database, user, { age: 2 * day })
    const { id: paymentMethodId } = await addCard(user)
    await storeSession(page, user)
    await page.goto(overviewPath)
    await waitUntilConnected(page, t)
    await expect(page.getByRole('alert')).toBeVisible()
    await user.call(payInvoices, { body: { invoiceIds: [id], paymentMethodId } })
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(cards(page, t)).toHaveCount(1)
  })
})

test('an ended period without an invoice yet is still shown', async ({ page, t, newUser }) => {
  const user = await newUser()
  const active = await user.call(getActiveInvoice)
  const awaiting = { createdAt: '2026-10-01T00:00:00.000Z', endsAt: '2026-11-01T00:00:00.000Z' }
  await page.route(`**/api${getActiveInvoice.path}`, (route) =>
    route.fulfill({ json: { ...active, awaiting } }),
  )
  await storeSession(page, user)
  await page.goto(overviewPath)
  const period = formatPeriod(awaiting.createdAt, awaiting.endsAt, t.locale)
  await expect(page.getByText(t(m.invoices_awaiting, { period }))).toBeVisible()
  await expectAccessible(page)
})

test('a failed request shows an error that can be retried', async ({ page, t, newUser }) => {
  await storeSession(page, await newUser())
  const { allowAtClick } = await rejectCalls(page, getActiveInvoice.path)
  await page.goto(overviewPath)
  const failed = t(m.shell_loading_failed, { item: t(m.invoices_overview_item_active) })
  await expect(page.getByText(failed)).toBeVisible()
  await expectAccessible(page)
  await allowAtClick(page.getByRole('button', { name: t(m.shell_retry) }))
  await expect(page.getByText(t(m.invoices_active_empty))).toBeVisible()
})
