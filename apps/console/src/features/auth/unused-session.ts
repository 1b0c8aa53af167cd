import { createClient } from '@slipway/contract/client'
import { logout } from '@slipway/contract/sessions'
import { getLocale } from '@slipway/phrases'
import { apiBase } from '../../api/client.ts'
import { sessionToken } from '../../api/session.ts'

/**
 * Ends a session whose token this browser received but does not use. The current session stays: a
 * link must not sign a user out.
 */
export function endUnusedSession(token: string) {
  if (token === sessionToken()) return
  const call = createClient({
    base: apiBase,
    token: () => token,
    locale: getLocale,
    // Sent even when the page is closed immediately.
    fetch: (address, init) => fetch(address, { ...init, keepalive: true }),
  })
  // Best effort: without a response the session still expires.
  call(logout).catch(() => undefined)
}
