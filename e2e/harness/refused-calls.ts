import type { Page } from '@playwright/test'

/**
 * Responds to a call with 403, which the page retries only when its socket opens: before `allow`, the
 * returned function, wait with `watchPendingCalls`, or the page may recover before the test clicks.
 */
export async function refuseCalls(page: Page, path: string) {
  const address = `**/api${path}`
  await page.route(address, (route) =>
    route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
  )
  return () => page.unroute(address)
}
