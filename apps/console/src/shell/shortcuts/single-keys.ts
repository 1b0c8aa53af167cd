import { useSyncExternalStore } from 'react'

const key = 'singleKeyShortcuts'
const off = 'off'
const listeners = new Set<() => void>()

/**
 * True if single-key shortcuts are on. Users can turn them off, because speech input and accidental
 * key presses trigger them (WCAG 2.1.4).
 */
export const areSingleKeyShortcutsEnabled = () => localStorage.getItem(key) !== off

export function enableSingleKeyShortcuts(isEnabled: boolean) {
  if (isEnabled) localStorage.removeItem(key)
  else localStorage.setItem(key, off)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useSingleKeyShortcutsEnabled = () =>
  useSyncExternalStore(subscribe, areSingleKeyShortcutsEnabled)
