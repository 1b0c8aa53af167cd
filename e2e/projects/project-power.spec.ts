import type { Page } from '@playwright/test'
import { resumeProject, suspendProject } from '@slipway/contract/operator'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { everyLocale } from '../harness/locales.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

const state = (page: Page, text: string) =>
  page.getByRole('main').getByText(text, { exact: true }).first()

async function choose(page: Page, t: Translate, entry: string) {
  await page.getByRole('button', { name: t(m.projects_menu) }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

for (const locale of everyLocale)
  test.describe(`the power of a project, in ${locale}`, () => {
    test.use({ locale })

    test("is changed in the project's menu, after a dialog that says what visitors see and what is billed", async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      const { key, defaultUrl } = await createReadyProject(user, 'İskele Kitabevi')
      await storeSession(page, user)
      await page.goto(`/projects/view/${key}`)

      await choose(page, t, t(m.projects_stop))
      const dialog = page.getByRole('alertdialog')
      const { host } = new URL(defaultUrl)
      await expect(dialog).toContainText(t(m.projects_stop_visitors, { host }))
      await expect(dialog).toContainText(t(m.projects_stop_billing))
      await expectAccessible(page)
      await dialog.getByRole('button', { name: t(m.projects_stop_confirm) }).click()
      await expect(dialog).toBeHidden()
      await expect(state(page, t(m.projects_state_stopped))).toBeVisible()
      await expect(page.getByText(t(m.projects_hint_stopped))).toBeVisible()
      await expectAccessible(page)

      await page
        .getByRole('main')
        .getByRole('button', { name: t(m.projects_start) })
        .click()
      await expect(state(page, t(m.projects_state_ready))).toBeVisible()
      await choose(page, t, t(m.projects_restart))
      await expect(state(page, t(m.projects_state_ready))).toBeVisible()
    })

    test('is changed in its settings', async ({ page, t, newUser }) => {
      const user = await newUser()
      const { key } = await createReadyProject(user, 'İskele Kitabevi')
      await storeSession(page, user)
      await page.goto(`/projects/view/${key}/settings`)
      const card = page.getByRole('region', { name: t(m.projects_power) })
      await card.getByRole('button', { name: t(m.projects_stop), exact: true }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByRole('button', { name: t(m.projects_stop_confirm) }).click()
      await expect(card.getByText(t(m.projects_hint_stopped))).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await expectAccessible(page)
      await card.getByRole('button', { name: t(m.projects_start), exact: true }).click()
      await expect(card.getByText(t(m.projects_power_running))).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await card.getByRole('button', { name: t(m.projects_restart) }).click()
      await expect(card.getByText(t(m.projects_state_ready), { exact: true })).toBeVisible()
    })

    test('shows why an operator suspended the project, and what to do', async ({
      page,
      t,
      newUser,
      operator,
    }) => {
      const user = await newUser()
      const { key } = await createReadyProject(user, 'İskele Kitabevi')
      await storeSession(page, user)
      await page.goto(`/projects/view/${key}`)
      await expect(state(page, t(m.projects_state_ready))).toBeVisible()

      await operator(suspendProject, { params: { key }, body: { reason: 'unpaid' } })
      await expect(state(page, t(m.projects_state_suspended))).toBeVisible()
      await expect(page.getByText(t(m.projects_suspended_unpaid))).toBeVisible()
      const pay = page.getByRole('alert').getByRole('link', { name: t(m.invoices_make_payment) })
      await expect(pay).toHaveAttribute('href', '/account/billing/invoices/pay')
      await expectAccessible(page)
      await page.getByRole('button', { name: t(m.projects_menu) }).click()
      await expect(page.getByRole('menuitem')).toHaveCount(1)
      await page.keyboard.press('Escape')

      await operator(resumeProject, { params: { key } })
      await expect(state(page, t(m.projects_state_ready))).toBeVisible()
    })
  })
