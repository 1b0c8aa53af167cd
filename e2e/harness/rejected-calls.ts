import type { Locator, Page } from '@playwright/test'

/**
 * Responds to a call with 429, which can be retried, until one of the returned functions allows it.
 */
export async function rejectCalls(page: Page, path: string) {
  const pattern = `**/api${path}`
  let isAllowed = () => Promise.resolve(false)
  await page.route(pattern, async (route) => {
    if (await isAllowed()) return route.continue()
    return route.fulfill({ status: 429, json: { code: 429, error: 'too_many_requests' } })
  })
  return {
    allow: () => page.unroute(pattern),
    /**
     * Clicks a button, and allows every call from then on. A call that the page sends before the
     * click, such as when its socket opens, waits for it; the click may then reuse that call.
     */
    async allowAtClick(button: Locator) {
      const { promise: clicked, resolve: onClicked } = Promise.withResolvers<boolean>()
      isAllowed = () => clicked
      // A call without a response keeps the button busy, so the click must not wait until it is
      // idle.
      await button.click({ force: true })
      onClicked(true)
    },
  }
}
