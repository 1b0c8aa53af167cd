import { resetPassword, sendVerifyEmail, verifyEmail } from '@slipway/contract/auth'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { fillSignUp, sendSignUp, solveCaptcha, submitLogin } from '../harness/auth-screens.ts'
import { delayCalls, type Picture, pageAt, untilSlow } from './picture.ts'

const resetPath = '/auth/reset-password?token=any'
const exampleInput = { name: 'Ada Example', email: 'ada@example.com', password: 'Correct-horse7' }

/** The prerendered page, before the bundle runs. */
const prerendered = (name: string, path: string): Picture => ({
  name,
  show: async (page) => {
    // Never responds: the bundle does not load.
    await page.route('**/assets/*.js', () => undefined)
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator('body *').first().waitFor({ state: 'attached' })
  },
})

/** For a visitor. */
export const guestPictures: Picture[] = [
  prerendered('login-prerendered', '/auth/login'),
  pageAt('login', '/auth/login'),
  {
    name: 'login-error',
    show: async (page, t) => {
      await page.goto('/auth/login')
      await submitLogin(page, t, { email: exampleInput.email, password: 'wrong' })
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'login-slow',
    delaysMutation: true,
    show: async (page, t) => {
      await page.goto('/auth/login')
      await delayCalls(page, login)
      await submitLogin(page, t, exampleInput)
      await untilSlow(page)
    },
  },
  prerendered('sign-up-prerendered', '/auth/sign-up'),
  pageAt('sign-up', '/auth/sign-up'),
  {
    name: 'sign-up-errors',
    show: async (page, t) => {
      await page.goto('/auth/sign-up')
      await sendSignUp(page, t)
      await page.getByText(t(m.form_verify_not_robot)).waitFor()
    },
  },
  {
    name: 'sign-up-filled',
    show: async (page, t) => {
      await page.goto('/auth/sign-up')
      await fillSignUp(page, t, exampleInput)
      await solveCaptcha(page, t)
    },
  },
  pageAt('forgot', '/auth/forgot-password'),
  {
    name: 'forgot-sent',
    show: async (page, t) => {
      await page.goto('/auth/forgot-password')
      const to = `forgotten.${Date.now()}@example.com`
      await page.getByLabel(t(m.auth_email)).fill(to)
      await page.getByRole('button', { name: t(m.auth_forgot_action) }).click()
      await page.getByText(t(m.auth_forgot_sent, { email: to })).waitFor()
    },
  },
  pageAt('reset-no-token', '/auth/reset-password'),
  pageAt('reset', resetPath),
  {
    name: 'reset-errors',
    show: async (page, t) => {
      await page.goto(resetPath)
      await page.getByLabel(t(m.auth_new_password), { exact: true }).fill('secret')
      await page.getByRole('button', { name: t(m.auth_reset_action) }).click()
      await page.getByText(t(m.form_repeat_password)).waitFor()
    },
  },
  {
    name: 'reset-done',
    show: async (page, t) => {
      await page.route(`**/api${resetPassword.path}`, (route) => route.fulfill({ status: 204 }))
      await page.goto(resetPath)
      await page.getByLabel(t(m.auth_new_password), { exact: true }).fill(exampleInput.password)
      await page.getByLabel(t(m.auth_confirm_password), { exact: true }).fill(exampleInput.password)
      await page.getByRole('button', { name: t(m.auth_reset_action) }).click()
      await page.getByText(t(m.auth_reset_done)).waitFor()
    },
  },
  {
    name: 'verify-pending',
    show: async (page, t) => {
      await delayCalls(page, verifyEmail)
      await page.goto('/auth/verify?token=any')
      await page.getByText(t(m.auth_verifying)).first().waitFor()
    },
  },
  pageAt('verify-failed', '/auth/verify?token=wrong'),
  {
    name: 'verify-done',
    show: async (page, t) => {
      await page.route(`**/api${verifyEmail.path}`, (route) => route.fulfill({ status: 204 }))
      await page.goto('/auth/verify?token=any')
      await page.getByText(t(m.auth_verified)).waitFor()
    },
  },
  pageAt('external-login-failed', '/auth/login/oauth'),
  pageAt('site-sign-in-failed', '/auth/code'),
  pageAt('end-session', '/auth/end-session'),
  pageAt('terms', '/terms'),
  pageAt('privacy', '/privacy'),
  pageAt('not-found', '/no/such/page'),
  pageAt('mailbox', '/mailbox'),
]

/** For an unverified user. */
export const unverifiedPictures: Picture[] = [
  pageAt('ask-verify', '/auth/ask-verify'),
  {
    name: 'ask-verify-sent',
    show: async (page, t) => {
      await page.route(`**/api${sendVerifyEmail.path}`, (route) => route.fulfill({ status: 204 }))
      await page.getByRole('button', { name: t(m.auth_ask_verify_action) }).click()
      await page.getByRole('status').first().waitFor()
    },
  },
]
