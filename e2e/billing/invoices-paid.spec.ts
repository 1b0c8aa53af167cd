import { payInvoices, viewInvoice } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import { formatCharge, formatMoney, formatUtcDate, localizedName, m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { addCard } from '../harness/billing-screens.ts'
import { insertInvoice, invoicePath } from '../harness/invoice-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of testedLocales)
  test.describe(`a paid invoice, in ${locale}`, () => {
    test.use({ locale })

    test('shows the charge, its rounding and the billing address, also in print', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const ids = [
        await insertInvoice(database, user, { items: [{ name: 'Shop', price: '0.03485' }] }),
        await insertInvoice(database, user, { monthsAgo: 2, items: [{ name: 'Shop' }] }),
      ]
      const card = await addCard(user)
      const [one = '', other = ''] = ids
      for (const id of ids)
        await user.call(payInvoices, { body: { invoiceIds: [id], paymentMethodId: card.id } })
      const { chargedAmount = '' } =
        (await user.call(viewInvoice, { params: { id: one } })).charge ?? {}
      expect(chargedAmount).toBe('23.42')
      const paidOn = formatUtcDate(Date.now(), t.locale, { month: 'long', year: true })
      const cardText = t(m.cards_name, { brand: t(m.cards_visa), digits: card.lastDigits })
      await storeSession(page, user)
      await page.goto(invoicePath(one))
      const details = page.getByRole('main')
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media })
        for (const text of [
          t(m.invoices_paid_with_card, { day: paidOn, card: cardText }),
          t(m.invoices_rounding),
          card.billingName,
          card.address,
          `${card.district}, ${card.city}`,
          t(m.cards_country_turkey),
          user.email,
        ])
          await expect(details.getByText(text, { exact: true })).toBeVisible()
      }
      await page.emulateMedia({ media: null })
      await expectAccessible(page)
      // The charge is the amount at the top.
      await expect(details.getByText(t(m.invoices_charged), { exact: true })).toHaveCount(0)
      const rows = page.getByRole('table', { name: t(m.invoices_items) }).getByRole('row')
      await expect(rows.last()).toHaveText(
        `${t(m.invoices_amount_paid)}${formatCharge(chargedAmount, t.locale)}`,
      )
      // A charge in whole cents has neither total nor rounding.
      await page.goto(invoicePath(other))
      await expect(rows.last()).toHaveText(
        `${t(m.invoices_amount_paid)}${formatCharge('8.40', t.locale)}`,
      )
      await expect(details.getByText(t(m.invoices_total), { exact: true })).toHaveCount(0)
      await expect(details.getByText(t(m.invoices_rounding))).toHaveCount(0)
    })

    test('shows that it shares a charge, and explains why a project is listed twice', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const id = await insertInvoice(database, user, {
        items: [
          { name: 'Shop', hours: 216 },
          { name: 'Shop', hours: 456, discount: '0.00250' },
        ],
      })
      // The same project, with a discount from the tenth day on.
      await database.pool.query(
        `update invoice_items set starts_at = starts_at + interval '9 days', (project_id, project_key) =
           (select project_id, project_key from invoice_items where invoice_id = $1 and discount is null)
         where invoice_id = $1 and discount is not null`,
        [id],
      )
      const other = await insertInvoice(database, user, { monthsAgo: 2 })
      const { id: paymentMethodId } = await addCard(user)
      await user.call(payInvoices, { body: { invoiceIds: [id, other], paymentMethodId } })
      const { items, createdAt } = await user.call(viewInvoice, { params: { id } })
      expect(new Set(items.map(({ projectId }) => projectId)).size).toBe(1)
      await storeSession(page, user)
      await page.goto(invoicePath(id))
      const tenth = Date.parse(createdAt) + 9 * day
      const texts = {
        day: formatUtcDate(tenth, t.locale, { month: 'long' }),
        product: localizedName({ en: 'Website', tr: 'Web sitesi' }, t.locale),
      }
      const rows = page.getByRole('table', { name: t(m.invoices_items) }).getByRole('row')
      await expect(rows.nth(1)).toContainText(t(m.invoices_line_before, texts))
      await expect(rows.nth(2)).toContainText(t(m.invoices_line_discount_begins, texts))
      await expect(page.getByText(t(m.invoices_discount_rule))).toBeVisible()
      await expect(
        page.getByText(
          t(m.invoices_charge_together, {
            count: 2,
            amount: formatMoney('15.66000', t.locale),
          }),
        ),
      ).toBeVisible()
      await expectAccessible(page)
    })
  })
