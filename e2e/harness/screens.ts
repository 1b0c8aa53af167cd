import { expect, type Locator, type Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import type { Say } from './texts.ts'
import type { Person } from './user.ts'

/** Fills the login form and sends it. */
export async function logIn(page: Page, say: Say, given: { email: string; password: string }) {
  await page.getByLabel(say(m.auth_email), { exact: true }).fill(given.email)
  await page.getByLabel(say(m.auth_password), { exact: true }).fill(given.password)
  await page.getByRole('button', { name: say(m.auth_login), exact: true }).click()
}

/** Fills the sign-up form without sending it. */
export async function fillSignUp(
  page: Page,
  say: Say,
  given: { name: string; email: string; password: string },
) {
  await page.getByLabel(say(m.auth_name), { exact: true }).fill(given.name)
  await page.getByLabel(say(m.auth_email), { exact: true }).fill(given.email)
  await page.getByLabel(say(m.auth_password), { exact: true }).fill(given.password)
}

/** Ticks "I'm not a robot" and waits until the work behind it is done. */
export async function solveCaptcha(page: Page, say: Say) {
  const captcha = page.getByRole('checkbox', { name: say(m.captcha_label) })
  await captcha.click()
  await expect(captcha).toBeChecked()
}

export const sendSignUp = (page: Page, say: Say) =>
  page.getByRole('button', { name: say(m.auth_sign_up), exact: true }).click()

/** Opens the user menu and leaves by it. */
export async function logOut(page: Page, say: Say) {
  await page.getByRole('button', { name: say(m.shell_user_menu) }).click()
  await page.getByRole('menuitem', { name: say(m.shell_logout) }).click()
}

/** The heading of the page. */
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name })

/** A row of the project list: the project of that name. */
export const projectRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })

/** Somebody comes back to the page: a browser without a window never tells its pages so. */
export const lookAgain = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")

/** Presses Tab until the focus is there. Throws when it comes round without having been there. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let stops = 0; stops < 40; stops++) {
    await target.page().keyboard.press(key)
    if (await target.and(target.page().locator(':focus')).count()) return
  }
  throw new Error(`${key} does not reach ${target}`)
}

/** The link that leads out to Google, or to what stands in for it. */
export const continueWithGoogle = (page: Page, say: Say) =>
  page.getByRole('link', { name: say(m.oauth_continue_with, { name: 'Google' }) })

/** Names somebody to what stands in for Google, which the page is at. */
export async function pickPerson(page: Page, say: Say, given: { name: string; email: string }) {
  await page.getByLabel(say(m.stand_in_name), { exact: true }).fill(given.name)
  await page.getByLabel(say(m.stand_in_email), { exact: true }).fill(given.email)
  await page.getByRole('button', { name: say(m.stand_in_continue) }).click()
}

/** Goes out to what stands in for Google, and comes back as that person. */
export async function signInWithGoogle(
  page: Page,
  say: Say,
  given: { name: string; email: string },
) {
  await continueWithGoogle(page, say).click()
  await pickPerson(page, say, given)
}

/** Gives the page's browser the person's session, as logging in at the server does. */
export async function signIn(page: Page, { token }: Person, url = process.env.E2E_URL ?? '') {
  const { origin } = new URL(url)
  const given = { origin, token, mark: `given:${token}` }
  // A page that has shown nothing yet gets it on its way to the first thing it shows, and that once.
  if (page.url() === 'about:blank') {
    await page.addInitScript(({ origin, token, mark }) => {
      if (location.origin !== origin || sessionStorage.getItem(mark) !== null) return
      sessionStorage.setItem(mark, '')
      localStorage.setItem('token', token)
    }, given)
    return
  }
  await page.goto(`${origin}/favicon.svg`)
  await page.evaluate((value) => localStorage.setItem('token', value), token)
}
