const storageKey = 'needsHeight'

/** The height that the list of needs last had on this device: its space until it is loaded. */
export const lastNeedsHeight = () => Number(localStorage.getItem(storageKey)) || 0

export const storeNeedsHeight = (height: number) => localStorage.setItem(storageKey, `${height}`)
