import type { Page } from '@playwright/test'

/**
 * Responds to a call with 403 until the returned function is called. The page retries when its
 * socket opens: wait with `watchPendingCalls` before, or it recovers before the test clicks.
 */
export async function rejectCalls(page: Page, path: string) {
  const address = `**/api${path}`
  await page.route(address, (route) =>
    route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
  )
  return () => page.unroute(address)
}
