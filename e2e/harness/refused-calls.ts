import type { Page } from '@playwright/test'

/** Lets a call be refused, which is final: nothing asks again by itself. Gives what allows it again. */
export async function refuse(page: Page, path: string) {
  const address = `**/api${path}`
  await page.route(address, (route) =>
    route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
  )
  return () => page.unroute(address)
}
