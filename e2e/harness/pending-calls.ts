import { expect, type Page, type Request } from '@playwright/test'
import { connected } from './support-screens.ts'
import type { Say } from './texts.ts'

/**
 * Notes which calls of the page are on their way. What it gives waits until none is and the page hears of
 * changes, for then it asks once more: what is stored unnoticed after that is not seen before it is asked for.
 */
export function watchCalls(page: Page) {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) open.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => open.delete(request))
  return async (say: Say) => {
    await connected(page, say)
    await expect.poll(() => open.size, { message: 'calls on their way' }).toBe(0)
  }
}
