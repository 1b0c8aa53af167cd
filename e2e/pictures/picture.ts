import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import type { Translate } from '../harness/texts.ts'

/**
 * A screen in one of its states. `show` opens it. The pictures of a list are taken in order; the
 * mocked calls of one do not affect the next.
 */
export type Picture = {
  name: string
  show: (page: Page, t: Translate) => Promise<unknown>
  /** The path, if opening it is enough. A test uses it to find routes without a picture. */
  path?: string
  /** Takes only the window, not the whole page: for dialogs and long lists. */
  inWindow?: boolean
  /**
   * `show` delays a mutation. The page is closed afterwards, so that the mutation is never sent.
   */
  delaysMutation?: boolean
}

/** The screen at a path. */
export const pageAt = (name: string, path: string): Picture => ({
  name,
  path,
  show: async (page) => {
    await page.goto(path, { waitUntil: 'networkidle' })
    // On a busy machine the network is idle before the bundle sends its first call.
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  },
})

/** A dialog that a button of a page opens. */
export const dialog = (name: string, path: string, button: (t: Translate) => string): Picture => ({
  name,
  inWindow: true,
  show: async (page, t) => {
    await page.goto(path, { waitUntil: 'networkidle' })
    await page
      .getByRole('main')
      .getByRole('button', { name: button(t), exact: true })
      .first()
      .click()
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
  },
})

type Call = { path: string }

/** A URL pattern for an endpoint, with any id and any query. */
const urlPattern = ({ path }: Call) => `**/api${path.replace(/:\w+/g, '*')}*`

/** The screen while a call loads. */
export const loading = (name: string, path: string, call: Call): Picture => ({
  name,
  show: async (page) => {
    await page.route(urlPattern(call), () => undefined)
    await page.goto(path)
    await page.locator('main .animate-shimmer').first().waitFor()
  },
})

/** The screen after a failed call, which the user can retry. */
export const failed = (name: string, path: string, call: Call): Picture => ({
  name,
  show: async (page, t) => {
    await page.route(urlPattern(call), (route) =>
      route.fulfill({ status: 429, json: { code: 429, error: 'too_many_requests' } }),
    )
    await page.goto(path)
    await page
      .getByRole('button', { name: t(m.shell_retry) })
      .first()
      .waitFor()
  },
})

/** Responds to a call with an error of the server. */
export const reject = (page: Page, call: Call, code: number, error: string, context?: string) =>
  page.route(urlPattern(call), (route) =>
    route.fulfill({ status: code, json: { code, error, ...(context ? { context } : {}) } }),
  )

/** Waits for the spinner of a button whose action is slow. */
export const untilSlow = (page: Page) =>
  page.locator('button[aria-busy=true] svg.animate-turn').waitFor()

/** Never responds to a call; a picture that delays a mutation sets `delaysMutation`. */
export const delayCalls = (page: Page, call: Call) => page.route(urlPattern(call), () => undefined)
