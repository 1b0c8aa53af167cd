import { expect, type Page } from '@playwright/test'
import { createClient } from '@slipway/contract/client'
import { m } from '@slipway/phrases'
import { mailedToken } from './mailbox.ts'
import type { Translate } from './texts.ts'
import { newEmail, password, type TestUser } from './user.ts'

export async function submitLogin(
  page: Page,
  t: Translate,
  input: { email: string; password: string },
) {
  await page.getByLabel(t(m.auth_email), { exact: true }).fill(input.email)
  await page.getByLabel(t(m.auth_password), { exact: true }).fill(input.password)
  await page.getByRole('button', { name: t(m.auth_login), exact: true }).click()
}

/** Fills the sign-up form without submitting it. */
export async function fillSignUp(
  page: Page,
  t: Translate,
  input: { name: string; email: string; password: string },
) {
  await page.getByLabel(t(m.auth_name), { exact: true }).fill(input.name)
  await page.getByLabel(t(m.auth_email), { exact: true }).fill(input.email)
  await page.getByLabel(t(m.auth_password), { exact: true }).fill(input.password)
}

/** Checks the captcha and waits until it is solved. */
export async function solveCaptcha(page: Page, t: Translate) {
  const captcha = page.getByRole('checkbox', { name: t(m.captcha_label) })
  await captcha.click()
  await expect(captcha).toBeChecked()
}

export const sendSignUp = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.auth_sign_up), exact: true }).click()

/** Signs a new user up by the pages of the console, and opens the link of the email. */
export async function signUpByForm(page: Page, t: Translate, serverUrl: string): Promise<TestUser> {
  const input = { name: 'Ada Example', email: newEmail(), password }
  await page.goto(serverUrl)
  await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
  await fillSignUp(page, t, input)
  await solveCaptcha(page, t)
  await sendSignUp(page, t)
  await expect(page.getByText(t(m.auth_ask_verify_sent_to, { email: input.email }))).toBeVisible()
  const mailed = await mailedToken(serverUrl, input.email, 'verify')
  await page.goto(`${serverUrl}/auth/verify?token=${mailed}`)
  await page.getByRole('button', { name: t(m.auth_continue) }).click()
  await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  const token = String(await page.evaluate(() => localStorage.getItem('token')))
  const call = createClient({ base: `${serverUrl}/api`, token: () => token, locale: () => 'en' })
  return { ...input, token, serverUrl, call }
}

export async function logOut(page: Page, t: Translate) {
  await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
  await page.getByRole('menuitem', { name: t(m.shell_logout) }).click()
}

/** The link to the login at Google, or at its stand-in. */
export const continueWithGoogle = (page: Page, t: Translate) =>
  page.getByRole('link', { name: t(m.oauth_continue_with, { name: 'Google' }) })

/** Submits the login form of Google's stand-in. */
export async function logInAtStandIn(
  page: Page,
  t: Translate,
  input: { name: string; email: string },
) {
  await page.getByLabel(t(m.stand_in_name), { exact: true }).fill(input.name)
  await page.getByLabel(t(m.stand_in_email), { exact: true }).fill(input.email)
  await page.getByRole('button', { name: t(m.stand_in_continue) }).click()
}

/** Logs in through Google's stand-in. */
export async function logInWithGoogle(
  page: Page,
  t: Translate,
  input: { name: string; email: string },
) {
  await continueWithGoogle(page, t).click()
  await logInAtStandIn(page, t, input)
}

/** Stores the user's session in the page's browser, without the login form. */
export async function storeSession(
  page: Page,
  { token, serverUrl }: Pick<TestUser, 'token' | 'serverUrl'>,
) {
  const { origin } = new URL(serverUrl)
  const session = { origin, token, mark: `stored:${token}` }
  // `about:blank` has no storage: the script stores the session before the first page loads, and
  // only once, because the test may log out.
  if (page.url() === 'about:blank') {
    await page.addInitScript(({ origin, token, mark }) => {
      // A sandboxed frame has an opaque origin and no storage.
      if (globalThis.origin !== origin || sessionStorage.getItem(mark) !== null) return
      sessionStorage.setItem(mark, '')
      localStorage.setItem('token', token)
    }, session)
    return
  }
  await page.goto(`${origin}/favicon.svg`)
  await page.evaluate((value) => localStorage.setItem('token', value), token)
}
