export type Language = 'en' | 'tr'

export type Phrases = {
  welcomeTitle: string
  welcomeText: string
  since: (date: string) => string
  notFoundTitle: string
  notFoundText: string
  notAllowedTitle: string
  notAllowedText: string
  home: string
}

const dates: Record<Language, Intl.DateTimeFormat> = {
  en: new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }),
  tr: new Intl.DateTimeFormat('tr', { dateStyle: 'long', timeZone: 'UTC' }),
}

export const formatDate = (language: Language, time: string): string =>
  dates[language].format(new Date(time))

export const phrases: Record<Language, Phrases> = {
  en: {
    welcomeTitle: 'A new website lives here',
    welcomeText:
      'It is up and running. Its owners have not written anything yet, so come back soon.',
    since: (date) => `Online since ${date}`,
    notFoundTitle: 'Page not found',
    notFoundText: 'There is nothing at this address.',
    notAllowedTitle: 'Not possible here',
    notAllowedText: 'This page can only be read.',
    home: 'Go to the home page',
  },
  tr: {
    welcomeTitle: 'Burada yeni bir web sitesi var',
    welcomeText:
      'Site yayında ve çalışıyor. Sahipleri henüz bir şey yazmadı, yakında yine uğrayın.',
    since: (date) => `${date} tarihinden beri yayında`,
    notFoundTitle: 'Sayfa bulunamadı',
    notFoundText: 'Bu adreste bir şey yok.',
    notAllowedTitle: 'Burada yapılamaz',
    notAllowedText: 'Bu sayfa yalnızca okunabilir.',
    home: 'Ana sayfaya git',
  },
}

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
