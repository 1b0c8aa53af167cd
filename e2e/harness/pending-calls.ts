import { expect, type Page, type Request } from '@playwright/test'
import { waitUntilConnected } from './shell-screens.ts'
import type { Translate } from './texts.ts'

/**
 * Watches the calls of a page from now on. The returned function waits until the page has its
 * socket and no call is pending: after that it refetches only on an event or a click.
 */
export function watchPendingCalls(page: Page) {
  const pending = new Set<Request>()
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return async (t: Translate) => {
    await waitUntilConnected(page, t)
    await expect.poll(() => pending.size, { message: 'pending calls' }).toBe(0)
  }
}
