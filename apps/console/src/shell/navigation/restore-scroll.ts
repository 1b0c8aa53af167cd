const storageKey = 'placeOnPage'

const wasReloaded = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  return (navigation as PerformanceNavigationTiming | undefined)?.type !== 'navigate'
}

let isKept = false

/**
 * A page that is loaded anew is where it was: its rows come after the router has looked for the place, when
 * the page was too short for it.
 */
export function restoreScroll() {
  if (isKept) return
  isKept = true
  const [top = '', href] = (sessionStorage.getItem(storageKey) ?? '').split(' ')
  addEventListener('pagehide', () =>
    sessionStorage.setItem(storageKey, `${Math.round(scrollY)} ${location.href}`),
  )
  if (Number(top) > 0 && href === location.href && wasReloaded())
    import('./scroll-when-loaded.ts').then(
      ({ scrollWhenLoaded }) => scrollWhenLoaded(Number(top)),
      reportError,
    )
}
