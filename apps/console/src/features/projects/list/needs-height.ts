const storageKey = 'needsHeight'

/** The height of the needs when they were last shown on this device, so that nothing moves. */
export const lastNeedsHeight = () => Number(localStorage.getItem(storageKey)) || 0

export const storeNeedsHeight = (height: number) => localStorage.setItem(storageKey, `${height}`)
