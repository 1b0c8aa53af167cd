/** What somebody does to be elsewhere. */
const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'popstate'] as const

/** Scrolls there as soon as the page is long enough, unless somebody has begun to scroll by themselves. */
export function scrollWhenLoaded(top: number) {
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
