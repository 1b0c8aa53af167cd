import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { locales } from '../harness/locales.ts'
import { askToDelete, openOwnProject } from '../harness/project-screens.ts'
import { readyProject } from '../harness/ready-project.ts'
import { heading, signIn } from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of locales)
  test.describe(`deleting a project, in ${locale}`, () => {
    test.use({ locale })

    test('asks for its name where a site would go, by keyboard alone', async ({
      page,
      say,
      newPerson,
    }) => {
      const person = await newPerson()
      const name = 'İskele Kitabevi'
      const { key, defaultUrl } = await readyProject(person, name)
      await signIn(page, person)
      await page.goto(`/projects/view/${key}`)
      const dialog = await askToDelete(page, say)
      const field = dialog.getByRole('textbox', { name: say(m.projects_delete_type, { name }) })
      await expect(field).toBeFocused()
      const { host } = new URL(defaultUrl)
      await expect(dialog).toContainText(say(m.projects_delete_warning, { host }))
      await expectAccessible(page)

      await page.keyboard.press('Enter')
      const refused = dialog.getByRole('alert')
      await expect(refused).toHaveText(say(m.projects_delete_type_again, { name }))
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await field.fill('iskele kitabevi')
      await expect(refused).toBeHidden()
      await dialog.getByRole('button', { name: say(m.projects_delete_confirm) }).click()
      await expect(refused).toBeVisible()
      await expect(field).toBeFocused()
      await expectAccessible(page)

      // Whoever thinks better of it begins anew the next time.
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: say(m.projects_menu) })).toBeFocused()
      await askToDelete(page, say)
      await expect(field).toHaveValue('')
      await expect(refused).toBeHidden()

      await page.keyboard.type(`  ${name} `)
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await expect(heading(page, name)).toBeFocused()
      await expect(
        page.getByRole('main').getByText(say(m.projects_state_deleted), { exact: true }),
      ).toBeVisible()
    })

    test('asks once where there is no site yet', async ({ page, say, newPerson, database }) => {
      await openOwnProject(page, database, await newPerson(), { state: 'failed_creating' })
      const dialog = await askToDelete(page, say)
      await expect(dialog.getByRole('button', { name: say(m.shell_cancel) })).toBeFocused()
      await expect(dialog).toContainText(say(m.projects_delete_warning_unbuilt))
      await expect(dialog.getByRole('textbox')).toHaveCount(0)
      await expectAccessible(page)
    })
  })
