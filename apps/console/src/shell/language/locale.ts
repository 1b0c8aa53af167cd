import { getLocale, type Locale, locales, setLocale } from '@slipway/phrases'
import { useSyncExternalStore } from 'react'

/** The languages as their speakers call them. */
export const localeNames: Record<Locale, string> = { en: 'English', tr: 'Türkçe' }

/** The word as a language; anything else stays with the one in use. */
export const parseLocale = (word: string): Locale =>
  locales.find((locale) => locale === word) ?? getLocale()

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
