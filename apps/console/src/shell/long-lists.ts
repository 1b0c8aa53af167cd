const storageKey = 'longLists'

const remembered = () => new Set(localStorage.getItem(storageKey)?.split(' '))

/** From so many rows on, a list has a search above it: fewer are seen at a glance. */
export const searchFrom = 6

/** True for a list that was long when it was last seen here: what loads has room for its search. */
export const wasLong = (list: string) => remembered().has(list)

/** Remembers on this device whether a list is long. */
export function rememberLength(list: string, isLong: boolean) {
  const lists = remembered()
  if (lists.has(list) === isLong) return
  if (isLong) lists.add(list)
  else lists.delete(list)
  localStorage.setItem(storageKey, [...lists].filter(Boolean).join(' '))
}
