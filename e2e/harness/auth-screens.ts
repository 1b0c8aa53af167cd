import { expect, type Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import type { Translate } from './texts.ts'
import type { TestUser } from './user.ts'

/** Fills the login form and sends it. */
export async function logIn(page: Page, t: Translate, given: { email: string; password: string }) {
  await page.getByLabel(t(m.auth_email), { exact: true }).fill(given.email)
  await page.getByLabel(t(m.auth_password), { exact: true }).fill(given.password)
  await page.getByRole('button', { name: t(m.auth_login), exact: true }).click()
}

/** Fills the sign-up form without sending it. */
export async function fillSignUp(
  page: Page,
  t: Translate,
  given: { name: string; email: string; password: string },
) {
  await page.getByLabel(t(m.auth_name), { exact: true }).fill(given.name)
  await page.getByLabel(t(m.auth_email), { exact: true }).fill(given.email)
  await page.getByLabel(t(m.auth_password), { exact: true }).fill(given.password)
}

/** Ticks "I'm not a robot" and waits until the work behind it is done. */
export async function solveCaptcha(page: Page, t: Translate) {
  const captcha = page.getByRole('checkbox', { name: t(m.captcha_label) })
  await captcha.click()
  await expect(captcha).toBeChecked()
}

export const sendSignUp = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.auth_sign_up), exact: true }).click()

/** Opens the user menu and leaves by it. */
export async function logOut(page: Page, t: Translate) {
  await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
  await page.getByRole('menuitem', { name: t(m.shell_logout) }).click()
}

/** The link that leads out to Google, or to what stands in for it. */
export const continueWithGoogle = (page: Page, t: Translate) =>
  page.getByRole('link', { name: t(m.oauth_continue_with, { name: 'Google' }) })

/** Names somebody to what stands in for Google, which the page is at. */
export async function logInAtStandIn(
  page: Page,
  t: Translate,
  given: { name: string; email: string },
) {
  await page.getByLabel(t(m.stand_in_name), { exact: true }).fill(given.name)
  await page.getByLabel(t(m.stand_in_email), { exact: true }).fill(given.email)
  await page.getByRole('button', { name: t(m.stand_in_continue) }).click()
}

/** Goes out to what stands in for Google, and comes back as that user. */
export async function signInWithGoogle(
  page: Page,
  t: Translate,
  given: { name: string; email: string },
) {
  await continueWithGoogle(page, t).click()
  await logInAtStandIn(page, t, given)
}

/** Stores the user's session in the page's browser, as a login does. */
export async function signIn(page: Page, { token, serverUrl }: TestUser) {
  const { origin } = new URL(serverUrl)
  const session = { origin, token, mark: `stored:${token}` }
  // A page without a document stores it before its first one, and only once: the test may sign out.
  if (page.url() === 'about:blank') {
    await page.addInitScript(({ origin, token, mark }) => {
      if (location.origin !== origin || sessionStorage.getItem(mark) !== null) return
      sessionStorage.setItem(mark, '')
      localStorage.setItem('token', token)
    }, session)
    return
  }
  await page.goto(`${origin}/favicon.svg`)
  await page.evaluate((value) => localStorage.setItem('token', value), token)
}
