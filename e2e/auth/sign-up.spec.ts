import { getCaptchaChallenge } from '@slipway/contract/captcha'
import { limits } from '@slipway/contract/limits'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { mailedToken } from '../harness/mailbox.ts'
import {
  continueWithGoogle,
  fillSignUp,
  heading,
  lookAgain,
  sendSignUp,
  signInWithGoogle,
  solveCaptcha,
} from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, password } from '../harness/user.ts'

const name = 'Ada Example'

test.describe('/auth/sign-up', () => {
  test('names everything that is missing and puts the focus on the first', async ({
    page,
    say,
  }) => {
    await page.goto('/auth/sign-up')
    await sendSignUp(page, say)
    await expect(page.getByText(say(m.form_enter_your_name))).toBeVisible()
    await expect(page.getByText(say(m.form_enter_email))).toBeVisible()
    await expect(page.getByText(say(m.form_enter_strong_password))).toBeVisible()
    await expect(page.getByText(say(m.form_verify_not_robot))).toBeVisible()
    await expect(page.getByLabel(say(m.auth_name))).toBeFocused()
    await expectAccessible(page)
  })

  for (const weak of ['Short-1', 'no-upper-case7', 'NO-LOWER-CASE7', 'No-digit-here', 'NoSymbol77'])
    test(`refuses ${weak} as a password`, async ({ page, say }) => {
      await page.goto('/auth/sign-up')
      await fillSignUp(page, say, { name, email: newEmail(), password: weak })
      await sendSignUp(page, say)
      await expect(page.getByText(say(m.form_enter_strong_password))).toBeVisible()
      await expect(page.getByLabel(say(m.auth_password), { exact: true })).toBeFocused()
    })

  test('tells which characters an address can have, where that was the fault', async ({
    page,
    say,
  }) => {
    const hint = page.getByText(say(m.form_email_characters))
    const field = page.getByLabel(say(m.auth_email))
    await page.goto('/auth/sign-up')
    await fillSignUp(page, say, { name, email: 'person@', password })
    await sendSignUp(page, say)
    await expect(page.getByText(say(m.form_enter_email))).toBeVisible()
    await expect(hint).toBeHidden()
    await field.fill('person+tag@example.com')
    await sendSignUp(page, say)
    await expect(page.getByText(say(m.form_enter_email))).toBeVisible()
    await expect(hint).toBeVisible()
    await expect(field).toHaveAccessibleDescription(
      `${say(m.form_enter_email)} ${say(m.form_email_characters)}`,
    )
    await expectAccessible(page)
    await field.fill('person.tag@example.com')
    await expect(hint).toBeHidden()
  })

  test('lets whoever has a Google account in without a password', async ({ page, say }) => {
    await page.goto('/projects/create')
    await page.getByRole('link', { name: say(m.auth_sign_up) }).click()
    await expect(continueWithGoogle(page, say)).toBeVisible()
    await expectAccessible(page)
    await signInWithGoogle(page, say, { name, email: newEmail() })
    await expect(heading(page, say(m.projects_create))).toBeVisible()
  })

  test('ticks off what the password has while it is typed', async ({ page, say }) => {
    await page.goto('/auth/sign-up')
    const met = page.getByRole('listitem').filter({ hasText: `(${say(m.auth_rule_met)})` })
    await expect(met).toHaveCount(0)
    await page.getByLabel(say(m.auth_password), { exact: true }).fill('aA1')
    await expect(met).toHaveCount(3)
    await page.getByLabel(say(m.auth_password), { exact: true }).fill(password)
    await expect(met).toHaveCount(5)
  })

  test('asks for the proof of being no robot', async ({ page, say }) => {
    await page.goto('/auth/sign-up')
    await fillSignUp(page, say, { name, email: newEmail(), password })
    await sendSignUp(page, say)
    await expect(page.getByRole('alert')).toHaveText(say(m.form_verify_not_robot))
    await expect(page.getByRole('checkbox', { name: say(m.captcha_label) })).toBeFocused()
  })

  test('takes the proof back when it has expired', async ({ page, say }) => {
    await page.clock.install()
    await page.goto('/auth/sign-up')
    await fillSignUp(page, say, { name, email: newEmail(), password })
    await solveCaptcha(page, say)
    await page.clock.fastForward(limits.captchaLifetime)
    await expect(page.getByRole('alert')).toHaveText(say(m.captcha_expired))
    const captcha = page.getByRole('checkbox', { name: say(m.captcha_label) })
    await expect(captcha).not.toBeChecked()
    await expectAccessible(page)
    await solveCaptcha(page, say)
    await expect(page.getByText(say(m.captcha_expired))).toBeHidden()
    await sendSignUp(page, say)
    await expect(heading(page, say(m.auth_ask_verify_title))).toBeVisible()
  })

  test('refuses an address that has an account, and can be sent again with another', async ({
    page,
    say,
    newPerson,
  }) => {
    const { email } = await newPerson()
    await page.goto('/auth/sign-up')
    await fillSignUp(page, say, { name, email, password })
    await solveCaptcha(page, say)
    await sendSignUp(page, say)
    await expect(page.getByText(say(m.error_email_already_exists))).toBeVisible()
    await expect(page.getByLabel(say(m.auth_email))).toBeFocused()
    await expectAccessible(page)
    const other = newEmail()
    await page.getByLabel(say(m.auth_email)).fill(other)
    await expect(page.getByRole('checkbox', { name: say(m.captcha_label) })).toBeChecked()
    await sendSignUp(page, say)
    await expect(page.getByText(say(m.auth_ask_verify_sent_to, { email: other }))).toBeVisible()
    await page.goto('/projects')
    await expect(page.getByText(say(m.auth_ask_verify_sent_to, { email: other }))).toBeVisible()
  })

  test('brings whoever wanted a page there, over the mailed link', async ({
    page,
    say,
    service,
  }) => {
    const email = newEmail()
    await page.goto('/projects/create')
    await page.getByRole('link', { name: say(m.auth_sign_up) }).click()
    await fillSignUp(page, say, { name, email, password })
    await solveCaptcha(page, say)
    await sendSignUp(page, say)
    await expect(heading(page, say(m.auth_ask_verify_title))).toBeVisible()
    const tab = await page.context().newPage()
    await tab.goto(`/auth/verify?token=${await mailedToken(service.url, email, 'verify')}`)
    await expect(tab.getByText(say(m.auth_verified))).toBeVisible()
    await tab.close()
    await lookAgain(page)
    await expect(heading(page, say(m.projects_create))).toBeVisible()
  })

  test('has its terms and its privacy notice', async ({ page, say }) => {
    await page.goto('/auth/sign-up')
    await expect(page.getByRole('link', { name: say(m.auth_terms) })).toHaveAttribute(
      'href',
      '/terms',
    )
    await expect(page.getByRole('link', { name: say(m.auth_privacy) })).toHaveAttribute(
      'href',
      '/privacy',
    )
  })
})

test.describe('the check against robots, without an answer of the server', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test('says that it failed, and works when the server is back', async ({ page, say }) => {
    const address = `**/api${getCaptchaChallenge.path}`
    await page.route(address, (route) => route.abort())
    await page.goto('/auth/sign-up')
    await page.getByRole('checkbox', { name: say(m.captcha_label) }).click()
    await expect(page.getByRole('alert')).toContainText(say(m.captcha_failed_to_verify))
    await expectAccessible(page)
    await page.unroute(address)
    await solveCaptcha(page, say)
  })
})
