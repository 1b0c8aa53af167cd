import type { Page } from '@playwright/test'
import { payInvoices, viewInvoice } from '@slipway/contract/invoices'
import { formatUtcDate, m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { addCard } from '../harness/billing-screens.ts'
import { insertInvoice, invoicePath } from '../harness/invoice-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

const items = Array.from({ length: 40 }, (_, index) => ({
  name: `Example site ${index + 1}`,
  discount: index % 2 ? '0.00250' : null,
}))

/** The number of A4 sheets that the page takes. */
async function sheetsOf(page: Page) {
  const pdf = await page.pdf({ format: 'A4', printBackground: false })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length
}

for (const locale of testedLocales)
  test.describe(`a printed invoice, in ${locale}`, () => {
    test.use({ locale, colorScheme: 'dark' })

    test('shows its dates and its table in black on white, without controls', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const { id: paymentMethodId, billingName } = await addCard(user)
      const id = await insertInvoice(database, user, { items: items.slice(0, 3) })
      await storeSession(page, user)
      await page.goto(invoicePath(id))
      await expect(page.getByRole('table', { name: t(m.invoices_items) })).toBeVisible()
      // The width of A4 between its margins.
      await page.setViewportSize({ width: 673, height: 1000 })
      await page.emulateMedia({ media: 'print' })

      await expect(page.getByRole('navigation')).toHaveCount(0)
      await expect(page.getByRole('complementary')).toHaveCount(0)
      await expect(page.getByRole('button').and(page.locator(':not(th *)'))).toHaveCount(0)
      await expect(page.getByRole('link', { name: t(m.invoices_make_payment) })).toBeHidden()
      // The brand is in the invoice itself.
      await expect(page.getByRole('banner')).toBeHidden()
      await expect(page.getByText(t(m.invoices_state_overdue), { exact: true })).toBeVisible()
      const { createdAt, issuedAt, dueAt } = await user.call(viewInvoice, { params: { id } })
      for (const [label, date] of [
        [m.invoices_start_date, createdAt],
        [m.invoices_issue_date, issuedAt ?? ''],
        [m.invoices_due_date, dueAt],
      ] as const) {
        const text = formatUtcDate(date, t.locale, { month: 'short', year: true })
        const term = page.getByRole('term').filter({ hasText: t(label) })
        await expect(term.locator('+ dd').getByText(text, { exact: true })).toBeVisible()
      }
      await expect(page.getByRole('columnheader')).toHaveText(
        [
          `${t(m.invoices_project)} / ${t(m.invoices_product)}`,
          ...[m.invoices_duration, m.invoices_price, m.invoices_discount, m.invoices_net].map(
            (header) => t(header),
          ),
        ],
        { useInnerText: true },
      )
      await expect(page.getByText(t(m.invoices_billed_to), { exact: true })).toBeVisible()
      await expect(page.getByText(billingName, { exact: true })).toBeVisible()
      await expect(page.getByText(t(m.invoices_amount_due), { exact: true })).toBeVisible()
      await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
      await expect(heading(page, /./)).toHaveCSS('color', 'rgb(0, 0, 0)')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(673)
      expect(await sheetsOf(page)).toBe(1)

      await user.call(payInvoices, { body: { invoiceIds: [id], paymentMethodId } })
      await expect(page.getByText(t(m.invoices_paid_date), { exact: true })).toBeVisible()
      expect(await sheetsOf(page)).toBe(1)
    })

    test('takes as many sheets as its rows need, and cuts none of them', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const id = await insertInvoice(database, user, { items })
      await storeSession(page, user)
      await page.goto(invoicePath(id))
      const row = page.getByRole('row').nth(1)
      await expect(page.getByRole('table', { name: t(m.invoices_items) })).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(row).toHaveCSS('break-inside', 'avoid')
      const sheets = await sheetsOf(page)
      expect(sheets).toBeGreaterThan(1)
      expect(sheets).toBeLessThan(6)
    })
  })
