import { listInvoices, listUnpaidInvoices } from '@slipway/contract/invoices'
import { hour } from '@slipway/contract/limits'
import { formatCharge, formatMoney } from '@slipway/contract/money'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
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
  silentCard,
} from '../harness/invoice-screens.ts'
import { locales } from '../harness/locales.ts'
import { watchCalls } from '../harness/pending-calls.ts'
import { heading, signIn } from '../harness/screens.ts'
import { connected } from '../harness/support-screens.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of locales)
  test.describe(`paying, in ${locale}`, () => {
    test.use({ locale })

    test('goes from the invoice to the receipt, once, however often it is pressed', async ({
      page,
      say,
      newPerson,
      database,
    }) => {
      const person = await newPerson()
      const id = await insertInvoice(database, person, {
        items: [{ name: 'Harbour Cafe', hours: 3, price: '4.11500' }],
        age: hour,
      })
      await insertInvoice(database, person, { monthsAgo: 2 })
      await addCard(person)
      await signIn(page, person)
      await page.goto(invoicePath(id))
      await page.getByRole('link', { name: say(m.invoices_make_payment) }).click()
      await expect(heading(page, say(m.payments_screen_title))).toBeVisible()
      await expect(page).toHaveURL(`${payPath}?invoice=${id}`)

      // The one it came from, though the other is overdue.
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1)
      await expect(page.getByRole('status')).toContainText([formatMoney('12.34500', say.locale)])
      const charged = say(m.payments_screen_charged, {
        amount: formatCharge('12.34500', say.locale),
      })
      await expect(page.getByText(charged)).toBeVisible()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }

      const asked: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') asked.push(request.url())
      })
      await payButton(page, say, '12.35').dblclick()
      await expect(page.getByText(say(m.payments_screen_paid))).toBeVisible()
      await expect(page).toHaveURL(invoicePath(id))
      await expect(page.getByText(say(m.invoices_state_paid), { exact: true })).toBeVisible()
      await expect(page.getByText(/4242/)).toBeVisible()
      expect(asked).toHaveLength(1)
      await expectAccessible(page)
    })

    test('needs an invoice: it says so where none is chosen', async ({
      page,
      say,
      newPerson,
      database,
    }) => {
      const person = await newPerson()
      await insertInvoice(database, person)
      await insertInvoice(database, person, { monthsAgo: 2 })
      const expired = await addCard(person, cardNumbers.troy)
      await expireCard(database, expired.id)
      await addCard(person)
      await signIn(page, person)
      await page.goto(payPath)

      const all = page.getByRole('checkbox', { name: say(m.payments_screen_select_all) })
      await expect(all).toBeChecked()
      await expect(page.getByRole('radio').and(page.locator(':disabled'))).toHaveCount(1)
      await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()
      await expect(page.getByText(say(m.payments_screen_expired))).toBeVisible()
      await all.focus()
      await page.keyboard.press('Space')
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
      await page
        .getByRole('button', { name: say(m.payments_screen_pay_nothing), exact: true })
        .click()
      await expect(page.getByText(say(m.form_select_invoice))).toBeVisible()
      await expect(all).toBeFocused()
      // Half behind the navigation, the link above is too small for a finger until one scrolls.
      await page.evaluate('scrollTo(0, 0)')
      await expectAccessible(page)
    })

    test('without a card leads to adding one, and back', async ({
      page,
      say,
      newPerson,
      database,
    }) => {
      const person = await newPerson()
      const id = await insertInvoice(database, person)
      await signIn(page, person)
      await page.goto(`${payPath}?invoice=${id}`)
      await expect(page.getByText(say(m.payments_screen_no_methods_hint))).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: say(m.payments_screen_add_card) }).click()
      await expect(page).toHaveURL(/payment-methods\/add\?next=/)
      await fillCardForm(page, say)
      await page.getByLabel(say(m.cards_number), { exact: true }).fill(cardNumbers.troy)
      await page.getByRole('button', { name: say(m.cards_add_action) }).click()
      await expect(page).toHaveURL(
        ({ pathname, searchParams }) => pathname === payPath && searchParams.get('invoice') === id,
      )
      await expect(page.getByRole('radio')).toBeChecked()
      await payButton(page, say, '8.40').click()
      await expect(page).toHaveURL(invoicePath(id))
    })
  })

test('with cards alone that have expired asks for another one, and leads to adding it', async ({
  page,
  say,
  newPerson,
  database,
}) => {
  const person = await newPerson()
  await insertInvoice(database, person)
  await expireCard(database, (await addCard(person)).id)
  await signIn(page, person)
  await page.goto(payPath)
  await expect(page.getByText(say(m.payments_screen_no_methods_hint))).toBeVisible()
  await expect(page.getByRole('radio')).toBeDisabled()
  await payButton(page, say, '8.40').click()
  await expect(page.getByRole('alert')).toHaveText(say(m.form_select_payment_method))
  await expectAccessible(page)
  await page.getByRole('link', { name: say(m.payments_screen_add_card) }).click()
  await expect(page).toHaveURL(/payment-methods\/add\?next=/)
})

