/**
 * A wanted path as it may be followed after signing in: on this origin, and not back to the auth pages.
 * Null for anything else, so that a crafted link cannot send people to another site.
 */
export function safeNextPath(next: string | undefined, origin: string) {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return null
  const url = new URL(next, origin)
  if (url.origin !== origin || url.pathname.startsWith('/auth/')) return null
  return url.pathname + url.search + url.hash
}
