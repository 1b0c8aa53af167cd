import type { Page } from '@playwright/test'
import { getProfile, updateProfileName } from '@slipway/contract/account'
import { m } from '@slipway/phrases'
import type { Translate } from '../harness/texts.ts'
import { loading, type Picture, pageAt, reject } from './picture.ts'

const startPath = '/teams'

/** Copies the page's URL through the palette; `write` replaces the clipboard's `writeText`. */
async function copyAddress(page: Page, t: Translate, write: string) {
  await page.evaluate(`navigator.clipboard.writeText = () => ${write}`)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(t(m.palette_copy_address))
  await page.getByRole('option', { name: t(m.palette_copy_address) }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** The parts that surround and overlay every page. */
export const shellPictures: Picture[] = [
  {
    name: 'user-menu',
    inWindow: true,
    show: async (page, t) => {
      await page.goto(startPath, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'language-menu',
    inWindow: true,
    show: async (page, t) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: t(m.shell_language) }).click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
  },
  {
    name: 'color-menu',
    inWindow: true,
    show: async (page, t) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: t(m.shell_color_mode) }).click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
  },
  {
    name: 'palette',
    inWindow: true,
    show: async (page) => {
      await page.goto(startPath, { waitUntil: 'networkidle' })
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'palette-found',
    inWindow: true,
    show: async (page) => {
      await page.getByRole('combobox').fill('winter')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'palette-nothing-found',
    inWindow: true,
    show: async (page, t) => {
      await page.getByRole('combobox').fill('qqqq')
      await page.getByText(t(m.palette_none_hint)).waitFor()
    },
  },
  {
    name: 'shortcuts',
    inWindow: true,
    show: async (page) => {
      await page.goto(startPath, { waitUntil: 'networkidle' })
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'toasts',
    inWindow: true,
    show: async (page, t) => {
      await page.goto('/account/profile', { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: t(m.account_delete) }).click()
      await copyAddress(page, t, 'Promise.resolve()')
      await copyAddress(page, t, 'Promise.reject()')
      await page.getByText(t(m.shell_copy_failed)).first().waitFor()
    },
  },
  {
    name: 'bundle-missing',
    show: async (page, t) => {
      await page.route('**/assets/index-*.js', (route) => route.fulfill({ status: 503 }))
      await page.goto(startPath)
      await page.getByText(t(m.navigation_bundle_retrying)).waitFor()
    },
  },
  {
    name: 'offline',
    show: async (page) => {
      await page.goto('/projects', { waitUntil: 'networkidle' })
      await page.context().setOffline(true)
      await page.locator('header .bg-danger-soft').waitFor()
    },
  },
  {
    name: 'forced-colors',
    show: async (page) => {
      await page.emulateMedia({ forcedColors: 'active' })
      await page.goto('/projects', { waitUntil: 'networkidle' })
    },
  },
  loading('shell-loading', startPath, getProfile),
  {
    name: 'shell-failed',
    show: async (page, t) => {
      await reject(page, getProfile, 500, 'internal_error')
      await page.goto(startPath)
      await page
        .getByRole('button', { name: t(m.shell_retry) })
        .first()
        .waitFor()
    },
  },
  pageAt('not-found-signed-in', '/no/such/page'),
]

/** The user's profile, personal tokens and device login. */
export const profilePictures: Picture[] = [
  pageAt('tokens', '/account/tokens'),
  pageAt('device', '/account/device'),
  pageAt('profile', '/account/profile'),
  {
    name: 'profile-saving-failed',
    show: async (page, t) => {
      const label = t(m.account_name)
      await page.getByRole('button', { name: t(m.shell_edit, { label }) }).click()
      await reject(page, updateProfileName, 503, 'unavailable')
      await page.getByRole('textbox', { name: label }).fill('Ada Lovelace Example')
      await page.getByRole('button', { name: t(m.shell_save) }).click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'profile-delete-toast',
    inWindow: true,
    show: async (page, t) => {
      await page.goto('/account/profile', { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: t(m.account_delete) }).click()
      await page.getByText(t(m.account_not_implemented)).waitFor()
    },
  },
]
