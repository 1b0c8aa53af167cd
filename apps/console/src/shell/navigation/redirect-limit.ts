import { limits } from '@slipway/contract/limits'
import type { RouterHistory } from '@tanstack/react-router'

/**
 * Counts redirects in a row: pages that took the place of another one before anybody went anywhere. The
 * router's own limit knows only those that its routes throw; two screens that each send people to the
 * other would go on for ever. Gives what throws once there were too many, and begins anew.
 */
export function limitRedirects(history: RouterHistory): () => void {
  let redirects = 0
  let { pathname } = history.location
  history.subscribe(({ location, action }) => {
    if (action.type !== 'REPLACE') redirects = 0
    // The same page with other parameters is no redirect: a list is filtered while one types.
    else if (location.pathname !== pathname) redirects++
    pathname = location.pathname
  })
  return () => {
    if (redirects <= limits.redirects) return
    redirects = 0
    throw new Error('Too many redirects')
  }
}
