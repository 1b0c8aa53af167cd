const storageKey = 'listLengths'

/** So many rows a list has above which nobody counts them any more. */
const most = 99

/** From so many rows on, a list has a search above it; a phone has less room, and fewer rows at a glance. */
export const searchFrom = { wide: 2, phone: 6 }

/** The lengths as `projects=12 tickets=2`; what is no length is none. */
const remembered = () =>
  new Map(
    (localStorage.getItem(storageKey) ?? '').split(' ').flatMap((entry) => {
      const [list = '', length] = entry.split('=')
      return length === undefined ? [] : [[list, Number(length) || 0]]
    }),
  )

/** How long a list was when it was last seen here: what loads has room for its search. */
export const lastLength = (list: string) => remembered().get(list) ?? 0

/** Remembers on this device how long a list is. */
export function rememberLength(list: string, length: number) {
  const lengths = remembered()
  const kept = Math.min(length, most)
  if (lengths.get(list) === kept) return
  lengths.set(list, kept)
  const entries = [...lengths].map(([name, held]) => `${name}=${held}`)
  localStorage.setItem(storageKey, entries.join(' '))
}
