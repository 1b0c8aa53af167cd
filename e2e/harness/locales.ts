import { type Locale, locales } from '@slipway/phrases'

/** The locale of a browser whose user has this language, with its most likely region: `tr-TR`. */
export function browserLocale(language: Locale) {
  const { region } = new Intl.Locale(language).maximize()
  return `${language}-${region}`
}

export const everyLocale = locales.map(browserLocale)

export const testsEveryLanguage = Boolean(process.env.EVERY_LANGUAGE)

/**
 * Tests of details run in one language: Turkish, which has the longer texts. Journeys, the look of
 * every screen and formats are tested in all, and so is everything with `EVERY_LANGUAGE=1`.
 */
export const testedLocales = testsEveryLanguage ? everyLocale : everyLocale.slice(1, 2)
