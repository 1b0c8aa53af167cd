import { getCaptchaChallenge } from '@slipway/contract/captcha'
import { limits } from '@slipway/contract/limits'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import {
  continueWithGoogle,
  fillSignUp,
  logInWithGoogle,
  sendSignUp,
  solveCaptcha,
} from '../harness/auth-screens.ts'
import { mailedToken } from '../harness/mailbox.ts'
import { focusWindow, heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, password } from '../harness/user.ts'

const name = 'Ada Example'

test.describe('/auth/sign-up', () => {
  test('names every missing field and focuses the first', async ({ page, t }) => {
    await page.goto('/auth/sign-up')
    await sendSignUp(page, t)
    await expect(page.getByText(t(m.form_enter_your_name))).toBeVisible()
    await expect(page.getByText(t(m.form_enter_email))).toBeVisible()
    await expect(page.getByText(t(m.form_enter_strong_password))).toBeVisible()
    await expect(page.getByText(t(m.form_verify_not_robot))).toBeVisible()
    await expect(page.getByLabel(t(m.auth_name))).toBeFocused()
    await expectAccessible(page)
  })

  for (const weak of ['Short-1', 'no-upper-case7', 'NO-LOWER-CASE7', 'No-digit-here', 'NoSymbol77'])
    test(`rejects ${weak} as a password`, async ({ page, t }) => {
      await page.goto('/auth/sign-up')
      await fillSignUp(page, t, { name, email: newEmail(), password: weak })
      await sendSignUp(page, t)
      await expect(page.getByText(t(m.form_enter_strong_password))).toBeVisible()
      await expect(page.getByLabel(t(m.auth_password), { exact: true })).toBeFocused()
    })

  test('lists the characters that an email address may have when it has others', async ({
    page,
    t,
  }) => {
    const hint = page.getByText(t(m.form_email_characters))
    const field = page.getByLabel(t(m.auth_email))
    await page.goto('/auth/sign-up')
    await fillSignUp(page, t, { name, email: 'person@', password })
    await sendSignUp(page, t)
    await expect(page.getByText(t(m.form_enter_email))).toBeVisible()
    await expect(hint).toBeHidden()
    await field.fill("person's@example.com")
    await sendSignUp(page, t)
    await expect(page.getByText(t(m.form_enter_email))).toBeVisible()
    await expect(hint).toBeVisible()
    await expect(field).toHaveAccessibleDescription(
      `${t(m.form_enter_email)} ${t(m.form_email_characters)}`,
    )
    await expectAccessible(page)
    await field.fill('person+tag@example.com')
    await expect(hint).toBeHidden()
  })

  test('a user with a Google account signs in without a password', async ({ page, t }) => {
    await page.goto('/projects/create')
    await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
    await expect(continueWithGoogle(page, t)).toBeVisible()
    await expectAccessible(page)
    await logInWithGoogle(page, t, { name, email: newEmail() })
    await expect(heading(page, t(m.projects_create_title))).toBeVisible()
  })

  test('checks off the password rules during typing', async ({ page, t }) => {
    await page.goto('/auth/sign-up')
    const metRules = page.getByRole('listitem').filter({ hasText: `(${t(m.auth_rule_met)})` })
    await expect(metRules).toHaveCount(0)
    await page.getByLabel(t(m.auth_password), { exact: true }).fill('aA1')
    await expect(metRules).toHaveCount(3)
    await page.getByLabel(t(m.auth_password), { exact: true }).fill(password)
    await expect(metRules).toHaveCount(5)
  })

  test('requires the captcha', async ({ page, t }) => {
    await page.goto('/auth/sign-up')
    await fillSignUp(page, t, { name, email: newEmail(), password })
    await sendSignUp(page, t)
    await expect(page.getByRole('alert')).toHaveText(t(m.form_verify_not_robot))
    await expect(page.getByRole('checkbox', { name: t(m.captcha_label) })).toBeFocused()
  })

  test('resets an expired captcha', async ({ page, t }) => {
    await page.clock.install()
    await page.goto('/auth/sign-up')
    await fillSignUp(page, t, { name, email: newEmail(), password })
    await solveCaptcha(page, t)
    await page.clock.fastForward(limits.captchaLifetime)
    await expect(page.getByRole('alert')).toHaveText(t(m.captcha_expired))
    const captcha = page.getByRole('checkbox', { name: t(m.captcha_label) })
    await expect(captcha).not.toBeChecked()
    await expectAccessible(page)
    await solveCaptcha(page, t)
    await expect(page.getByText(t(m.captcha_expired))).toBeHidden()
    await sendSignUp(page, t)
    await expect(heading(page, t(m.auth_ask_verify_title))).toBeVisible()
  })

  test('rejects an address that has an account, and accepts another one', async ({
    page,
    t,
    newUser,
  }) => {
    const { email } = await newUser()
    await page.goto('/auth/sign-up')
    await fillSignUp(page, t, { name, email, password })
    await solveCaptcha(page, t)
    await sendSignUp(page, t)
    await expect(page.getByText(t(m.error_email_already_exists))).toBeVisible()
    await expect(page.getByLabel(t(m.auth_email))).toBeFocused()
    await expectAccessible(page)
    const otherEmail = newEmail()
    await page.getByLabel(t(m.auth_email)).fill(otherEmail)
    await expect(page.getByRole('checkbox', { name: t(m.captcha_label) })).toBeChecked()
    await sendSignUp(page, t)
    await expect(page.getByText(t(m.auth_ask_verify_sent_to, { email: otherEmail }))).toBeVisible()
    await page.goto('/projects')
    await expect(page.getByText(t(m.auth_ask_verify_sent_to, { email: otherEmail }))).toBeVisible()
  })

  test('leads to the requested page after the emailed link is followed', async ({
    page,
    t,
    service,
  }) => {
    const email = newEmail()
    await page.goto('/projects/create')
    await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
    await fillSignUp(page, t, { name, email, password })
    await solveCaptcha(page, t)
    await sendSignUp(page, t)
    await expect(heading(page, t(m.auth_ask_verify_title))).toBeVisible()
    const tab = await page.context().newPage()
    await tab.goto(`/auth/verify?token=${await mailedToken(service.url, email, 'verify')}`)
    await expect(tab.getByText(t(m.auth_verified))).toBeVisible()
    await tab.close()
    await focusWindow(page)
    await expect(heading(page, t(m.projects_create_title))).toBeVisible()
  })

  test('links to the terms and the privacy notice', async ({ page, t }) => {
    await page.goto('/auth/sign-up')
    // The footer has links of these names, too. Whole addresses of the settings replace the paths.
    const main = page.getByRole('main')
    for (const [text, path] of [
      [m.auth_terms, '/terms'],
      [m.auth_privacy, '/privacy'],
    ] as const) {
      const link = main.getByRole('link', { name: t(text) })
      await expect(link).toHaveJSProperty('href', new URL(path, page.url()).href)
    }
  })
})

test.describe('the captcha without a response from the server', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test('shows an error, and a retry succeeds', async ({ page, t }) => {
    const address = `**/api${getCaptchaChallenge.path}`
    await page.route(address, (route) => route.abort())
    await page.goto('/auth/sign-up')
    await page.getByRole('checkbox', { name: t(m.captcha_label) }).click()
    await expect(page.getByRole('alert')).toContainText(t(m.captcha_failed_to_verify))
    await expectAccessible(page)
    await page.unroute(address)
    await solveCaptcha(page, t)
  })
})
