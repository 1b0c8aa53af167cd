import type { Locator, Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import type { Translate } from './texts.ts'

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name })

/** Sends the focus event that a headless browser never sends. */
export const focusWindow = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")

/** Waits for the target, then presses Tab until it has the focus. Throws after 40 stops. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await target.waitFor()
  for (let stops = 0; stops < 40; stops++) {
    await target.page().keyboard.press(key)
    if (await target.and(target.page().locator(':focus')).count()) return
  }
  throw new Error(`${key} does not reach ${target}`)
}

/** Waits until the page has its socket, and so receives events. */
export const waitUntilConnected = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.shell_connected) }).waitFor()
