import { changeEnvironment, listEnvironment } from '@slipway/contract/environment'
import type { ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { expect, test } from '../harness/test.ts'

for (const locale of testedLocales)
  test.describe(`the environment variables of a project, in ${locale}`, () => {
    test.use({ locale })

    test('are added, pasted, replaced and removed, and no value is shown', async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      const { id, key } = await insertOwnProject(database, user, { name: 'Old Mill' })
      const names = async () =>
        (await user.call(listEnvironment, { params: { id } })).variables.map(({ name }) => name)
      await storeSession(page, user)
      await page.goto(paths.project(key as ProjectKey))
      await page.getByRole('link', { name: t(m.projects_settings), exact: true }).click()
      await expect(page.getByText(t(m.environment_none))).toBeVisible()
      await expectAccessible(page)

      await page.getByRole('button', { name: t(m.environment_add) }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t(m.account_name), { exact: true }).fill('PORT')
      await dialog.getByLabel(t(m.environment_value)).fill('top secret')
      await dialog.getByRole('button', { name: t(m.shell_save) }).click()
      await expect(dialog.getByText(t(m.form_variable_reserved))).toBeVisible()
      await expectAccessible(page)
      await dialog.getByLabel(t(m.account_name), { exact: true }).fill('API_KEY')
      await dialog.getByRole('button', { name: t(m.shell_save) }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByText('API_KEY', { exact: true })).toBeVisible()

      await page.getByRole('button', { name: t(m.environment_paste) }).click()
      await dialog.getByLabel(t(m.environment_file)).fill('A=1\nnothing')
      await dialog.getByRole('button', { name: t(m.shell_save) }).click()
      await expect(dialog.getByText(t(m.environment_wrong_lines, { lines: '2' }))).toBeVisible()
      await dialog.getByLabel(t(m.environment_file)).fill('A=1\nB="two"')
      await dialog.getByRole('button', { name: t(m.shell_save) }).click()
      await expect(dialog).toBeHidden()
      expect(await names()).toEqual(['A', 'API_KEY', 'B'])

      await page
        .getByRole('button', { name: t(m.environment_remove_named, { name: 'A' }), exact: true })
        .click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: t(m.environment_remove), exact: true })
        .click()
      await expect(page.getByText('A', { exact: true })).toHaveCount(0)
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      expect(await names()).toEqual(['API_KEY', 'B'])
      await page.reload()
      await expect(page.getByText('API_KEY', { exact: true })).toBeVisible()
      expect(await page.content()).not.toContain('top secret')
    })
  })

test('the key and the ID are at the end of the settings', async ({
  page,
  t,
  newUser,
  database,
}) => {
  const user = await newUser()
  const { id, key } = await insertOwnProject(database, user, { name: 'Old Mill' })
  await storeSession(page, user)
  await page.goto(paths.projectSettings(key as ProjectKey))
  await expect(page.getByRole('heading', { name: t(m.environment_title) })).toBeVisible()
  const last = page.getByRole('main').getByRole('region').last()
  for (const text of [key, id]) await expect(last.getByText(text, { exact: true })).toBeVisible()
  await expect(page.getByText(id, { exact: true })).toHaveCount(1)
})

test('a variable that another user adds appears at once', async ({ page, newUser, database }) => {
  const user = await newUser()
  const { id, key } = await insertOwnProject(database, user, { name: 'Old Mill' })
  await storeSession(page, user)
  await page.goto(paths.projectSettings(key as ProjectKey))
  await user.call(changeEnvironment, { params: { id }, body: { set: { FROM_ELSEWHERE: '1' } } })
  await expect(page.getByText('FROM_ELSEWHERE', { exact: true })).toBeVisible()
})
