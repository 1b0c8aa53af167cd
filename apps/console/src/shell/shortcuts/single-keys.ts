import { useSyncExternalStore } from 'react'

const key = 'singleKeyShortcuts'
const off = 'off'
const listeners = new Set<() => void>()

/**
 * True if single-key shortcuts are on. Users can turn them off, as speech input and slips trigger
 * them by mistake (WCAG 2.1.4).
 */
export const areSingleKeysOn = () => localStorage.getItem(key) !== off

export function setSingleKeys(on: boolean) {
  if (on) localStorage.removeItem(key)
  else localStorage.setItem(key, off)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useSingleKeys = () => useSyncExternalStore(subscribe, areSingleKeysOn)
