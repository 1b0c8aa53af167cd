import { paths } from '../../paths.ts'

/** The auth pages are ways in, and lead on by themselves; signing in to a site is somewhere to get to. */
const isWayIn = (pathname: string) =>
  pathname.startsWith('/auth/') && pathname.replace(/\/$/, '') !== paths.projectLogin()

/**
 * A wanted path as it may be followed after signing in: on this origin, and not back to the ways in.
 * Null for anything else, so that a crafted link cannot send people to another site.
 */
export function safeNextPath(next: string | undefined, origin: string) {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return null
  const url = new URL(next, origin)
  // `/.//example.com` is on this origin, and its path would be another one's address.
  const isElsewhere = url.origin !== origin || url.pathname.startsWith('//')
  if (isElsewhere || isWayIn(url.pathname)) return null
  return url.pathname + url.search + url.hash
}

/** What whoever is sent away from here wants to come back to: here, or where they were on the way to. */
export const returnPath = (here: {
  pathname: string
  href: string
  search: { next?: unknown }
}) => {
  if (!isWayIn(here.pathname)) return here.href
  return typeof here.search.next === 'string' ? here.search.next : undefined
}
