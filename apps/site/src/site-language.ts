import { type Language, languages } from './language.ts'

/** The languages that pages can be written in (BCP 47), independent of the editor's. */
const siteLanguages = (
  'ar az bg bs ca cs da de el en es et fa fi fr he hi hr hu hy id it ja ka kk ko ku lt lv mk ' +
  'nl no pl pt ro ru sk sl sq sr sv th tr uk ur uz vi zh'
).split(' ')

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur'])

export const isSiteLanguage = (value: unknown): value is string =>
  siteLanguages.some((language) => language === value)

/** The direction of a page's text. */
export const directionOf = (language: string): 'rtl' | 'ltr' =>
  rightToLeft.has(language) ? 'rtl' : 'ltr'

/**
 * The language of the site's own texts on a page, such as the footer: the page's language if the
 * site has texts in it, otherwise the visitor's.
 */
export const siteTextLanguage = (
  pageLanguage: string | null,
  visitorLanguage: Language,
): Language => languages.find((language) => language === pageLanguage) ?? visitorLanguage

/** The languages of pages, each with its name in that language. */
export const namedLanguages = (): { language: string; name: string }[] => {
  const { compare } = new Intl.Collator('en')
  return siteLanguages
    .map((language) => {
      const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
      return { language, name: name.charAt(0).toLocaleUpperCase(language) + name.slice(1) }
    })
    .sort((a, b) => compare(a.name, b.name))
}
