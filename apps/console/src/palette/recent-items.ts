/** The storage key of the recent items' ids, the most recent first. */
const storageKey = 'paletteRecent'

const maxRecent = 5

/** The ids of the recently opened items; empty if the stored value is invalid. */
export function recentItems(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter((id) => typeof id === 'string').slice(0, maxRecent)
      : []
  } catch {
    return []
  }
}

export function rememberItem(id: string) {
  const others = recentItems().filter((other) => other !== id)
  localStorage.setItem(storageKey, JSON.stringify([id, ...others].slice(0, maxRecent)))
}
