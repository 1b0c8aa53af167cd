/** Where a device stores the ids of the items that were chosen, the last one first. */
const key = 'paletteRecent'

const mostRecent = 5

/** The ids of the items that were chosen; none if the stored text is not a list. */
export function recentItems(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter((id) => typeof id === 'string').slice(0, mostRecent)
      : []
  } catch {
    return []
  }
}

export function rememberItem(id: string) {
  const others = recentItems().filter((other) => other !== id)
  localStorage.setItem(key, JSON.stringify([id, ...others].slice(0, mostRecent)))
}
