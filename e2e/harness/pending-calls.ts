import { expect, type Page, type Request } from '@playwright/test'
import { waitUntilConnected } from './shell-screens.ts'
import type { Translate } from './texts.ts'

/**
 * Notes which calls of the page are on their way. What it gives waits until none is and the page hears of
 * changes, for then it asks once more: what is stored unnoticed after that is not seen before it is asked for.
 */
export function watchPendingCalls(page: Page) {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) open.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => open.delete(request))
  return async (t: Translate) => {
    await waitUntilConnected(page, t)
    await expect.poll(() => open.size, { message: 'calls on their way' }).toBe(0)
  }
}
