import { m } from '@slipway/phrases'
import { hasDebianPackage } from '../../apps/server/src/testing/debian-package.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { byRole, byText, startFirefox } from '../harness/firefox.ts'
import { mailedToken } from '../harness/mailbox.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, password } from '../harness/user.ts'

const program = '/usr/bin/firefox-esr'
const name = 'Harbour Cafe'

test('the journey from sign-up to a live site and its deletion works in Firefox ESR', async ({
  t,
  service,
}) => {
  // The package has to be installed first, as root on Debian.
  test.setTimeout(300_000)
  test.skip(!(await hasDebianPackage(program, 'firefox-esr')), 'Firefox ESR is not installed')
  const firefox = await startFirefox(program)
  try {
    const page = await firefox.newPage()
    const role = (kind: string, label: string) => byRole(page, kind, label)
    const fill = (field: string, value: string) =>
      page.locator(`input[name="${field}"]`).fill(value)

    await test.step('signing up and verifying the account', async () => {
      const email = newEmail()
      await page.goto(service.url)
      await role('link', t(m.auth_sign_up)).click()
      await role('heading', t(m.auth_sign_up_title)).wait()
      await fill('name', 'Ada Example')
      await fill('email', email)
      await fill('password', password)
      await role('checkbox', t(m.captcha_label)).click()
      await page.waitForSelector('[type=checkbox]:checked')
      await role('button', t(m.auth_sign_up)).click()
      await role('heading', t(m.auth_ask_verify_title)).wait()
      const token = await mailedToken(service.url, email, 'verify')
      await page.goto(`${service.url}/auth/verify?token=${token}`)
      await byText(page, t(m.auth_verified)).wait()
      await role('button', t(m.auth_continue)).click()
      await byText(page, t(m.projects_empty)).wait()
    })

    await test.step('a new project becomes Ready while the page is open', async () => {
      await role('link', t(m.projects_create)).click()
      await role('heading', t(m.projects_create_title)).wait()
      await fill('name', name)
      await page.locator('[type=radio][value=eu]').click()
      await role('button', t(m.projects_create)).click()
      await role('heading', name).wait()
      await byText(page, t(m.projects_live_title)).wait()
    })

    const key = /\/projects\/view\/([a-z0-9-]+)/.exec(page.url())?.[1] ?? ''
    await test.step('its site is live', async () => {
      const site = await firefox.newPage()
      await site.goto(`http://${key}.localhost:${service.sitesPort}/`)
      await byText(site, name).wait()
      await site.close()
    })

    await test.step('the project is deleted after a confirmation', async () => {
      await role('button', t(m.projects_menu)).click()
      await role('menuitem', t(m.projects_delete)).click()
      await page.locator('[role=alertdialog] input').fill(name)
      await role('button', t(m.projects_delete_confirm)).click()
      await until(
        async () => (await sitePage(service.sitesPort, `${key}.localhost`)).status === 404,
      )
      await byText(page, t(m.projects_state_deleted)).wait()
    })

    await test.step('logging out ends at the login page', async () => {
      await role('button', t(m.shell_user_menu)).click()
      await role('menuitem', t(m.shell_logout)).click()
      await role('heading', t(m.auth_login_title)).wait()
    })
    expect(firefox.errors).toEqual([])
  } finally {
    await firefox.close()
  }
})
