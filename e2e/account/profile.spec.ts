import { getProfile } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of testedLocales)
  test.describe(`the profile, in ${locale}`, () => {
    test.use({ locale })

    test("shows the user's data, and a new name also in the navigation", async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser({ name: 'Before Rename' })
      await storeSession(page, user)
      await page.goto('/projects')
      await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
      await page.getByRole('menuitem', { name: t(m.shell_account) }).click()
      await expect(heading(page, t(m.account_profile))).toBeVisible()
      const initials = page.locator('[data-initials]')
      const userMenu = page.getByRole('button', { name: t(m.shell_user_menu) })
      await expect(userMenu.locator(initials)).toHaveAttribute('data-initials', 'BR')
      const header = page.getByRole('main').locator('header')
      await expect(header.locator(initials)).toHaveAttribute('data-initials', 'BR')
      await expect(header.locator(initials)).toBeVisible()
      await expect(page.getByText(user.email.split('@')[0] ?? '', { exact: true })).toBeVisible()
      await expect(page.getByText(user.email, { exact: true })).toBeVisible()
      await expect(page.getByText(t(m.account_password_hidden), { exact: true })).toBeAttached()
      await expectAccessible(page)

      await page
        .getByRole('button', { name: t(m.shell_edit, { label: t(m.account_name) }) })
        .click()
      const field = page.getByRole('textbox', { name: t(m.account_name) })
      await field.fill(' ab ')
      await page.getByRole('button', { name: t(m.shell_save) }).click()
      await expect(page.getByText(t(m.form_enter_name))).toBeVisible()
      await field.fill('After Rename')
      await page.getByRole('button', { name: t(m.shell_save) }).click()
      await expect(page.getByRole('main').getByText('After Rename')).toBeVisible()
      for (const place of [userMenu, header])
        await expect(place.locator(initials)).toHaveAttribute('data-initials', 'AR')
      await userMenu.click()
      await expect(page.getByRole('menu').getByText('After Rename')).toBeVisible()
      await page.keyboard.press('Escape')

      await expect(page.getByText(t(m.account_delete_text))).toBeVisible()
      await page.getByRole('button', { name: t(m.account_delete) }).click()
      await expect(page.getByText(t(m.account_not_implemented))).toBeVisible()
      await expectAccessible(page)
    })
  })

test('the user menu opens by a click during which the profile arrives', async ({
  page,
  t,
  newUser,
}) => {
  await storeSession(page, await newUser())
  const arrival = Promise.withResolvers<void>()
  await page.route(`**/api${getProfile.path}`, async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.goto('/projects')
  const button = page.getByRole('button', { name: t(m.shell_user_menu) })
  await button.hover()
  await page.mouse.down()
  arrival.resolve()
  await expect(button.locator('[data-initials=""]')).toHaveCount(0)
  await page.mouse.up()
  await expect(page.getByRole('menuitem', { name: t(m.shell_account) })).toBeVisible()
})
