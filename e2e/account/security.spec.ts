import { getProfile } from '@slipway/contract/account'
import { createClient } from '@slipway/contract/client'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { expect, test } from '../harness/test.ts'
import { password, type TestUser } from '../harness/user.ts'

const newPassword = 'Another-horse8'

/** A browser of the user without a session yet. */
const client = ({ serverUrl }: TestUser, token: string | null = null) =>
  createClient({ base: `${serverUrl}/api`, token: () => token, locale: () => 'en' })

for (const locale of testedLocales)
  test.describe(`the security of an account, in ${locale}`, () => {
    test.use({ locale })

    test('a changed password signs out every other browser', async ({ page, t, newUser }) => {
      const user = await newUser()
      const body = { email: user.email, password }
      const other = client(user, (await client(user)(login, { body })).token)
      await storeSession(page, user)
      await page.goto(paths.profile())
      await page.getByRole('link', { name: t(m.account_security) }).click()
      await expect(page.getByText(t(m.account_session_this))).toBeVisible()
      await expectAccessible(page)

      const change = page.getByRole('button', { name: t(m.account_change_password) })
      const field = (name: string) => page.getByLabel(name, { exact: true })
      await field(t(m.account_current_password)).fill('Wrong-horse7')
      await field(t(m.auth_new_password)).fill(newPassword)
      await field(t(m.auth_confirm_password)).fill(newPassword)
      await change.click()
      await expect(page.getByText(t(m.form_wrong_password))).toBeVisible()
      await expect(field(t(m.account_current_password))).toBeFocused()

      await field(t(m.account_current_password)).fill(password)
      await change.click()
      await expect(page.getByText(t(m.account_password_changed))).toBeVisible()
      await expect(field(t(m.account_current_password))).toHaveValue('')
      await expect(other(getProfile)).rejects.toThrow('unauthorized')
      await expect(
        client(user)(login, { body: { email: user.email, password: newPassword } }),
      ).resolves.toHaveProperty('token')
    })

    test('each session shows its device, place and last use', async ({ page, t, newUser }) => {
      const user = await newUser()
      await fetch(`${user.serverUrl}/api${login.path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          'Time-Zone': 'America/New_York',
        },
        body: JSON.stringify({ email: user.email, password }),
      })
      await storeSession(page, user)
      await page.goto(paths.security())
      const name = t(m.account_session_agent, { browser: 'Firefox', system: 'Linux' })
      const session = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name, exact: true }) })
      await expect(session.getByText(/^New York · \S/)).toBeVisible()
      const used = session.getByText(t(m.account_session_used))
      await expect(used.getByRole('time').first()).toBeVisible()
    })

    test('one session is ended, then all others', async ({ page, t, newUser }) => {
      const user = await newUser()
      const body = { email: user.email, password }
      for (let count = 0; count < 3; count++) await client(user)(login, { body })
      await storeSession(page, user)
      await page.goto(paths.security())
      const end = page.getByRole('button', { name: t(m.account_session_end), exact: false })
      await expect(end).toHaveCount(3)
      await end.first().click()
      await expect(end).toHaveCount(2)
      await page.getByRole('button', { name: t(m.account_sessions_end_others) }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: t(m.account_sessions_end_others) })
        .click()
      await expect(page.getByText(t(m.account_sessions_others_ended))).toBeVisible()
      await expect(end).toHaveCount(0)
      await expect(page.getByText(t(m.account_session_this))).toBeVisible()
    })
  })
