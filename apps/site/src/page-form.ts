import { formatNumber, type Language } from './language.ts'
import { phrases } from './phrases.ts'

/** The home page as somebody wrote it into the form. */
export type Written = { title: string; text: string }

/** What is wrong with it, in the visitor's language. */
export type WrittenErrors = { title?: string; text?: string }

/** How long each may be, counted as people count: in Unicode code points. */
export const mostCharacters = { title: 120, text: 20_000 }

// Characters that no keyboard writes and no page shows, but for the tab and the line break.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f]/g

const length = (text: string): number => [...text].length

/** What was written, trimmed; a form sends line breaks as CR LF (WHATWG HTML §4.10.22.6). */
export const readWritten = (form: URLSearchParams): Written => {
  const read = (name: string) =>
    (form.get(name) ?? '').replaceAll('\r\n', '\n').replace(invisible, '')
  return { title: read('title').replaceAll('\n', ' ').trim(), text: read('text').trim() }
}

/** Says what is wrong with it; empty when it can be saved. */
export const checkWritten = (language: Language, { title, text }: Written): WrittenErrors => {
  const phrase = phrases[language]
  const number = (value: number) => formatNumber(language, value)
  const errors: WrittenErrors = {}
  if (title === '') errors.title = phrase.titleMissing
  else if (length(title) > mostCharacters.title) {
    errors.title = phrase.titleTooLong(number(mostCharacters.title))
  }
  if (length(text) > mostCharacters.text) {
    errors.text = phrase.textTooLong(number(mostCharacters.text), number(length(text)))
  }
  return errors
}
