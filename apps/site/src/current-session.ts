import { readCookies } from './cookies.ts'
import type { OpenSession } from './sessions.ts'
import { isSecure, type Visit } from './visit.ts'

export const sessionCookie = 'site_session'

/** The visitor's session; null when they are not signed in. */
export const currentSession = async (visit: Visit): Promise<OpenSession | null> => {
  const { site, request } = visit
  // Without TLS another subdomain may have set a cookie with the same name.
  for (const [name, value] of readCookies(request.headers.cookie, isSecure(visit))) {
    const session = name === sessionCookie ? await site.sessions.find(value) : null
    if (session) return session
  }
  return null
}
