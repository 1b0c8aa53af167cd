import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { locales } from '../harness/locales.ts'
import { heading, signIn } from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of locales)
  test.describe(`the profile, in ${locale}`, () => {
    test.use({ locale })

    test('shows who one is, and a new name in the navigation', async ({ page, say, newPerson }) => {
      const person = await newPerson({ name: 'Before Rename' })
      await signIn(page, person)
      await page.goto('/projects')
      await page.getByRole('button', { name: say(m.shell_user_menu) }).click()
      await page.getByRole('menuitem', { name: say(m.shell_account) }).click()
      await expect(heading(page, say(m.account_profile))).toBeVisible()
      await expect(page.getByText(person.email.split('@')[0] ?? '', { exact: true })).toBeVisible()
      await expect(page.getByText(person.email, { exact: true })).toBeVisible()
      await expect(page.getByText(say(m.account_password_hidden), { exact: true })).toBeAttached()
      await expectAccessible(page)

      await page
        .getByRole('button', { name: say(m.shell_edit, { label: say(m.account_name) }) })
        .click()
      const field = page.getByRole('textbox', { name: say(m.account_name) })
      await field.fill(' ab ')
      await page.getByRole('button', { name: say(m.shell_save) }).click()
      await expect(page.getByText(say(m.form_enter_name))).toBeVisible()
      await field.fill('After Rename')
      await page.getByRole('button', { name: say(m.shell_save) }).click()
      await expect(page.getByRole('main').getByText('After Rename')).toBeVisible()
      await page.getByRole('button', { name: say(m.shell_user_menu) }).click()
      await expect(page.getByRole('menu').getByText('After Rename')).toBeVisible()
      await page.keyboard.press('Escape')

      await expect(page.getByText(say(m.account_delete_text))).toBeVisible()
      await page.getByRole('button', { name: say(m.account_delete) }).click()
      await expect(page.getByText(say(m.account_not_implemented))).toBeVisible()
      await expectAccessible(page)
    })
  })
