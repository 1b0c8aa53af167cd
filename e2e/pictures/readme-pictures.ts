import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'
import { createClient } from '@slipway/contract/client'
import { login } from '@slipway/contract/sessions'
import { ada, password } from '../../apps/server/src/demo/demo.people.ts'
import { openLook } from './looks.ts'

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url))

const paths = { console: '/projects', billing: '/account/billing/overview' }

/** Takes the pictures of the README from the demo at a URL: some screens, light and dark. */
export async function takeForReadme(browser: Browser, url: string) {
  const call = createClient({ base: `${url}/api`, token: () => null, locale: () => 'en' })
  const { token } = await call(login, { body: { email: ada.email, password } })
  for (const mode of ['light', 'dark'] as const) {
    const page = await openLook(browser, url, { locale: 'en', mode, device: 'desktop' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate((value) => localStorage.setItem('token', value), token)
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: /: connected/ }).waitFor()
      await page.screenshot({ path: `${images}${name}-${mode}.png` })
    }
    await page.context().close()
  }
}
