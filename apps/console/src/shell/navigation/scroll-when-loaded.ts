/** The user scrolls or navigates with these. */
const userEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'popstate'] as const

/** Scrolls to a position once the page is long enough, unless the user acts first. */
export function scrollWhenLoaded(top: number) {
  const ended = new AbortController()
  const observer = new ResizeObserver(() => {
    const maxTop = document.documentElement.scrollHeight - innerHeight
    if (maxTop < top) return
    scrollTo({ top, behavior: 'instant' })
    end()
  })
  function end() {
    observer.disconnect()
    ended.abort()
  }
  for (const event of userEvents)
    addEventListener(event, end, { signal: ended.signal, passive: true })
  observer.observe(document.body)
}
