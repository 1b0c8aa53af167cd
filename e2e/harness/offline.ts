import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/**
 * Cuts a page from the network. Chromium confirms this before its network process has applied it:
 * until then a request would still go out.
 */
export async function goOffline(page: Page) {
  await page.context().setOffline(true)
  const isReachable = () =>
    page.evaluate<boolean>("fetch('/healthz').then(() => true, () => false)")
  await expect.poll(isReachable).toBe(false)
}
