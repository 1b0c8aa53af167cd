import languages from '../languages.json' with { type: 'json' }
import type { Locale } from './paraglide/runtime.js'

// What the compiled phrases take from their runtime, for the console, whose build puts this in its place:
// a seventh of the size, and it does not look into the storage for each phrase. The order is that of the
// specification: the stored preference, the browser's language, English.

const key = 'preferredLocale'

export const locales = Object.keys(languages) as Locale[]
export const baseLocale: Locale = 'en'
/** The phrases of a build are of all languages. */
export const experimentalStaticLocale = undefined

export const isLocale = (word: unknown): word is Locale => locales.some((locale) => locale === word)

let current: Locale | undefined

/** The language in use: until one is chosen here, what was chosen on this device, or what its browser wants. */
export function getLocale(): Locale {
  const wanted = () => [
    localStorage.getItem(key),
    // biome-ignore lint/plugin: tags (RFC 5646 §2.1.1), in no language themselves
    ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()),
  ]
  current ??= wanted().find(isLocale) ?? baseLocale
  return current
}

/** Uses another language from now on, and remembers it on this device. */
export function setLocale(locale: Locale) {
  current = locale
  localStorage.setItem(key, locale)
}
