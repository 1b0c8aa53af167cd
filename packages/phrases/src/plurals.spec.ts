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

/** The phrases with a count, or with plural forms. */
const counting = Object.keys(byLocale.en).filter((key) =>
  locales.some((locale) => /\{count\}|: plural/.test(JSON.stringify(byLocale[locale][key]))),
)

/** The phrase with a count: `#` is the number, `…` any other input. */
function textWithCount(key: string, count: number, locale: Locale) {
  const inputs = new Proxy({ count }, { get: (_, name) => (name === 'count' ? count : '…') })
  const phrase = (m as unknown as Record<string, Phrase>)[key]
  return phrase?.(inputs, { locale }).replace(String(count), '#') ?? ''
}

const forms = (key: string, locale: Locale) =>
  [0, 1, 2, 5].map((count) => textWithCount(key, count, locale))

describe('phrases with a count', () => {
  it('are more than five, so that the rules below test something', () => {
    expect(counting).toContain('shell_invitations_waiting')
    expect(counting.length).toBeGreaterThan(5)
  })

  it.each(counting)(
    'have in English one form for one, and another for none, two and five: %s',
    (key) => {
      const [none, one, two, five] = forms(key, 'en')
      expect([none, five]).toEqual([two, two])
      expect(one).not.toBe(two)
    },
  )

  it.each(counting)(
    'have in Turkish one form and no plural after a number, except for a one in words: %s',
    (key) => {
      const [none, one, two, five] = forms(key, 'tr')
      expect([none, five]).toEqual([two, two])
      if (one !== two) expect(one).toMatch(/(?<!\p{L})bir(?!\p{L})/u)
      expect(two).toMatch(/[#…]/)
      expect(two).not.toMatch(/[#…] \p{L}+l[ae]r/u)
    },
  )
})
