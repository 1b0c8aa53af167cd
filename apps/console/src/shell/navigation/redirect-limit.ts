import { limits } from '@slipway/contract/limits'
import type { RouterHistory } from '@tanstack/react-router'

/**
 * Counts consecutive redirects, which replace a history entry with another page. The router limits
 * only redirects that its routes throw, not two screens that redirect to each other. Returns a
 * check that throws after too many, and then restarts the count.
 */
export function limitRedirects(history: RouterHistory): () => void {
  let redirects = 0
  let { pathname } = history.location
  history.subscribe(({ location, action }) => {
    if (action.type !== 'REPLACE') redirects = 0
    // A change of the query, as by typing in a search, is no redirect.
    else if (location.pathname !== pathname) redirects++
    pathname = location.pathname
  })
  return () => {
    if (redirects <= limits.redirects) return
    redirects = 0
    throw new Error('Too many redirects')
  }
}
