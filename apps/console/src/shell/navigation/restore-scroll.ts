const storageKey = 'placeOnPage'

/** True for a reload, and for going back or forward from another document. */
const isRestoredNavigation = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  return (navigation as PerformanceNavigationTiming | undefined)?.type !== 'navigate'
}

let isStarted = false

/**
 * Restores the scroll position after a restored navigation. The router restores it before the rows
 * are loaded, when the page is too short.
 */
export function restoreScroll() {
  if (isStarted) return
  isStarted = true
  const [top = '', href] = (sessionStorage.getItem(storageKey) ?? '').split(' ')
  addEventListener('pagehide', () =>
    sessionStorage.setItem(storageKey, `${Math.round(scrollY)} ${location.href}`),
  )
  if (Number(top) > 0 && href === location.href && isRestoredNavigation())
    import('./scroll-when-loaded.ts').then(
      ({ scrollWhenLoaded }) => scrollWhenLoaded(Number(top)),
      reportError,
    )
}
