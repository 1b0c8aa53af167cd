import { baseLocale, isLocale, type Locale } from './paraglide/runtime.js'

/**
 * The language that an `Accept-Language` header prefers among the available ones (RFC 9110
 * §12.5.4); English by default. Regions are ignored: `tr-TR` is Turkish.
 */
export function preferredLocale(acceptLanguage: string | undefined): Locale {
  let best: Locale = baseLocale
  let bestWeight = 0
  for (const range of acceptLanguage?.split(',') ?? []) {
    const [tag = '', ...parameters] = range.trim().split(';')
    // biome-ignore lint/plugin: a language tag (RFC 5646 §2.1.1), not text
    const language = tag.trim().split('-')[0]?.toLowerCase()
    const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.trim().slice(2))
    if (isLocale(language) && weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best
}
