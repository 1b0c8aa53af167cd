import { getLocale, type Locale, setLocale } from '@slipway/phrases'
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Makes the page say which language it is in; called once at the start, and by `changeLocale`. */
export function applyLocale() {
  document.documentElement.lang = getLocale()
}

/** Speaks another language at once, on the same page, and remembers it on this device. */
export function changeLocale(locale: Locale) {
  void setLocale(locale, { reload: false })
  applyLocale()
  for (const listener of listeners) listener()
}

/** The language in use. A component that calls it renders again in the new one when it changes. */
export const useLocale = () => useSyncExternalStore(subscribe, getLocale, getLocale)
