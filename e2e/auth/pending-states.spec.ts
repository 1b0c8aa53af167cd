import type { Page } from '@playwright/test'
import { sendVerifyEmail, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge } from '@slipway/contract/captcha'
import { getSession } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { logOut, storeSession, submitLogin } from '../harness/auth-screens.ts'
import { mailedToken } from '../harness/mailbox.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

/** Delays the requests to a URL until the returned function is called. */
async function delayRequests(page: Page, address: string | RegExp) {
  const delay = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await delay.promise
    await route.continue()
  })
  return delay.resolve
}

test.describe('/auth/verify', () => {
  test('shows that it verifies until the response arrives', async ({
    page,
    t,
    newUser,
    service,
  }) => {
    const user = await newUser({ verified: false })
    const token = await mailedToken(service.url, user.email, 'verify')
    await storeSession(page, user)
    const release = await delayRequests(page, `**/api${verifyEmail.path}`)
    await page.goto(`/auth/verify?token=${token}`)
    const status = page.getByRole('status').filter({ hasText: t(m.auth_verifying) })
    await expect(status).toBeVisible()
    await expectAccessible(page)
    release()
    await expect(page.getByText(t(m.auth_verified))).toBeVisible()
    await expect(status).toBeHidden()
  })
})

test.describe('/auth/ask-verify', () => {
  test('shows that it sends the email, and then that it is sent', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser({ verified: false }))
    await page.goto('/auth/ask-verify')
    const release = await delayRequests(page, `**/api${sendVerifyEmail.path}`)
    await page.getByRole('button', { name: t(m.auth_ask_verify_action) }).click()
    await expect(page.getByRole('button', { name: t(m.auth_ask_verify_sending) })).toBeVisible()
    release()
    await expect(page.getByText(t(m.auth_ask_verify_sent))).toBeVisible()
    await expect(page.getByRole('button', { name: t(m.auth_ask_verify_again) })).toBeVisible()
  })

  test('tells a user who is already verified, and continues', async ({
    page,
    t,
    newUser,
    service,
  }) => {
    const user = await newUser({ verified: false })
    await storeSession(page, user)
    // The page checks this once when it loads, and not again.
    const response = page.waitForResponse(`**/api${getSession.path}`)
    await page.goto('/auth/ask-verify')
    await (await response).finished()
    const send = page.getByRole('button', { name: t(m.auth_ask_verify_action) })
    await expect(send).toBeVisible()
    const token = await mailedToken(service.url, user.email, 'verify')
    await user.call(verifyEmail, { body: { token } })
    await send.click()
    await expect(page.getByText(t(m.auth_already_verified))).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: t(m.auth_continue_to_projects) }).click()
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })
})

test.describe('the captcha', () => {
  test('shows each of its two steps and the success', async ({ page, t }) => {
    const releaseWorker = await delayRequests(page, /\/assets\/captcha\.worker-[^/]+\.js$/)
    const releaseChallenge = await delayRequests(page, `**/api${getCaptchaChallenge.path}`)
    await page.goto('/auth/sign-up')
    const captcha = page.getByRole('checkbox', { name: t(m.captcha_label) })
    const step = (text: string) => page.getByRole('status').filter({ hasText: text })
    await captcha.click()
    await expect(step(t(m.captcha_fetching))).toBeVisible()
    await expect(captcha).not.toBeChecked()
    releaseChallenge()
    await expect(step(t(m.captcha_solving))).toBeVisible()
    await expect(captcha).not.toBeChecked()
    releaseWorker()
    await expect(step(t(m.captcha_verified))).toBeVisible()
    await expect(captcha).toBeChecked()
  })

  test('reports a challenge without a solution and can be retried', async ({ page, t }) => {
    const address = `**/api${getCaptchaChallenge.path}`
    await page.route(address, async (route) => {
      const response = await route.fetch()
      // No number has this hash; only its length is right.
      const json = { ...(await response.json()), challenge: `${'A'.repeat(43)}=` }
      return route.fulfill({ response: response, json })
    })
    await page.goto('/auth/sign-up')
    const captcha = page.getByRole('checkbox', { name: t(m.captcha_label) })
    await captcha.click()
    await expect(page.getByRole('alert')).toHaveText(t(m.captcha_failed_to_solve))
    await expect(captcha).not.toBeChecked()
    await expectAccessible(page)
    await page.unroute(address)
    await captcha.click()
    await expect(captcha).toBeChecked()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test.describe('the links between the auth pages', () => {
  test('lead from the login to the password reset and back', async ({ page, t }) => {
    await page.goto('/auth/login')
    await page.getByRole('link', { name: t(m.auth_forgot_password) }).click()
    await expect(heading(page, t(m.auth_forgot_title))).toBeVisible()
    await expect(page).toHaveURL(/\/auth\/forgot-password$/)
    await page.getByRole('link', { name: t(m.auth_back_to_login) }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  })

  test('keep the typed email address and the requested page', async ({ page, t, newUser }) => {
    const user = await newUser()
    const address = page.getByLabel(t(m.auth_email), { exact: true })
    await page.goto('/account/profile')
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await address.fill('ada@example.com')
    await page.getByRole('link', { name: t(m.auth_forgot_password) }).click()
    await expect(heading(page, t(m.auth_forgot_title))).toBeVisible()
    await expect(address).toHaveValue('ada@example.com')
    await address.fill(user.email)
    await page.getByRole('link', { name: t(m.auth_back_to_login) }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await expect(address).toHaveValue(user.email)
    expect(page.url()).not.toContain(user.email)
    await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
    await expect(heading(page, t(m.auth_sign_up_title))).toBeVisible()
    await expect(address).toHaveValue(user.email)
    await page.goBack()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await expect(address).toHaveValue(user.email)
    await submitLogin(page, t, user)
    await expect(heading(page, t(m.account_profile))).toBeVisible()
    // The next visitor does not see the address.
    await logOut(page, t)
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await expect(address).toHaveValue('')
  })

  test('lead from the login to the sign-up and back', async ({ page, t }) => {
    await page.goto('/auth/login')
    await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
    await expect(heading(page, t(m.auth_sign_up_title))).toBeVisible()
    await page.getByRole('link', { name: t(m.auth_login), exact: true }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  })
})
