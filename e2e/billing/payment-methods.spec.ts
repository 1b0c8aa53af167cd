import type { Page } from '@playwright/test'
import { listPaymentMethods, setDefaultPaymentMethod } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import {
  addCard,
  cardNamed,
  cardNumbers,
  cards,
  menuButton,
  overviewPath,
} from '../harness/billing-screens.ts'
import { expireCard } from '../harness/invoice-screens.ts'
import { locales } from '../harness/locales.ts'
import { heading, signIn } from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Say } from '../harness/texts.ts'
import type { Person } from '../harness/user.ts'

const defaultPath = `**/api${setDefaultPaymentMethod.path.replace(':id', '*')}`

/** Gives the person two cards, the first of which is the default, and opens the overview; gives their names. */
async function openTwoCards(page: Page, say: Say, person: Person) {
  await addCard(person, cardNumbers.visa)
  await addCard(person, cardNumbers.troy)
  await signIn(page, person)
  await page.goto(overviewPath)
  return {
    visa: cardNamed(say, m.cards_visa, cardNumbers.visa),
    troy: cardNamed(say, m.cards_troy, cardNumbers.troy),
  }
}

test.describe('the list of payment methods', () => {
  test('moves the default to the top at once', async ({ page, say, newPerson }) => {
    const person = await newPerson()
    const { visa, troy } = await openTwoCards(page, say, person)
    await expect(cards(page, say)).toContainText([visa, troy])
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(defaultPath, async (route) => {
      await held
      await route.continue()
    })

    await menuButton(page, say, troy).click()
    await page.getByRole('menuitem', { name: say(m.cards_mark_default) }).click()
    await expect(cards(page, say)).toContainText([troy, visa])
    await expect(cards(page, say).first()).toContainText(say(m.cards_default))
    await expect(cards(page, say).last()).not.toContainText(say(m.cards_default))
    await expect(menuButton(page, say, troy)).toBeFocused()
    answer()
    await expect(page.getByText(say(m.cards_default_toast, { card: troy }))).toBeVisible()
    await expect(cards(page, say)).toContainText([troy, visa])
    expect((await person.call(listPaymentMethods))[0]?.cardAssoc).toBe('troy')
  })

  test('puts the default back when the server says no', async ({ page, say, newPerson }) => {
    const person = await newPerson()
    const { visa, troy } = await openTwoCards(page, say, person)
    await page.route(defaultPath, (route) =>
      route.fulfill({ status: 404, json: { code: 404, error: 'payment_method_not_found' } }),
    )
    await menuButton(page, say, troy).click()
    await page.getByRole('menuitem', { name: say(m.cards_mark_default) }).click()
    const reason = say(m.error_payment_method_not_found)
    await expect(page.getByText(say(m.cards_default_failed, { card: troy, reason }))).toBeVisible()
    await expect(cards(page, say)).toContainText([visa, troy])
    await expect(cards(page, say).first()).toContainText(say(m.cards_default))
  })

  test('offers by keys what can be done with each card', async ({ page, say, newPerson }) => {
    const person = await newPerson()
    const { visa, troy } = await openTwoCards(page, say, person)

    await menuButton(page, say, visa).press('Enter')
    await expect(page.getByRole('menuitem')).toHaveText([
      say(m.cards_edit),
      `${say(m.cards_delete)}${say(m.cards_delete_hint)}`,
    ])
    await expect(page.getByRole('menuitem').last()).toBeDisabled()
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(menuButton(page, say, visa)).toBeFocused()

    await menuButton(page, say, troy).press('ArrowDown')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', {
      name: say(m.cards_delete_title, { card: troy }),
    })
    await expect(dialog.getByRole('button', { name: say(m.shell_cancel) })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(menuButton(page, say, troy)).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: say(m.cards_delete_confirm) }).click()
    await expect(dialog).toBeHidden()
    await expect(cards(page, say)).toHaveCount(1)
    await expect(heading(page, say(m.invoices_overview_title))).toBeFocused()
    await expect(page.getByText(say(m.cards_deleted_toast, { card: troy }))).toBeVisible()
  })

  test('says how the only card could be deleted', async ({ page, say, newPerson }) => {
    const person = await newPerson()
    await addCard(person)
    await signIn(page, person)
    await page.goto(overviewPath)
    await menuButton(page, say, cardNamed(say, m.cards_visa, cardNumbers.visa)).click()
    await expect(page.getByRole('menuitem').last()).toHaveText(
      `${say(m.cards_delete)}${say(m.cards_delete_hint_only)}`,
    )
  })

  test('says which card has expired', async ({ page, say, newPerson, database }) => {
    const person = await newPerson()
    const { id } = await addCard(person)
    await expireCard(database, id)
    await signIn(page, person)
    await page.goto(overviewPath)
    await expect(cards(page, say).first()).toContainText(say(m.cards_expired))
    await expect(cards(page, say).first()).toContainText(say(m.cards_expired_on, { date: '12/25' }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
  })
})

for (const locale of locales)
  test.describe(`the billing address of a card, in ${locale}`, () => {
    test.use({ locale })

    test('is changed in a dialog', async ({ page, say, newPerson }) => {
      const person = await newPerson()
      await addCard(person)
      const card = cardNamed(say, m.cards_visa, cardNumbers.visa)
      await signIn(page, person)
      await page.goto(overviewPath)
      await menuButton(page, say, card).press('Enter')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: say(m.cards_edit_title, { card }) })
      const name = dialog.getByLabel(say(m.cards_billing_name), { exact: true })
      await expect(name).toBeFocused()
      await expect(name).toHaveValue('Ada Example')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }

      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(menuButton(page, say, card)).toBeFocused()

      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      await page.keyboard.press('Enter')
      await name.fill('Al')
      await dialog.getByLabel(say(m.cards_address), { exact: true }).fill('')
      await dialog.getByRole('button', { name: say(m.shell_save) }).click()
      await expect(dialog.getByText(say(m.form_enter_billing_name))).toBeVisible()
      await expect(dialog.getByText(say(m.form_enter_billing_address))).toBeVisible()
      await expect(name).toBeFocused()

      await name.fill('Işıl Ticaret A.Ş.')
      await dialog.getByLabel(say(m.cards_address), { exact: true }).fill('Rıhtım Caddesi 5')
      await dialog
        .getByLabel(say(m.cards_country), { exact: true })
        .selectOption({ label: say(m.cards_country_england) })
      await dialog.getByRole('button', { name: say(m.shell_save) }).click()
      await expect(dialog).toBeHidden()
      await expect(menuButton(page, say, card)).toBeFocused()
      await expect(cards(page, say).first()).toContainText('Işıl Ticaret A.Ş.')
      await expect(page.getByText(say(m.cards_edited_toast, { card }))).toBeVisible()
      expect(await person.call(listPaymentMethods)).toMatchObject([
        { billingName: 'Işıl Ticaret A.Ş.', address: 'Rıhtım Caddesi 5', country: 'England' },
      ])
    })
  })
