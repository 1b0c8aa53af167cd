import { createClient } from '@slipway/contract/client'
import { logout } from '@slipway/contract/sessions'
import { getLocale } from '@slipway/phrases'
import { apiBase } from '../../api/client.ts'
import { sessionToken } from '../../api/session.ts'

/**
 * Ends a session whose token this browser was given and does not take, so that nobody can. The session
 * of whoever is signed in here stays: a link must not sign anybody out.
 */
export function endUnusedSession(token: string) {
  if (token === '' || token === sessionToken()) return
  const call = createClient({
    base: apiBase,
    token: () => token,
    locale: getLocale,
    // It goes out even when the page is left at once.
    fetch: (address, init) => fetch(address, { ...init, keepalive: true }),
  })
  // Nobody asked for it, and without an answer the session ends by itself in time.
  call(logout).catch(() => undefined)
}
