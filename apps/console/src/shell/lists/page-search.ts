/** A request to focus a search that is still inert: the page and its focus at that time. */
let pendingFocus: { focus: Element | null; path: string } | null = null

const searchField = () => document.querySelector<HTMLElement>('main [data-shortcut="search"]')

/** Focuses the page's search field now, or once its rows are loaded. False if there is none. */
export function focusSearch(): boolean {
  const field = searchField()
  if (!field) return false
  field.focus()
  const isInert = document.activeElement !== field
  pendingFocus = isInert ? { focus: document.activeElement, path: location.pathname } : null
  return true
}

/** Focuses the field that is now ready, unless the user moved on. */
export function onSearchReady() {
  const pending = pendingFocus
  pendingFocus = null
  if (pending?.path === location.pathname && pending.focus === document.activeElement)
    searchField()?.focus()
}
