import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './command.mjs'

const messages = join(root, 'packages/phrases/messages')

/**
 * Whether every phrase is there in every language, with the same placeholders, and is used.
 * @returns {Promise<string[]>} what is wrong, a line each
 */
export async function checkPhrases() {
  const [base, ...others] = readdirSync(messages).sort()
  const expected = readLanguage(base)
  const complaints = [...expected].flatMap((phrase) => emptyOnes(base, phrase))
  for (const language of others) {
    const found = readLanguage(language)
    for (const [key, text] of found) complaints.push(...emptyOnes(language, [key, text]))
    for (const key of expected.keys()) {
      if (!found.has(key)) complaints.push(`${key}: missing in ${language}`)
    }
    for (const [key, text] of found) {
      const original = expected.get(key)
      if (original === undefined) complaints.push(`${key}: in ${language}, but not in ${base}`)
      else complaints.push(...comparePlaceholders(key, original, base, text, language))
    }
  }
  const unused = await unusedAmong([...expected.keys()])
  return [...complaints, ...unused.map((key) => `${key}: used nowhere`)]
}

/**
 * @param {string} language
 * @returns {Map<string, unknown>} by key; a plural is a list, a plain phrase a text
 */
function readLanguage(language) {
  const folder = join(messages, language)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(
    files.flatMap((name) => {
      const { $schema, ...phrases } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      return Object.entries(phrases)
    }),
  )
}

/**
 * @param {string} language
 * @param {[string, unknown]} phrase
 */
function emptyOnes(language, [key, text]) {
  const texts = textsOf(text)
  const isEmpty = texts.length === 0 || texts.some((part) => part.trim() === '')
  return isEmpty ? [`${key}: empty in ${language}`] : []
}

/**
 * @param {string} key
 * @param {unknown} original
 * @param {string} base
 * @param {unknown} text
 * @param {string} language
 */
function comparePlaceholders(key, original, base, text, language) {
  const [wanted, found] = [placeholdersOf(original), placeholdersOf(text)]
  if (wanted === found) return []
  return [`${key}: has ${wanted || 'no placeholder'} in ${base}, ${found || 'none'} in ${language}`]
}

/** @param {unknown} text */
function placeholdersOf(text) {
  const names = textsOf(text).flatMap((part) => part.match(/\{[^{}]*\}/g) ?? [])
  return [...new Set(names)].sort().join(' ')
}

/**
 * The texts of a phrase: itself, or one for each case of a phrase that depends on a number.
 * @param {unknown} text
 * @returns {string[]}
 */
function textsOf(text) {
  if (typeof text === 'string') return [text]
  if (Array.isArray(text)) return text.flatMap((part) => Object.values(part.match ?? {}))
  return []
}

/** @param {string[]} keys */
async function unusedAmong(keys) {
  const patterns = ['*.ts', '*.tsx', ':!*.spec.ts', ':!*.spec.tsx', ':!packages/phrases/messages']
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns]
  const { output } = await run('git', list)
  const words = new Set()
  for (const path of output.split('\n').filter((line) => line && existsSync(join(root, line)))) {
    const source = readFileSync(join(root, path), 'utf8')
    for (const [, member, text] of source.matchAll(/\bm\.(\w+)|['"](\w+)['"]/g))
      words.add(member ?? text)
  }
  return keys.filter((key) => !words.has(key))
}
