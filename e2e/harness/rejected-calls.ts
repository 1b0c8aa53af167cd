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
     * Clicks a button, and rejects no call from the click on. A call before it is still rejected:
     * the page repeats calls by itself, such as when its socket opens.
     */
    async allowAtClick(button: Locator) {
      await page.evaluate(`
        globalThis.isClicked = false
        addEventListener('click', () => { isClicked = true }, { capture: true, once: true })
      `)
      isAllowed = () => page.evaluate<boolean>('isClicked')
      await button.click()
    },
  }
}
