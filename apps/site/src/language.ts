import { type Language, phrases } from './phrases.ts'

export type { Language } from './phrases.ts'

export const languages = Object.keys(phrases) as Language[]

const weight = (parameters: readonly string[]): number => {
  const q = parameters.map((parameter) => /^\s*q=(.*)$/i.exec(parameter)?.[1]).find(Boolean)
  const value = q === undefined ? 1 : Number(q)
  return value >= 0 && value <= 1 ? value : 0
}

/**
 * The language that a visitor prefers among the site's (RFC 9110 §12.5.4); the first by default.
 */
export const preferredLanguage = (acceptLanguage: string | undefined): Language => {
  let [best = 'en'] = languages
  let bestWeight = 0
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const primary = tag.trim().toLowerCase().split('-')[0]
    const language = languages.find((each) => each === primary)
    if (language && weight(parameters) > bestWeight) {
      best = language
      bestWeight = weight(parameters)
    }
  }
  return best
}

const dates = new Map<Language, Intl.DateTimeFormat>()

/** A date in UTC, such as November 20, 2026. `time` is ISO 8601. */
export const formatDate = (language: Language, time: string): string => {
  const format =
    dates.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  dates.set(language, format)
  return format.format(new Date(time))
}

const numbers = new Map<Language, Intl.NumberFormat>()

/** A number with the separators of the language. */
export const formatNumber = (language: Language, value: number): string => {
  const format = numbers.get(language) ?? new Intl.NumberFormat(language)
  numbers.set(language, format)
  return format.format(value)
}
