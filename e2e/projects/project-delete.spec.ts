import type { ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { insertOwnProject, openDeleteDialog, openOwnProject } from '../harness/project-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of testedLocales)
  test.describe(`deleting a project, in ${locale}`, () => {
    test.use({ locale })

    test('requires the name of a live project', async ({ page, t, newUser }) => {
      const user = await newUser()
      const name = 'İskele Kitabevi'
      const { key, defaultUrl } = await createReadyProject(user, name)
      await storeSession(page, user)
      await page.goto(`/projects/view/${key}`)
      const dialog = await openDeleteDialog(page, t)
      const field = dialog.getByRole('textbox', { name: t(m.projects_delete_type, { name }) })
      await expect(field).toBeFocused()
      const { host } = new URL(defaultUrl)
      await expect(dialog).toContainText(t(m.projects_delete_warning, { host }))
      await expectAccessible(page)

      await page.keyboard.press('Enter')
      const nameError = dialog.getByRole('alert')
      await expect(nameError).toHaveText(t(m.projects_delete_type_again, { name }))
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await field.fill('iskele kitabevi')
      await expect(nameError).toBeHidden()
      await dialog.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
      await expect(nameError).toBeVisible()
      await expect(field).toBeFocused()
      await expectAccessible(page)

      // After Cancel the dialog opens empty.
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: t(m.projects_menu) })).toBeFocused()
      await openDeleteDialog(page, t)
      await expect(field).toHaveValue('')
      await expect(nameError).toBeHidden()

      await page.keyboard.type(`  ${name} `)
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await expect(heading(page, name)).toBeFocused()
      await expect(
        page.getByRole('main').getByText(t(m.projects_state_deleted), { exact: true }),
      ).toBeVisible()
    })

    test('leads from the settings to the list, which says that it is deleted', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const { key, name } = await insertOwnProject(database, user)
      await storeSession(page, user)
      await page.goto(paths.projects())
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('link', { name: t(m.projects_settings), exact: true }).click()
      await page.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
      await expect(page).toHaveURL(paths.projects())
      await expect(heading(page, t(m.projects_title))).toBeFocused()
      const toast = page.getByRole('region', { name: t(m.shell_notifications) })
      await toast.getByText(name).hover()
      await expect(toast).toContainText(t(m.projects_deleted_toast, { name }))
      await expectAccessible(page)
      await page.goBack()
      await expect(page).toHaveURL(paths.project(key as ProjectKey))
    })

    test('requires one confirmation if there is no site yet', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      await openOwnProject(page, database, await newUser(), { state: 'failed_creating' })
      const dialog = await openDeleteDialog(page, t)
      await expect(dialog.getByRole('button', { name: t(m.shell_cancel) })).toBeFocused()
      await expect(dialog).toContainText(t(m.projects_delete_warning_unbuilt))
      await expect(dialog.getByRole('textbox')).toHaveCount(0)
      await expectAccessible(page)
    })
  })
