import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './command.mjs'

const phrases = join(root, 'packages/phrases')

/** A message in its file: a string, or a list with a text for each plural form. */
/** @typedef {unknown} Message */

/**
 * Checks that every message exists in every language, with the same placeholders, and is used.
 * @returns {Promise<string[]>} the errors, a line each
 */
export async function checkPhrases() {
  const [base = '', ...others] = Object.keys(
    JSON.parse(readFileSync(join(phrases, 'languages.json'), 'utf8')),
  )
  const baseMessages = readMessages(base)
  const errors = findEmpty(base, baseMessages)
  for (const language of others) {
    const messages = readMessages(language)
    errors.push(...findEmpty(language, messages))
    for (const key of baseMessages.keys())
      if (!messages.has(key)) errors.push(`${key}: missing in ${language}`)
    for (const [key, message] of messages) {
      const baseMessage = baseMessages.get(key)
      if (baseMessage === undefined) errors.push(`${key}: in ${language}, but not in ${base}`)
      else errors.push(...comparePlaceholders(key, baseMessage, base, message, language))
    }
  }
  const folders = readdirSync(join(phrases, 'messages'))
  for (const folder of folders)
    if (folder !== base && !others.includes(folder))
      errors.push(`messages/${folder}: not in languages.json`)
  const unused = await findUnused([...baseMessages.keys()])
  return [...errors, ...unused.map((key) => `${key}: never used`)]
}

/**
 * @param {string} language
 * @returns {Map<string, Message>} by key
 */
function readMessages(language) {
  const folder = join(phrases, 'messages', language)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(
    files.flatMap((name) => {
      const { $schema, ...messages } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      return Object.entries(messages)
    }),
  )
}

/**
 * @param {string} language
 * @param {Map<string, Message>} messages
 */
function findEmpty(language, messages) {
  const isEmpty = (/** @type {Message} */ message) => {
    const texts = textsOf(message)
    return texts.length === 0 || texts.some((text) => text.trim() === '')
  }
  return [...messages]
    .filter(([, message]) => isEmpty(message))
    .map(([key]) => `${key}: empty in ${language}`)
}

/**
 * @param {string} key
 * @param {Message} baseMessage
 * @param {string} base
 * @param {Message} message
 * @param {string} language
 */
function comparePlaceholders(key, baseMessage, base, message, language) {
  const [expected, actual] = [placeholdersOf(baseMessage), placeholdersOf(message)]
  if (expected === actual) return []
  return [
    `${key}: has ${expected || 'no placeholder'} in ${base}, ${actual || 'none'} in ${language}`,
  ]
}

/** @param {Message} message */
function placeholdersOf(message) {
  const names = textsOf(message).flatMap((text) => text.match(/\{[^{}]*\}/g) ?? [])
  return [...new Set(names)].sort().join(' ')
}

/**
 * @param {Message} message
 * @returns {string[]}
 */
function textsOf(message) {
  if (typeof message === 'string') return [message]
  if (Array.isArray(message)) return message.flatMap((form) => Object.values(form.match ?? {}))
  return []
}

/**
 * A phrase is used if a source file has `m.<key>` or its key as a string.
 * @param {string[]} keys
 */
async function findUnused(keys) {
  const patterns = ['*.ts', '*.tsx', ':!*.spec.ts', ':!*.spec.tsx', ':!packages/phrases/messages']
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns]
  const { output } = await run('git', list)
  const used = new Set()
  for (const path of output.split('\n').filter((line) => line && existsSync(join(root, line)))) {
    const source = readFileSync(join(root, path), 'utf8')
    for (const [, member, text] of source.matchAll(/\bm\.(\w+)|['"](\w+)['"]/g))
      used.add(member ?? text)
  }
  return keys.filter((key) => !used.has(key))
}
