/** Fetches this page from the server, and compares its build with the running one. */
async function fetchPage() {
  const bundle = new URL(import.meta.url).pathname
  const response = await fetch(location.href, { cache: 'no-store' })
  const page = await response.text()
  return {
    bundle,
    // A page without the root element comes from a proxy or a captive portal.
    isConsole: response.ok && page.includes('id="root"'),
    isSameBuild: page.includes(bundle),
  }
}

/**
 * Reloads the page if the server has a newer build, whose chunks have other names. At most once for
 * each build, so that it never reloads in a loop.
 */
export async function reloadOutdatedBuild() {
  const { bundle, isConsole, isSameBuild } = await fetchPage()
  const storageKey = `outdated:${bundle}`
  if (!isConsole || isSameBuild || sessionStorage.getItem(storageKey) !== null) return
  sessionStorage.setItem(storageKey, '')
  location.reload()
}

/**
 * Reloads the page if the server is reachable. Browsers until 2026 cache a failed import for the
 * life of the document (https://github.com/whatwg/html/pull/10327).
 */
export async function reloadAfterCachedFailure() {
  if ((await fetchPage()).isConsole) location.reload()
}
