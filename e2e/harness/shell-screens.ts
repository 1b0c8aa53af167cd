import type { Locator, Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import type { Translate } from './texts.ts'

/** The heading of the page. */
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name })

/** Somebody comes back to the page: a browser without a window never tells its pages so. */
export const focusWindow = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")

/** Presses Tab until the focus is there. Throws when it comes round without having been there. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let stops = 0; stops < 40; stops++) {
    await target.page().keyboard.press(key)
    if (await target.and(target.page().locator(':focus')).count()) return
  }
  throw new Error(`${key} does not reach ${target}`)
}

/** Waits until the page has its socket, and so receives events. */
export const waitUntilConnected = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.shell_connected) }).waitFor()
