const storageKey = 'placeOnPage'

/** Where a page was scrolled to when it was last left, as its address and pixels. */
function remembered(): number {
  try {
    const { href, top } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return href === location.href && typeof top === 'number' ? top : 0
  } catch {
    return 0
  }
}

const wasReloaded = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate'
}

/** What somebody does to be elsewhere. */
const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'popstate'] as const

/** Scrolls there as soon as the page is long enough, unless somebody has begun to scroll by themselves. */
function goBackTo(top: number) {
  const over = new AbortController()
  const observer = new ResizeObserver(() => {
    const longest = document.documentElement.scrollHeight - innerHeight
    if (longest < top) return
    scrollTo({ top, behavior: 'instant' })
    end()
  })
  function end() {
    observer.disconnect()
    over.abort()
  }
  for (const move of moves) addEventListener(move, end, { signal: over.signal, passive: true })
  observer.observe(document.body)
}

/**
 * A page that is loaded anew is where it was: its rows come after the router has looked for the place, when
 * the page was too short for it.
 */
export function keepPlace() {
  const top = wasReloaded() ? remembered() : 0
  if (top > 0) goBackTo(top)
  const remember = () =>
    sessionStorage.setItem(storageKey, JSON.stringify({ href: location.href, top: scrollY }))
  addEventListener('pagehide', remember)
}