test('more invoices than one payment takes is refused with how many it takes', async ({
  page,
  say,
  newPerson,
  database,
}) => {
  const person = await newPerson()
  await insertUnpaidInvoices(database, person, 101)
  await addCard(person)
  await signIn(page, person)
  await page.goto(payPath)
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(100)
  const all = page.getByRole('checkbox', { name: say(m.payments_screen_select_all) })
  await all.check()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(102)
  await payButton(page, say, '848.40').click()
  await expect(page.getByText(say(m.form_too_many_invoices))).toBeVisible()
  await expect(all).toBeFocused()
})

test.describe('a payment', () => {
  test('that the bank declines says why, and keeps what was chosen; another card pays', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const person = await newPerson()
    await insertInvoice(database, person)
    await insertInvoice(database, person, { monthsAgo: 2 })
    await addCard(person, declinedCard)
    await addCard(person)
    await signIn(page, person)
    await page.goto(payPath)
    const chosen = page.getByRole('checkbox', { checked: true })
    await expect(chosen).toHaveCount(3)
    await payButton(page, say, '16.80').click()
    await expect(page.getByRole('alert')).toContainText(say(m.payments_failure_card_declined))
    const reason = say(m.payments_failure_card_declined)
    await expect(page.getByText(say(m.payments_screen_last_failure, { reason }))).toHaveCount(2)
    await expect(chosen).toHaveCount(3)
    await expectAccessible(page)

    await page.getByRole('radio', { name: /4242/ }).check()
    await payButton(page, say, '16.80').click()
    await expect(page.getByText(say(m.payments_screen_paid))).toBeVisible()
    await expect(page).toHaveURL(invoicesPath)
    const { items } = await person.call(listInvoices, { query: {} })
    expect(items.every(({ paidAt }) => paidAt !== null)).toBe(true)
    const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
    await expect(rows).toHaveCount(2)
    for (const row of await rows.all()) await expect(row).toContainText(say(m.invoices_state_paid))
  })

  test('whose outcome is not known is in progress, here and there, until it is', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const person = await newPerson()
    const id = await insertInvoice(database, person)
    await addCard(person, silentCard)
    await signIn(page, person)
    await page.goto(`${payPath}?invoice=${id}`)
    const elsewhere = await page.context().newPage()
    await elsewhere.goto(payPath)
    await connected(elsewhere, say)
    await payButton(page, say, '8.40').click()

    // In the other tab it cannot be chosen any more.
    const choice = elsewhere.getByRole('checkbox')
    await expect(choice).toBeDisabled()
    await expect(choice).not.toBeChecked()
    await expect(elsewhere.getByText(say(m.payments_screen_in_progress))).toBeVisible()
    await expectAccessible(elsewhere)

    await expect(page).toHaveURL(invoicePath(id))
    await expect(page.getByText(say(m.invoices_payment_in_progress_hint))).toBeVisible()
    await expect(page.getByRole('link', { name: say(m.invoices_make_payment) })).toHaveCount(0)
    await expectAccessible(page)
    await expect(page.getByText(say(m.invoices_now_paid))).toBeVisible({ timeout: 60_000 })
    await expect(elsewhere.getByText(say(m.payments_screen_nothing))).toBeVisible()
  })

  test('of what is paid already in another browser says so, and shows what is left', async ({
    page,
    say,
    newPerson,
    database,
  }) => {
    const person = await newPerson()
    const id = await insertInvoice(database, person)
    await insertInvoice(database, person, { monthsAgo: 2 })
    await addCard(person)
    // Nobody tells this page before it pays.
    const before = await person.call(listUnpaidInvoices)
    let isPaying = false
    await page.route('**/api/account/invoice/unpaid', (route) =>
      isPaying ? route.continue() : route.fulfill({ json: before }),
    )
    await page.route('**/api/account/invoice/pay', (route) => {
      isPaying = true
      return route.continue()
    })
    await signIn(page, person)
    const upToDate = watchCalls(page)
    await page.goto(payPath)
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(3)
    await upToDate(say)
    await database.pool.query(
      "update invoices set paid_at = now(), payment_state = 'succeeded' where id = $1",
      [id],
    )
    await payButton(page, say, '16.80').click()
    await expect(page.getByRole('alert')).toContainText(say(m.error_invoice_already_paid))
    await expect(page.getByRole('checkbox')).toHaveCount(1)
    await payButton(page, say, '8.40').click()
    await expect(page.getByText(say(m.payments_screen_paid))).toBeVisible()
  })
})
