import { paths } from '../../paths.ts'

let callback = new URLSearchParams()

/**
 * Moves the query of an external login's callback out of the URL and the history, so that a copied
 * URL does not contain the token. Call it before the router reads the URL.
 */
export function captureLoginCallback() {
  if (location.pathname.replace(/\/$/, '') !== paths.externalLogin()) return
  callback = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
}

export const loginCallback = () => callback
