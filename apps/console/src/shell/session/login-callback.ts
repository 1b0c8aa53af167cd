import { paths } from '../../paths.ts'

let returned = new URLSearchParams()

/**
 * Takes what an outside login came back with out of the address and the history, whatever it is: neither
 * a look over the shoulder nor a copied address takes the token along. Called before anything else.
 */
export function captureLoginCallback() {
  if (location.pathname.replace(/\/$/, '') !== paths.externalLogin()) return
  returned = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
}

/** The query that this page was opened with. */
export const loginCallback = () => returned
