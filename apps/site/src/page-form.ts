import { formatNumber, type Language } from './language.ts'
import { phrases } from './phrases.ts'

/** The home page as entered in the form. */
export type PageInput = { title: string; text: string }

/** Validation errors in the visitor's language. */
export type PageErrors = { title?: string; text?: string }

/** Maximum lengths in Unicode code points. */
export const maxCharacters = { title: 120, text: 20_000 }

// Control characters except tab and line break.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f]/g

const length = (text: string): number => [...text].length

/** The trimmed input with LF line breaks; forms send CR LF (WHATWG HTML §4.10.22.6). */
export const readPageInput = (form: URLSearchParams): PageInput => {
  const read = (name: string) =>
    (form.get(name) ?? '').replaceAll('\r\n', '\n').replace(invisible, '')
  return { title: read('title').replaceAll('\n', ' ').trim(), text: read('text').trim() }
}

/** The validation errors; empty when valid. */
export const validatePageInput = (language: Language, { title, text }: PageInput): PageErrors => {
  const phrase = phrases[language]
  const number = (value: number) => formatNumber(language, value)
  const errors: PageErrors = {}
  if (title === '') errors.title = phrase.titleMissing
  else if (length(title) > maxCharacters.title) {
    errors.title = phrase.titleTooLong(number(maxCharacters.title))
  }
  if (length(text) > maxCharacters.text) {
    errors.text = phrase.textTooLong(number(maxCharacters.text), number(length(text)))
  }
  return errors
}
