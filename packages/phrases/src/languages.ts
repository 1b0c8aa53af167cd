import languages from '../languages.json' with { type: 'json' }
import { baseLocale, isLocale, type Locale } from './paraglide/runtime.js'

/** The name of a language as its speakers write it. */
export const languageName = (locale: Locale) => languages[locale].name

/** The locale that a text names; `fallback`, English by default, if it names none. */
export const parseLocale = (text: unknown, fallback: Locale = baseLocale): Locale =>
  isLocale(text) ? text : fallback

/** A name in several languages, such as the name of a product. It always has the English one. */
export type LocalizedName = { [baseLocale]: string } & Partial<Record<Locale, string>>

/** The name in a language; in English if it has none in that language. */
export const localizedName = (names: LocalizedName, locale: Locale) =>
  names[locale] ?? names[baseLocale]
