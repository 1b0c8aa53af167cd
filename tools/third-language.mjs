import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './command.mjs'
import { compilePhrases } from './phrases.mjs'

const phrases = join(root, 'packages/phrases')

/** A language that the product does not support. It has four plural forms. */
export const thirdLanguage = 'pl'

/** Marks a text of the third language with brackets that no other text has. */
export const mark = (/** @type {string} */ text) => `⟦${text}⟧`

/**
 * Marks every text of a (nested) object whose values are texts or functions that return texts.
 * @template Texts
 * @param {Texts} texts
 * @returns {Texts}
 */
export function markAll(texts) {
  /** @param {unknown} value */
  const translated = (value) => {
    if (typeof value === 'string') return mark(value)
    if (typeof value === 'function')
      return (/** @type {unknown[]} */ ...inputs) => mark(value(...inputs))
    return markAll(value)
  }
  const entries = Object.entries(/** @type {object} */ (texts))
  return /** @type {Texts} */ (
    Object.fromEntries(entries.map(([key, value]) => [key, translated(value)]))
  )
}

/**
 * Copies packages/phrases, adds a third language and compiles it. Its messages are the English ones
 * in brackets. A real language is added the same way: its messages, and a line in languages.json.
 * @returns {Promise<string>} the copy's folder
 */
export async function compileThirdLanguage() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-phrases-'))
  for (const part of ['messages', 'src', 'languages.json'])
    cpSync(join(phrases, part), join(folder, part), {
      recursive: true,
      filter: (path) => !/paraglide|\.spec\.ts$/.test(path),
    })
  const languages = JSON.parse(readFileSync(join(folder, 'languages.json'), 'utf8'))
  writeFileSync(
    join(folder, 'languages.json'),
    JSON.stringify({ ...languages, [thirdLanguage]: { name: 'Polski' } }),
  )
  const [base, target] = ['en', thirdLanguage].map((name) => join(folder, 'messages', name))
  mkdirSync(target)
  for (const file of readdirSync(base)) {
    const messages = JSON.parse(readFileSync(join(base, file), 'utf8'))
    const translated = Object.entries(messages).map(([key, message]) => [key, translate(message)])
    writeFileSync(join(target, file), JSON.stringify(Object.fromEntries(translated)))
  }
  await compilePhrases(folder)
  return folder
}

/** @param {string | { match: Record<string, string> }[]} message */
function translate(message) {
  if (typeof message === 'string') return mark(message)
  return message.map((form) => ({ ...form, match: translateForms(form.match) }))
}

/**
 * Gives each plural form of the third language the English text of `other`.
 * @param {Record<string, string>} match the texts by their conditions, such as `form=one`
 */
function translateForms(match) {
  const { pluralCategories } = new Intl.PluralRules(thirdLanguage).resolvedOptions()
  return Object.fromEntries(
    Object.entries(match).flatMap(([condition, text]) =>
      /form=other/.test(condition)
        ? pluralCategories.map((category) => [
            condition.replace('form=other', `form=${category}`),
            mark(text),
          ])
        : /form=/.test(condition)
          ? []
          : [[condition, mark(text)]],
    ),
  )
}
