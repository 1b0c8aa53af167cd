/** What was chosen from the palette in this browser, the last first; ids, so nothing of what it was. */
const key = 'paletteRecent'

/** More nobody remembers having chosen. */
const most = 5

/** The ids of what was chosen; none of anything that is no such list. */
export function recentItems(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, most) : []
  } catch {
    return []
  }
}

export function rememberItem(id: string) {
  const others = recentItems().filter((held) => held !== id)
  localStorage.setItem(key, JSON.stringify([id, ...others].slice(0, most)))
}
