import { formatNumber, type Language } from './language.ts'
import { phrases } from './phrases.ts'
import { isSlug, toSlug } from './slug.ts'

/**
 * A page as entered in the form. The home page has no own address and is not in the menu.
 */
export type PageInput = {
  title: string
  text: string
  slug: string
  inMenu: boolean
}

/** Validation errors in the visitor's language. */
export type PageErrors = { title?: string; slug?: string; text?: string }

/** Maximum lengths in Unicode code points. */
export const maxCharacters = { title: 120, text: 20_000, alt: 250 }

// Control characters except tab and line break.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f]/g

export const length = (text: string): number => [...text].length

const readField = (form: URLSearchParams, name: string) =>
  (form.get(name) ?? '').replaceAll('\r\n', '\n').replace(invisible, '')

/** The trimmed text of a field without line breaks. */
export const readLine = (form: URLSearchParams, name: string): string =>
  readField(form, name).replaceAll('\n', ' ').trim()

/**
 * The trimmed input with LF line breaks; forms send CR LF (WHATWG HTML §4.10.22.6). An address that
 * was left empty is made from the title.
 */
export const readPageInput = (form: URLSearchParams): PageInput => {
  const title = readLine(form, 'title')
  return {
    title,
    text: readField(form, 'text').trim(),
    slug: readLine(form, 'slug') || toSlug(title) || 'page',
    inMenu: form.has('in_menu'),
  }
}

/** The validation errors; empty when valid. `takenSlugs` are the addresses of other pages. */
export const validatePageInput = (
  language: Language,
  { title, text, slug }: PageInput,
  takenSlugs: readonly string[] = [],
): PageErrors => {
  const phrase = phrases[language]
  const number = (value: number) => formatNumber(language, value)
  const errors: PageErrors = {}
  if (title === '') errors.title = phrase.titleMissing
  else if (length(title) > maxCharacters.title) {
    errors.title = phrase.titleTooLong(number(maxCharacters.title))
  }
  if (!isSlug(slug)) errors.slug = phrase.addressInvalid
  else if (takenSlugs.includes(slug)) errors.slug = phrase.addressTaken
  if (length(text) > maxCharacters.text) {
    errors.text = phrase.textTooLong(number(maxCharacters.text), number(length(text)))
  }
  return errors
}
