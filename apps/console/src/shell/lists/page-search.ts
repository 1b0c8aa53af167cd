/** Who had the focus, and where, when a search was asked for that cannot be typed in yet. */
let wanted: { focus: Element | null; path: string } | null = null

const searchField = () => document.querySelector<HTMLElement>('main [data-shortcut="search"]')

/**
 * Puts the focus into the field that searches the page: at once, or as soon as its rows are there. False
 * where the page has nothing to search.
 */
export function focusSearch(): boolean {
  const field = searchField()
  if (!field) return false
  field.focus()
  const waits = document.activeElement !== field
  wanted = waits ? { focus: document.activeElement, path: location.pathname } : null
  return true
}

/** The field can be typed in from now on; whoever has gone elsewhere meanwhile stays there. */
export function searchIsReady() {
  const then = wanted
  wanted = null
  if (then?.path === location.pathname && then.focus === document.activeElement)
    searchField()?.focus()
}
