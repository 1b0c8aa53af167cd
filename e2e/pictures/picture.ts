import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import type { Translate } from '../harness/texts.ts'

/**
 * A screen in one of its states. `show` brings the page there; those of one list are taken in their order,
 * and nothing that was held back or refused for one still is for the next.
 */
export type Picture = {
  name: string
  show: (page: Page, t: Translate) => Promise<unknown>
  /** The address, when it is all that is needed: by it the check knows which routes have a picture. */
  path?: string
  /** It is as high as a window, and not as the page: what is over the page, and what has no end. */
  inWindow?: boolean
  /** A call is held back that must not be made when nothing else is held any more: the page is left with it. */
  held?: boolean
}

export const at = (name: string, path: string): Picture => ({
  name,
  path,
  show: async (page) => {
    await page.goto(path, { waitUntil: 'networkidle' })
    // On a busy machine the network is idle before the program asks for anything.
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  },
})

type Call = { path: string }

/** Every address of a call, whatever stands in its place for an id and after its path. */
const addressOf = ({ path }: Call) => `**/api${path.replace(/:\w+/g, '*')}*`

/** The screen while that is loaded. */
export const loading = (name: string, path: string, call: Call): Picture => ({
  name,
  show: async (page) => {
    await page.route(addressOf(call), () => undefined)
    await page.goto(path)
    await page.locator('main .animate-shimmer').first().waitFor()
  },
})

/** The screen when that could not be loaded. */
export const failed = (name: string, path: string, call: Call): Picture => ({
  name,
  show: async (page, t) => {
    await page.route(addressOf(call), (route) =>
      route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
    )
    await page.goto(path)
    await page
      .getByRole('button', { name: t(m.shell_retry) })
      .first()
      .waitFor()
  },
})

/** Answers a call once with a refusal, as the server would. */
export const refuse = (page: Page, call: Call, code: number, error: string, context?: string) =>
  page.route(addressOf(call), (route) =>
    route.fulfill({ status: code, json: { code, error, ...(context ? { context } : {}) } }),
  )

/** Never answers a call; a picture that does so of one that changes something is `held`. */
export const hold = (page: Page, call: Call) => page.route(addressOf(call), () => undefined)
