import { useSyncExternalStore } from 'react'

/** What lies over any page when a key, a button or an entry of a menu asks for it. */
export type Overlay = 'palette' | 'shortcuts'

let shown: Overlay | null = null
let opener: Element | null = null
const listeners = new Set<() => void>()

function show(next: Overlay | null) {
  shown = next
  for (const listener of listeners) listener()
}

/** Opens it, in place of the other one where that is open: the focus then goes back to what opened that. */
export function openOverlay(overlay: Overlay) {
  if (shown === null) opener = document.activeElement
  show(overlay)
}

export const closeOverlay = () => show(null)

export const currentOverlay = () => shown

/** What had the focus before: it gets it back. Null where that is gone, or was nothing in particular. */
export const overlayOpener = () =>
  opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : null

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The one that is open, or null. */
export const useOverlay = () => useSyncExternalStore(subscribe, currentOverlay)
