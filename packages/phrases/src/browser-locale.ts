import {
  baseLocale,
  isLocale,
  type Locale,
  localStorageKey,
  overwriteGetLocale,
  overwriteSetLocale,
} from './paraglide/runtime.js'

/**
 * The language for this browser: the stored one, else the first of the browser's languages that is
 * available, else English. The specification sets this order.
 */
export function detectLocale(): Locale {
  const preferredTags = [
    localStorage.getItem(localStorageKey),
    // biome-ignore lint/plugin: language tags (RFC 5646 §2.1.1) are ASCII
    ...navigator.languages.map((tag) => tag.split('-')[0]?.toLowerCase()),
  ]
  return preferredTags.find(isLocale) ?? baseLocale
}

/**
 * Makes the phrases of this page use the detected language until the page changes it. Paraglide's
 * strategy reads the storage for each phrase, so a change in another tab would translate a part of
 * this page. It also stores a detected language, which would override a later change of the
 * browser's language.
 */
export function pinDetectedLocale() {
  let currentLocale: Locale | undefined
  overwriteGetLocale(() => {
    currentLocale ??= detectLocale()
    return currentLocale
  })
  overwriteSetLocale((locale) => {
    currentLocale = locale
    localStorage.setItem(localStorageKey, locale)
  })
}
