import { getLocale, type Locale, setLocale } from '@slipway/phrases'
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Sets the `lang` of the document; called at the start and by `changeLocale`. */
export function applyLocale() {
  document.documentElement.lang = getLocale()
}

/** Switches the language without a reload and stores it on this device. */
export function changeLocale(locale: Locale) {
  void setLocale(locale, { reload: false })
  applyLocale()
  for (const listener of listeners) listener()
}

/** The current language; re-renders the component when it changes. */
export const useLocale = () => useSyncExternalStore(subscribe, getLocale, getLocale)
