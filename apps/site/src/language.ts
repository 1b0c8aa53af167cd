export type Language = 'en' | 'tr'

const weight = (parameters: readonly string[]): number => {
  const q = parameters.map((parameter) => /^\s*q=(.*)$/i.exec(parameter)?.[1]).find(Boolean)
  const value = q === undefined ? 1 : Number(q)
  return value >= 0 && value <= 1 ? value : 0
}

/** The visitor's language of those the site speaks (RFC 9110 §12.5.4), English when none matches. */
export const preferredLanguage = (acceptLanguage: string | undefined): Language => {
  let best: Language = 'en'
  let bestWeight = 0
  for (const range of (acceptLanguage ?? '').split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const primary = tag.trim().toLowerCase().split('-')[0]
    const language = primary === 'en' || primary === 'tr' ? primary : undefined
    if (language && weight(parameters) > bestWeight) {
      best = language
      bestWeight = weight(parameters)
    }
  }
  return best
}

const dates: Record<Language, Intl.DateTimeFormat> = {
  en: new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }),
  tr: new Intl.DateTimeFormat('tr', { dateStyle: 'long', timeZone: 'UTC' }),
}

export const formatDate = (language: Language, time: string): string =>
  dates[language].format(new Date(time))

const locales: Record<Language, string> = { en: 'en-US', tr: 'tr-TR' }

export const formatNumber = (language: Language, value: number): string =>
  value.toLocaleString(locales[language])
