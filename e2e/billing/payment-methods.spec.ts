import type { Page } from '@playwright/test'
import { listPaymentMethods, setDefaultPaymentMethod } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import {
  addCard,
  cardName,
  cardNumbers,
  cards,
  menuButton,
  overviewPath,
} from '../harness/billing-screens.ts'
import { expireCard } from '../harness/invoice-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import type { TestUser } from '../harness/user.ts'

const defaultPath = `**/api${setDefaultPaymentMethod.path.replace(':id', '*')}`

/**
 * Adds two cards, the first of which is the default, opens the overview and returns their names.
 */
async function openTwoCards(page: Page, t: Translate, user: TestUser) {
  await addCard(user, cardNumbers.visa)
  await addCard(user, cardNumbers.troy)
  await storeSession(page, user)
  await page.goto(overviewPath)
  return {
    visa: cardName(t, m.cards_visa, cardNumbers.visa),
    troy: cardName(t, m.cards_troy, cardNumbers.troy),
  }
}

test.describe('the list of payment methods', () => {
  test('moves the default to the top at once', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { visa, troy } = await openTwoCards(page, t, user)
    await expect(cards(page, t)).toContainText([visa, troy])
    let respond = () => {}
    const response = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.route(defaultPath, async (route) => {
      await response
      await route.continue()
    })

    await menuButton(page, t, troy).click()
    await page.getByRole('menuitem', { name: t(m.cards_mark_default) }).click()
    await expect(cards(page, t)).toContainText([troy, visa])
    await expect(cards(page, t).first()).toContainText(t(m.cards_default))
    await expect(cards(page, t).last()).not.toContainText(t(m.cards_default))
    await expect(menuButton(page, t, troy)).toBeFocused()
    respond()
    await expect(page.getByText(t(m.cards_default_toast, { card: troy }))).toBeVisible()
    await expect(cards(page, t)).toContainText([troy, visa])
    expect((await user.call(listPaymentMethods))[0]?.cardAssoc).toBe('troy')
  })

  test('moves the default back when the server rejects the change', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { visa, troy } = await openTwoCards(page, t, user)
    await page.route(defaultPath, (route) =>
      route.fulfill({ status: 404, json: { code: 404, error: 'payment_method_not_found' } }),
    )
    await menuButton(page, t, troy).click()
    await page.getByRole('menuitem', { name: t(m.cards_mark_default) }).click()
    const reason = t(m.error_payment_method_not_found)
    await expect(page.getByText(t(m.cards_default_failed, { card: troy, reason }))).toBeVisible()
    await expect(cards(page, t)).toContainText([visa, troy])
    await expect(cards(page, t).first()).toContainText(t(m.cards_default))
  })

  test("offers each card's actions by keyboard", async ({ page, t, newUser }) => {
    const user = await newUser()
    const { visa, troy } = await openTwoCards(page, t, user)

    await menuButton(page, t, visa).press('Enter')
    await expect(page.getByRole('menuitem')).toHaveText([
      t(m.cards_edit),
      `${t(m.cards_delete)}${t(m.cards_delete_hint)}`,
    ])
    await expect(page.getByRole('menuitem').last()).toBeDisabled()
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(menuButton(page, t, visa)).toBeFocused()

    await menuButton(page, t, troy).press('ArrowDown')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', {
      name: t(m.cards_delete_title, { card: troy }),
    })
    await expect(dialog.getByRole('button', { name: t(m.shell_cancel) })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(menuButton(page, t, troy)).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: t(m.cards_delete_confirm) }).click()
    await expect(dialog).toBeHidden()
    await expect(cards(page, t)).toHaveCount(1)
    await expect(heading(page, t(m.invoices_overview_title))).toBeFocused()
    await expect(page.getByText(t(m.cards_deleted_toast, { card: troy }))).toBeVisible()
  })

  test('explains why the only card cannot be deleted', async ({ page, t, newUser }) => {
    const user = await newUser()
    await addCard(user)
    await storeSession(page, user)
    await page.goto(overviewPath)
    await menuButton(page, t, cardName(t, m.cards_visa, cardNumbers.visa)).click()
    await expect(page.getByRole('menuitem').last()).toHaveText(
      `${t(m.cards_delete)}${t(m.cards_delete_hint_only)}`,
    )
  })

  test('marks an expired card', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const { id } = await addCard(user)
    await expireCard(database, id)
    await storeSession(page, user)
    await page.goto(overviewPath)
    await expect(cards(page, t).first()).toContainText(t(m.cards_expired))
    await expect(cards(page, t).first()).toContainText(t(m.cards_expired_on, { date: '12/25' }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
  })
})

for (const locale of testedLocales)
  test.describe(`the billing address of a card, in ${locale}`, () => {
    test.use({ locale })

    test('is changed in a dialog', async ({ page, t, newUser }) => {
      const user = await newUser()
      await addCard(user)
      const card = cardName(t, m.cards_visa, cardNumbers.visa)
      await storeSession(page, user)
      await page.goto(overviewPath)
      await menuButton(page, t, card).press('Enter')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: t(m.cards_edit_title, { card }) })
      const name = dialog.getByLabel(t(m.cards_billing_name), { exact: true })
      await expect(name).toBeFocused()
      await expect(name).toHaveValue('Ada Example')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }

      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(menuButton(page, t, card)).toBeFocused()

      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      await page.keyboard.press('Enter')
      await name.fill('Al')
      await dialog.getByLabel(t(m.cards_address), { exact: true }).fill('')
      await dialog.getByRole('button', { name: t(m.shell_save) }).click()
      await expect(dialog.getByText(t(m.form_enter_billing_name))).toBeVisible()
      await expect(dialog.getByText(t(m.form_enter_billing_address))).toBeVisible()
      await expect(name).toBeFocused()

      await name.fill('Işıl Ticaret A.Ş.')
      await dialog.getByLabel(t(m.cards_address), { exact: true }).fill('Rıhtım Caddesi 5')
      await dialog
        .getByLabel(t(m.cards_country), { exact: true })
        .selectOption({ label: t(m.cards_country_england) })
      await dialog.getByLabel(t(m.cards_tax_number), { exact: true }).fill('1234567890')
      await dialog.getByRole('button', { name: t(m.shell_save) }).click()
      await expect(dialog).toBeHidden()
      await expect(menuButton(page, t, card)).toBeFocused()
      await expect(cards(page, t).first()).toContainText('Işıl Ticaret A.Ş.')
      await expect(page.getByText(t(m.cards_edited_toast, { card }))).toBeVisible()
      expect(await user.call(listPaymentMethods)).toMatchObject([
        {
          billingName: 'Işıl Ticaret A.Ş.',
          address: 'Rıhtım Caddesi 5',
          country: 'England',
          taxNumber: '1234567890',
        },
      ])
    })
  })
