const storageKey = 'listLengths'

/** Longer lists are stored with this length. */
const maxStoredLength = 99

/**
 * The minimum number of rows of a list with a toolbar; higher on a phone, whose screen is small.
 */
export const toolbarFrom = { wide: 2, phone: 6 }

/** The same for the items of an invoice, which are read rather than searched. */
export const itemsToolbarFrom = { wide: 10, phone: 10 }

/** Parses the stored lengths, such as `projects=12 tickets=2`. */
const storedLengths = () =>
  new Map(
    (localStorage.getItem(storageKey) ?? '').split(' ').flatMap((entry) => {
      const [list = '', length] = entry.split('=')
      return length === undefined ? [] : [[list, Number(length) || 0]]
    }),
  )

/** The length of a list when it was last shown on this device, so that its skeleton fits. */
export const lastLength = (list: string, unknown = 0) => storedLengths().get(list) ?? unknown

/** The rows of a list's skeleton: as many as it last had, or else `guess`. */
export const skeletonRows = (list: string, guess = 3) => Math.min(lastLength(list), 10) || guess

export function storeLength(list: string, length: number) {
  const lengths = storedLengths()
  const stored = Math.min(length, maxStoredLength)
  if (lengths.get(list) === stored) return
  lengths.set(list, stored)
  const entries = [...lengths].map(([name, length]) => `${name}=${length}`)
  localStorage.setItem(storageKey, entries.join(' '))
}
