import type { Page } from '@playwright/test'
import { createPaymentMethod } from '@slipway/contract/payment-method-forms'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import {
  addCard,
  cardName,
  cardNumbers,
  cards,
  fillCardForm,
  nextYear,
  overviewPath,
} from '../harness/billing-screens.ts'
import { insertUnpaidInvoices } from '../harness/invoice-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

const addPath = '/account/billing/payment-methods/add'
const payPath = '/account/billing/invoices/pay'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const number = (page: Page, t: Translate) => field(page, t(m.cards_number))
const send = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.cards_add_action), exact: true })

/** The field's text, with a bar at the caret. */
const withCaret = (page: Page, t: Translate) =>
  number(page, t).evaluate((element) => {
    const { value, selectionStart } = element as unknown as {
      value: string
      selectionStart: number
    }
    return `${value.slice(0, selectionStart)}|${value.slice(selectionStart)}`
  })

for (const locale of testedLocales)
  test.describe(`adding a card, in ${locale}`, () => {
    test.use({ locale })

    test('leads from the empty overview to the first card, which is the default', async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser({ name: 'Işıl Örnek' })
      await storeSession(page, user)
      await page.goto(overviewPath)
      await page.getByRole('link', { name: t(m.cards_add) }).click()
      await expect(page).toHaveURL(addPath)
      await expect(field(page, t(m.cards_billing_name))).toHaveValue('Işıl Örnek')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }

      await number(page, t).pressSequentially(cardNumbers.troy)
      await expect(number(page, t)).toHaveValue('9792 0303 9444 0796')
      await expect(
        page.getByText(t(m.cards_number_recognized, { brand: t(m.cards_troy) })),
      ).toBeAttached()
      await fillCardForm(page, t)
      await send(page, t).click()

      await expect(page).toHaveURL(new RegExp(`${overviewPath}#card-`))
      await expect(cards(page, t).first()).toBeFocused()
      await expect(cards(page, t).first()).toBeInViewport({ ratio: 1 })
      const card = cardName(t, m.cards_troy, cardNumbers.troy)
      await expect(page.getByText(t(m.cards_added_toast, { card }))).toBeVisible()
      await expect(cards(page, t).first()).toContainText(card)
      await expect(cards(page, t).first()).toContainText(t(m.cards_default))
      await expect(cards(page, t).first()).toContainText(
        t(m.cards_expires, { date: `01/${nextYear().slice(2)}` }),
      )
      expect(await user.call(listPaymentMethods)).toMatchObject([
        { cardAssoc: 'troy', lastDigits: '0796', country: 'Turkey', district: 'Kadıköy' },
      ])
      const storage = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
      )
      expect(storage).not.toMatch(/9792|0303|9444/)
    })

    test('shows the error at each field', async ({ page, t, newUser }) => {
      await storeSession(page, await newUser())
      await page.goto(addPath)
      await field(page, t(m.cards_billing_name)).fill('Al')
      await send(page, t).click()
      for (const [label, message] of [
        [m.cards_number, m.form_enter_card_number],
        [m.cards_holder, m.form_enter_card_holder],
        [m.cards_expire_month, m.form_enter_expiry_month],
        [m.cards_expire_year, m.form_enter_expiry_year],
        [m.cards_billing_name, m.form_enter_billing_name],
        [m.cards_address, m.form_enter_billing_address],
        [m.cards_district, m.form_enter_district],
        [m.cards_city, m.form_enter_city],
        [m.cards_country, m.form_select_country],
      ] as const) {
        await expect(field(page, t(label))).toHaveAttribute('aria-invalid', 'true')
        await expect(field(page, t(label))).toHaveAccessibleDescription(
          new RegExp(`^${t(message)}`),
        )
      }
      await expect(number(page, t)).toBeFocused()
      await expectAccessible(page)
    })
  })

