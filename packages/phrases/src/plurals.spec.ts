import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Locale, locales, m } from './index.ts'

type Messages = Record<string, unknown>
type Phrase = (inputs: { count: number }, options: { locale: Locale }) => string

const folder = new URL('../messages/', import.meta.url)

function messagesOf(locale: Locale): Messages {
  const files = readdirSync(new URL(`${locale}/`, folder))
  return Object.assign(
    {},
    ...files.map((file) => JSON.parse(readFileSync(new URL(`${locale}/${file}`, folder), 'utf8'))),
  )
}

const byLocale = Object.fromEntries(
  locales.map((locale) => [locale, messagesOf(locale)]),
) as Record<Locale, Messages>

const countPhrases = Object.keys(byLocale.en).filter((key) =>
  locales.some((locale) => /\{count\}|: plural/.test(JSON.stringify(byLocale[locale][key]))),
)

/** The phrase with this count. The number is replaced by `#`. */
function textWithCount(key: string, count: number, locale: Locale) {
  // Any other input of the phrase reads as `…`.
  const inputs = new Proxy({ count }, { get: (_, name) => (name === 'count' ? count : '…') })
  const phrase = (m as unknown as Record<string, Phrase>)[key]
  return phrase?.(inputs, { locale }).replace(String(count), '#') ?? ''
}

const forms = (key: string, locale: Locale) =>
  [0, 1, 2, 5].map((count) => textWithCount(key, count, locale))

describe('plural forms', () => {
  it('finds phrases to test', () => {
    expect(countPhrases).toContain('shell_invitations_waiting')
    expect(countPhrases.length).toBeGreaterThan(5)
  })

  it.each(countPhrases)('English %s: 1 has its own form', (key) => {
    const [zero, one, two, five] = forms(key, 'en')
    expect([zero, five]).toEqual([two, two])
    expect(one).not.toBe(two)
  })

  it.each(countPhrases)('Turkish %s: no plural suffix after a number', (key) => {
    const [zero, one, two, five] = forms(key, 'tr')
    expect([zero, five]).toEqual([two, two])
    // The form for 1 has no number.
    if (one !== two) expect(one).toMatch(/(?<!\p{L})bir(?!\p{L})/u)
    expect(two).toMatch(/[#…]/)
    expect(two).not.toMatch(/[#…] \p{L}+l[ae]r/u)
  })
})
