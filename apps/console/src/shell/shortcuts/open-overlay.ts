import { useSyncExternalStore } from 'react'

/** A dialog that opens over any page, by a shortcut, a button or a menu entry. */
export type Overlay = 'palette' | 'shortcuts'

let shown: Overlay | null = null
let opener: Element | null = null
const listeners = new Set<() => void>()

function show(next: Overlay | null) {
  shown = next
  for (const listener of listeners) listener()
}

/**
 * Opens an overlay in place of an open one. The focus returns later to the element that had it
 * before the first of them opened.
 */
export function openOverlay(overlay: Overlay) {
  if (shown === null) opener = document.activeElement
  show(overlay)
}

export const closeOverlay = () => show(null)

export const currentOverlay = () => shown

/** The element that had the focus before the overlay opened, or null if it was removed. */
export const overlayOpener = () =>
  opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : null

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useOverlay = () => useSyncExternalStore(subscribe, currentOverlay)