test.describe('the card number field', () => {
  test.beforeEach(async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto(addPath)
    await number(page, t).focus()
  })

  test('keeps the caret during typing, deleting and pasting', async ({ page, t }) => {
    const { keyboard } = page
    await keyboard.type('42424242')
    expect(await withCaret(page, t)).toBe('4242 4242|')
    await keyboard.press('Home')
    for (let steps = 0; steps < 2; steps++) await keyboard.press('ArrowRight')
    await keyboard.type('19')
    expect(await withCaret(page, t)).toBe('4219 |4242 42')
    await keyboard.press('Backspace')
    expect(await withCaret(page, t)).toBe('421|4 2424 2')
    await keyboard.press('Backspace')
    expect(await withCaret(page, t)).toBe('42|42 4242')
    await keyboard.type('x')
    expect(await withCaret(page, t)).toBe('42|42 4242')
    await keyboard.press('Delete')
    await keyboard.press('Delete')
    expect(await withCaret(page, t)).toBe('42|42 42')
    await keyboard.insertText('1-1 1')
    expect(await withCaret(page, t)).toBe('4211 1|424 2')
    await keyboard.press('ControlOrMeta+a')
    await keyboard.insertText(' 4242-4242 4242-4242 ')
    expect(await withCaret(page, t)).toBe('4242 4242 4242 4242|')
  })

  test('rejects a 15-digit association at once, without moving the layout', async ({ page, t }) => {
    const expectMessage = (message: typeof m.cards_number_digits) =>
      expect(number(page, t)).toHaveAccessibleDescription(t(message))
    const next = field(page, t(m.cards_holder))
    await expectMessage(m.cards_number_digits)
    const before = await next.boundingBox()
    await page.keyboard.type('3')
    await expectMessage(m.cards_number_digits)
    await page.keyboard.type('7')
    await expectMessage(m.cards_number_fifteen)
    expect(await next.boundingBox()).toEqual(before)
    await page.keyboard.press('Backspace')
    await expectMessage(m.cards_number_digits)
    // On a phone either text takes one line: space for a second one would be a gap.
    await page.setViewportSize({ width: 390, height: 844 })
    const line = await page.getByText(t(m.cards_number_digits)).boundingBox()
    expect(line?.height).toBeLessThan(30)
  })

  test('is validated on blur, and not before', async ({ page, t }) => {
    const message = page.getByText(t(m.form_enter_card_number))
    await page.keyboard.type('4242424242424241')
    await expect(message).toBeHidden()
    await page.keyboard.press('Tab')
    await expect(message).toBeVisible()
    await expect(number(page, t)).toHaveAttribute('aria-invalid', 'true')
    await number(page, t).press('End')
    await page.keyboard.press('Backspace')
    await expect(message).toBeHidden()
    await page.keyboard.type('2')
    await page.keyboard.press('Tab')
    await expect(number(page, t)).not.toHaveAttribute('aria-invalid')
  })
})

test('an expired card is reported at its month and its year', async ({ page, t, newUser }) => {
  // In the middle of the year some of its months have passed.
  const year = new Date().getUTCFullYear()
  await page.clock.setFixedTime(Date.UTC(year, 5, 15))
  await storeSession(page, await newUser())
  await page.goto(addPath)
  await field(page, t(m.cards_expire_month)).selectOption('01')
  await field(page, t(m.cards_expire_year)).selectOption(String(year))
  await expect(page.getByText(t(m.form_card_expired))).toHaveCount(2)
  await field(page, t(m.cards_expire_year)).selectOption(nextYear())
  await expect(page.getByText(t(m.form_card_expired))).toHaveCount(0)
})

test("the browser's autofill fills the card form", async ({ page, t, newUser }) => {
  await storeSession(page, await newUser())
  await page.goto(addPath)
  for (const [label, hint] of [
    [m.cards_number, 'cc-number'],
    [m.cards_holder, 'cc-name'],
    [m.cards_expire_month, 'cc-exp-month'],
    [m.cards_expire_year, 'cc-exp-year'],
    [m.cards_billing_name, 'billing name'],
    [m.cards_address, 'billing street-address'],
    [m.cards_district, 'billing address-level3'],
    [m.cards_city, 'billing address-level2'],
    [m.cards_country, 'billing country-name'],
  ] as const)
    await expect(field(page, t(label))).toHaveAttribute('autocomplete', hint)
  await expect(number(page, t)).toHaveAttribute('inputmode', 'numeric')
  // Autofill enters the whole number at once, without blanks.
  await number(page, t).fill(cardNumbers.visa)
  await expect(number(page, t)).toHaveValue('4242 4242 4242 4242')
})

test('a card that the gateway rejects shows why and keeps the input', async ({
  page,
  t,
  newUser,
}) => {
  await storeSession(page, await newUser())
  await page.goto(addPath)
  await page.route(`**/api${createPaymentMethod.path}`, (route) =>
    route.fulfill({
      status: 402,
      json: { code: 402, error: 'payment_failed', context: 'card_declined' },
    }),
  )
  await number(page, t).fill(cardNumbers.visa)
  await fillCardForm(page, t)
  await send(page, t).click()
  await expect(page.getByRole('alert')).toHaveText(t(m.payments_screen_declined))
  await expect(number(page, t)).toHaveValue('4242 4242 4242 4242')
  await expectAccessible(page)
})

test('a user who comes from the payment returns to it with the new card and the same invoices', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const user = await newUser()
  await insertUnpaidInvoices(database, user, 3)
  await addCard(user, cardNumbers.troy)
  await storeSession(page, user)
  await page.goto(payPath)
  // The first checkbox selects all.
  const invoice = (index: number) => page.getByRole('checkbox').nth(index)
  await invoice(2).uncheck()
  await page.getByRole('link', { name: t(m.cards_add) }).click()
  await expect(page).toHaveURL((url) => url.pathname === addPath)
  await number(page, t).fill(cardNumbers.visa)
  await fillCardForm(page, t)
  await send(page, t).click()
  await expect(page).toHaveURL((url) => url.pathname === payPath)
  await expect(page.getByRole('radio').nth(1)).toBeChecked()
  await expect(invoice(1)).toBeChecked()
  await expect(invoice(2)).toBeChecked({ checked: false })
  await expect(invoice(3)).toBeChecked()

  await page.goto(`${addPath}?next=${encodeURIComponent('//evil.example')}`)
  await page.getByRole('link', { name: t(m.shell_cancel) }).click()
  await expect(page).toHaveURL(overviewPath)
})
