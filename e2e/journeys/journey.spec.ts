import { m } from '@slipway/phrases'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import {
  fillSignUp,
  logOut,
  sendSignUp,
  solveCaptcha,
  submitLogin,
} from '../harness/auth-screens.ts'
import { projectRow, selectRegion } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, password } from '../harness/user.ts'

const journeys = [
  { language: 'English', locale: 'en-GB', name: 'Ada Example', site: 'Harbour Cafe' },
  { language: 'Turkish', locale: 'tr-TR', name: 'Örnek Kişi', site: 'İnci Gülşen Çiçekçilik' },
]

for (const { language, locale, name, site } of journeys) {
  test.describe(`the journey from sign-up to a live site, in ${language}`, () => {
    test.use({ locale })

    test('every screen works and is accessible', async ({ page, t, service }) => {
      const email = newEmail()

      await test.step('the start page is the login', async () => {
        await page.goto('/')
        await expect(heading(page, t(m.auth_login_title))).toBeVisible()
        await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2))
        await expectAccessible(page)
      })

      await test.step('signing up sends an email', async () => {
        await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
        await expect(heading(page, t(m.auth_sign_up_title))).toBeVisible()
        await fillSignUp(page, t, { name, email, password })
        await solveCaptcha(page, t)
        await expectAccessible(page)
        await sendSignUp(page, t)
        await expect(heading(page, t(m.auth_ask_verify_title))).toBeVisible()
        await expect(page.getByText(t(m.auth_ask_verify_sent_to, { email }))).toBeVisible()
        await expectAccessible(page)
      })

      await test.step('its link verifies the account', async () => {
        await page.goto('/mailbox')
        await expectAccessible(page)
        await page
          .getByRole('listitem')
          .filter({ hasText: email })
          .getByRole('link', { name: t(m.mail_verify_subject) })
          .click()
        await expect(heading(page, t(m.mail_verify_subject))).toBeVisible()
        await expectAccessible(page)
        await page.getByRole('link', { name: /\/auth\/verify\?token=/ }).click()
        await expect(page.getByText(t(m.auth_verified))).toBeVisible()
        await expectAccessible(page)
        await page.getByRole('button', { name: t(m.auth_continue) }).click()
        await expect(page.getByText(t(m.projects_empty))).toBeVisible()
        await expectAccessible(page)
      })

      await test.step('the banner is dismissed', async () => {
        await expect(page.getByText(t(m.shell_alpha_notice))).toBeVisible()
        await page.getByRole('button', { name: t(m.shell_alpha_agree) }).click()
        await expect(page.getByText(t(m.shell_alpha_notice))).toBeHidden()
      })

      await test.step('logging out and in leads back to the projects', async () => {
        await logOut(page, t)
        await expect(heading(page, t(m.auth_login_title))).toBeVisible()
        await submitLogin(page, t, { email, password })
        await expect(page.getByText(t(m.projects_empty))).toBeVisible()
      })

      await test.step('a new project becomes Ready while the page is open', async () => {
        await page.getByRole('link', { name: t(m.projects_create) }).click()
        await expect(heading(page, t(m.projects_create_title))).toBeVisible()
        await page.getByLabel(t(m.projects_name), { exact: true }).fill(site)
        await selectRegion(page)
        await expectAccessible(page)
        await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
        await page.getByRole('button', { name: t(m.projects_create) }).click()
        await expect(heading(page, site)).toBeVisible()
        // One toast says that the project is being created, the next one that it is ready.
        const toast = page.getByText(t(m.projects_created_toast, { name: site }))
        await expect(
          toast.or(page.getByText(t(m.projects_ready_toast, { name: site }))),
        ).toBeVisible()
        await expect(
          page.getByRole('main').getByText(t(m.projects_state_ready), { exact: true }),
        ).toBeVisible()
        await expect(page.getByText(t(m.projects_live_title))).toBeVisible()
        expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
        await expectAccessible(page)
      })

      await test.step('its settings show the versions of what runs', async () => {
        await page.getByRole('link', { name: t(m.projects_settings), exact: true }).click()
        await expect(page.getByText(t(m.projects_meta_cms_version))).toBeVisible()
        await expectAccessible(page)
        await page.getByRole('link', { name: t(m.projects_tab_overview), exact: true }).click()
      })

      await test.step('the live site opens in a new tab', async () => {
        const [tab] = await Promise.all([
          page.waitForEvent('popup'),
          page.getByRole('link', { name: t(m.projects_open_named, { name: site }) }).click(),
        ])
        await expect(tab.getByRole('banner').getByText(site)).toBeVisible()
        expect(new URL(tab.url()).port).toBe(String(service.sitesPort))
        await expectAccessible(tab)
        await tab.close()
      })

      const renamed = `${site} 2`
      await test.step('the project is renamed', async () => {
        await page
          .getByRole('button', { name: t(m.shell_edit, { label: t(m.projects_name) }) })
          .click()
        await page.getByRole('textbox', { name: t(m.projects_name) }).fill(renamed)
        await expectAccessible(page)
        await page.getByRole('button', { name: t(m.shell_save) }).click()
        await expect(heading(page, renamed)).toBeVisible()
      })

      const domain = `${newEmail().split('@')[0]}.example.org`
      await test.step('the project gets a custom domain', async () => {
        await page
          .getByRole('button', { name: t(m.shell_edit, { label: t(m.projects_domain) }) })
          .click()
        await page.getByRole('textbox', { name: t(m.projects_domain) }).fill(domain)
        await page.getByRole('button', { name: t(m.shell_save) }).click()
        await expect(
          page.getByRole('main').getByText(t(m.projects_state_ready), { exact: true }),
        ).toBeVisible()
        await expect(page.getByRole('main').getByText(domain, { exact: true })).toBeVisible()
        await expectAccessible(page)
        const html = await until(async () => {
          const body = await sitePage(service.sitesPort, domain)
          return body.status === 200 && body
        })
        expect(html.body).toContain(renamed)
      })

      await test.step('the list shows the project', async () => {
        await page
          .getByRole('link', { name: t(m.projects_title), exact: true })
          .first()
          .click()
        await expect(projectRow(page, renamed)).toContainText(t(m.projects_state_ready))
        await expectAccessible(page)
        await page.getByRole('link', { name: renamed, exact: true }).click()
        await expect(heading(page, renamed)).toBeVisible()
      })

      await test.step('the project is deleted after a confirmation', async () => {
        await page.getByRole('button', { name: t(m.projects_menu) }).click()
        await expect(page.getByRole('menu')).toBeVisible()
        await expectAccessible(page)
        await page.getByRole('menuitem', { name: t(m.projects_delete) }).click()
        const dialog = page.getByRole('alertdialog', {
          name: t(m.projects_delete_title, { name: renamed }),
        })
        await expect(dialog).toContainText(domain)
        await expectAccessible(page)
        await dialog.getByRole('textbox').fill(renamed)
        await dialog.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
        await expect(dialog).toBeHidden()
        await expect(page.getByRole('button', { name: t(m.projects_menu) })).toBeHidden()
        await expect(heading(page, renamed)).toBeFocused()
        const toast = page.getByText(t(m.projects_deleting_toast, { name: renamed }))
        await expect(
          toast.or(page.getByText(t(m.projects_deleted_toast, { name: renamed }))),
        ).toBeVisible()
        await expect(
          page.getByRole('main').getByText(t(m.projects_state_deleted), { exact: true }),
        ).toBeVisible()
        await expectAccessible(page)
        await until(async () => (await sitePage(service.sitesPort, domain)).status === 404)
      })

      await test.step('logging out ends at the login page', async () => {
        await logOut(page, t)
        await expect(heading(page, t(m.auth_login_title))).toBeVisible()
        await page.goto('/projects')
        await expect(heading(page, t(m.auth_login_title))).toBeVisible()
      })
    })
  })
}
