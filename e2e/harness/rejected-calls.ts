import type { Locator, Page } from '@playwright/test'

/** Responds to a call with 429, which can be retried, until a returned function ends that. */
export async function rejectCalls(page: Page, path: string) {
  const address = `**/api${path}`
  let isAllowed = () => Promise.resolve(false)
  await page.route(address, async (route) => {
    if (await isAllowed()) return route.continue()
    return route.fulfill({ status: 429, json: { code: 429, error: 'too_many_requests' } })
  })
  return {
    allow: () => page.unroute(address),
    /**
     * Clicks a button, and rejects no call any more. A call that the page repeats by itself, such
     * as when its socket opens, waits for the click: it may join that call and send no other.
     */
    async allowAtClick(button: Locator) {
      const { promise: clicked, resolve: onClicked } = Promise.withResolvers<boolean>()
      isAllowed = () => clicked
      // Such a call keeps the button busy until the click, which therefore must not wait for it.
      await button.click({ force: true })
      onClicked(true)
    },
  }
}
