import { paths } from '../../paths.ts'

/** True for auth pages, which are no destination after a login, except signing in to a site. */
const isAuthPage = (pathname: string) =>
  pathname.startsWith('/auth/') && pathname.replace(/\/$/, '') !== paths.projectLogin()

/**
 * The `next` parameter as a path to go to after signing in: on this origin, and no auth page. Null
 * for anything else, so that a crafted link cannot redirect to another site.
 */
export function safeNextPath(next: string | undefined, origin: string) {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return null
  const url = new URL(next, origin)
  // `/.//example.com` is on this origin, but its path `//example.com` is a URL of another one.
  const isOtherOrigin = url.origin !== origin || url.pathname.startsWith('//')
  if (isOtherOrigin || isAuthPage(url.pathname)) return null
  return url.pathname + url.search + url.hash
}

/** The `next` parameter for a redirect to an auth page: this page, or its own `next`. */
export const nextPathOf = (location: {
  pathname: string
  href: string
  search: { next?: unknown }
}) => {
  if (!isAuthPage(location.pathname)) return location.href
  return typeof location.search.next === 'string' ? location.search.next : undefined
}
