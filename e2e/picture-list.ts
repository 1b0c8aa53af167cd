import type { Page } from '@playwright/test'
import { listProjects, type ProjectState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { fillSignUp, logIn, sendSignUp, solveCaptcha } from './screens.ts'
import type { Say } from './wording.ts'

/** A screen in one of its states. `show` brings the page there; pictures are taken in their order. */
export type Picture = { name: string; show: (page: Page, say: Say) => Promise<unknown> }

export const at = (name: string, path: string): Picture => ({
  name,
  show: (page) => page.goto(path, { waitUntil: 'networkidle' }),
})

const filled = { name: 'Ada Example', email: 'ada@example.com', password: 'Correct-horse7' }

/** What can be seen without signing in. `email` has got a mail. */
export const guestPictures = (email: string): Picture[] => [
  at('login', '/auth/login'),
  {
    name: 'login-error',
    show: async (page, say) => {
      await logIn(page, say, { email: filled.email, password: 'wrong' })
      await page.getByRole('alert').waitFor()
    },
  },
  at('sign-up', '/auth/sign-up'),
  {
    name: 'sign-up-errors',
    show: async (page, say) => {
      await sendSignUp(page, say)
      await page.getByText(say(m.form_verify_not_robot)).waitFor()
    },
  },
  {
    name: 'sign-up-filled',
    show: async (page, say) => {
      await page.goto('/auth/sign-up')
      await fillSignUp(page, say, filled)
      await solveCaptcha(page, say)
    },
  },
  at('forgot', '/auth/forgot-password'),
  {
    name: 'forgot-sent',
    show: async (page, say) => {
      const to = `forgotten.${Date.now()}@example.com`
      await page.getByLabel(say(m.auth_email)).fill(to)
      await page.getByRole('button', { name: say(m.auth_forgot_action) }).click()
      await page.getByText(say(m.auth_forgot_sent, { email: to })).waitFor()
    },
  },
  at('reset-no-token', '/auth/reset-password'),
  at('reset', '/auth/reset-password?token=any'),
  at('verify-failed', '/auth/verify?token=wrong'),
  at('external-login-failed', '/auth/login/oauth'),
  at('site-sign-in-failed', '/auth/code'),
  at('terms', '/terms'),
  at('privacy', '/privacy'),
  at('not-found', '/no/such/page'),
  at('mailbox', '/mailbox'),
  {
    name: 'mail',
    show: async (page) => {
      await page.getByRole('listitem').filter({ hasText: email }).getByRole('link').click()
      await page.getByText(email).waitFor()
    },
  },
]

export const waitingPictures: Picture[] = [at('ask-verify', '/auth/ask-verify')]

/** What somebody with projects sees; `keyOf` gives the key of one in a state. */
export const memberPictures = (keyOf: (state: ProjectState) => string): Picture[] => [
  at('projects', '/projects'),
  {
    name: 'user-menu',
    show: async (page, say) => {
      await page.getByRole('button', { name: say(m.shell_user_menu) }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'colour-menu',
    show: async (page, say) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: say(m.shell_color_mode) }).click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
  },
  {
    name: 'projects-banner',
    show: async (page) => {
      await page.evaluate(() => localStorage.removeItem('openAlphaAgreed'))
      await page.reload()
      await page.getByRole('rowheader').first().waitFor()
      await page.evaluate(() => localStorage.setItem('openAlphaAgreed', 'yes'))
    },
  },
  {
    name: 'projects-loading',
    show: async (page, say) => {
      await page.route(`**/api${listProjects.path}`, () => undefined)
      await page.goto('/projects')
      await page.getByRole('table', { name: say(m.projects_list_caption) }).waitFor()
    },
  },
  {
    name: 'projects-failed',
    show: async (page) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.route(`**/api${listProjects.path}`, (route) =>
        route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
      )
      await page.goto('/projects')
      await page.getByRole('alert').waitFor()
      await page.unrouteAll()
    },
  },
  at('create', '/projects/create'),
  {
    name: 'create-errors',
    show: async (page, say) => {
      await page.getByLabel(say(m.projects_domain_optional)).fill('https://example.org')
      await page.getByRole('button', { name: say(m.projects_create) }).click()
      await page.getByText(say(m.form_enter_name)).waitFor()
    },
  },
  ...(['creating', 'modifying', 'failed_creating', 'deleted', 'ready'] as const).map((state) =>
    at(`view-${state}`, `/projects/view/${keyOf(state)}`),
  ),
  {
    name: 'view-menu',
    show: async (page, say) => {
      await page.getByRole('button', { name: say(m.projects_menu) }).click()
      await page.getByRole('menuitem').waitFor()
    },
  },
  {
    name: 'view-deleting',
    show: async (page, say) => {
      await page.getByRole('menuitem', { name: say(m.projects_delete) }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'view-editing',
    show: async (page, say) => {
      await page.keyboard.press('Escape')
      const label = say(m.projects_domain)
      await page.getByRole('button', { name: say(m.shell_edit, { label }) }).click()
      await page.getByRole('textbox', { name: label }).fill('https://example.org')
      await page.getByRole('button', { name: say(m.shell_save) }).click()
      await page.getByText(say(m.form_enter_domain)).waitFor()
    },
  },
  at('view-missing', '/projects/view/no-such-project'),
  at('profile', '/account/profile'),
]
