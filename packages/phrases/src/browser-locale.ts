import {
  baseLocale,
  type Locale,
  locales,
  localStorageKey,
  overwriteGetLocale,
  overwriteSetLocale,
} from './paraglide/runtime.js'

/**
 * The language of this browser, in the order of the specification: the stored one, the first of the
 * browser's that is available, English.
 */
export function detectLocale(): Locale {
  const preferred = [
    localStorage.getItem(localStorageKey),
    // biome-ignore lint/plugin: tags (RFC 5646 §2.1.1), in no language themselves
    ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()),
  ]
  return (
    preferred.flatMap((tag) => locales.find((locale) => locale === tag) ?? []).at(0) ?? baseLocale
  )
}

/**
 * Has the phrases of this page use the detected language until it is changed here. Paraglide
 * itself reads the storage for each phrase, so that another tab would change it in part, and stores
 * what it detects.
 */
export function followBrowserLocale() {
  let current: Locale | undefined
  overwriteGetLocale(() => {
    current ??= detectLocale()
    return current
  })
  overwriteSetLocale((locale) => {
    current = locale
    localStorage.setItem(localStorageKey, locale)
  })
}
