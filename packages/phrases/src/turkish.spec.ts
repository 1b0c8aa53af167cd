import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Locale } from './index.ts'

const folder = new URL('../messages/', import.meta.url)

/** The texts of a language by key. A phrase with plural forms has several. */
function textsOf(locale: Locale): Map<string, string[]> {
  const files = readdirSync(new URL(`${locale}/`, folder))
  return new Map(
    files
      .map((file) => JSON.parse(readFileSync(new URL(`${locale}/${file}`, folder), 'utf8')))
      .flatMap(({ $schema, ...phrases }) => Object.entries<unknown>(phrases))
      .map(([key, phrase]) => [
        key,
        typeof phrase === 'string'
          ? [phrase]
          : (phrase as { match: Record<string, string> }[]).flatMap(({ match }) =>
              Object.values(match),
            ),
      ]),
  )
}

const english = textsOf('en')
const turkish = textsOf('tr')

/** Terminal texts may have straight quotes, and capitals in arguments and names of variables. */
const isCommand = (key: string) =>
  /^(operator|cli|terminal)_/.test(key) || key === 'support_email_ticket_command'

const withoutPlaceholders = (text: string) => text.replace(/\{\w+\}/g, 'x')

/** Search words of the palette, which are not shown. */
const isSearchWord = (key: string) => key.startsWith('palette_words_')

const phrases = [...turkish]
  .map(([key, texts]) => ({ key, texts }))
  .filter(({ key }) => !isSearchWord(key))
const prose = phrases.filter(({ key }) => !isCommand(key))

/** The prose with each placeholder replaced by `x`. */
const words = prose.map(({ key, texts }) => ({ key, texts: texts.map(withoutPlaceholders) }))

/** The matches of a pattern, each with the key of its phrase. */
const matches = (pattern: RegExp, among = phrases) =>
  among.flatMap(({ key, texts }) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([hit]) => `${key}: ${hit}`)),
  )

/** Names and technical terms that are not translated. */
const names = new Set(
  [
    'Slipway Google Visa Master American Express Esc Enter',
    'KB PDF UTC URL URI API IP DNS CNAME ALIAS TXT A AAAA CMS HTTPS SMTP_URL CSV Ctrl',
    'CAA DNSSEC HSTS IPv6 Cloudflare OpenID Connect RS NetworkPolicy',
    'HTML CSS JavaScript PHP WordPress SQLite Node UTF PORT SANDBOX Linux KUBERNETES_PHP_IMAGE',
    // The name of the stage of the service.
    'Açık Alfa',
  ].flatMap((line) => line.split(' ')),
)

/** Capitalized words that start neither a sentence nor a quotation. */
const capitals = (text: string) =>
  [...withoutPlaceholders(text).matchAll(/(?<=[^.!?:“"\n•] )\p{Lu}[\p{L}_]*/gu)]
    .map(([word]) => word)
    .filter((word) => !names.has(word))

describe('Turkish phrases', () => {
  it('are more than 400, so that the rules below test something', () => {
    expect(prose.length).toBeGreaterThan(400)
  })

  it('use siz, never sen', () => {
    expect(matches(/(?<!\p{L})(sen|seni|sana|sende|senden|senin|seninle)(?!\p{L})/giu)).toEqual([])
  })

  it('request input with the polite imperative (siz), without "lütfen"', () => {
    expect(matches(/lütfen/giu)).toEqual([])
    const requests = phrases.filter(({ key }) => /^form_(enter|select)_/.test(key))
    expect(requests.length).toBeGreaterThan(20)
    for (const { key, texts } of requests)
      for (const text of texts) expect(text, key).toMatch(/(ın|in|un|ün)(?!\p{L})/u)
  })

  // The terms of README.md.
  it.each([
    ['ekip', /(?<!\p{L})takım\p{L}*/giu],
    ['parola', /(?<!\p{L})şifre(?!l[ei])\p{L}*/giu],
    ['destek talebi', /(?<!\p{L})(bilet|kayıt talebi|ticket)\p{L}*/giu],
    ['e-posta', /(?<!\p{L})(e-?mail|mail|eposta)\p{L}*/giu],
    ['bağlantı', /(?<!\p{L})link\p{L}*/giu],
    ['alan adı', /(?<!\p{L})domain\p{L}*/giu],
    ['belirteç', /(?<!\p{L})(token|jeton)\p{L}*/giu],
    ['giriş yap', /(?<!\p{L})(login|oturum aç)\p{L}*/giu],
    ['Faturalama', /(?<!\p{L})faturalandırma(?!\p{L})/giu],
    ['fatura düzenlenir', /(?<!\p{L})fatura(lar)?(ın)? kesil\p{L}*/giu],
    ['yanıt', /(?<!\p{L})cevap\p{L}*/giu],
    ['davet', /(?<!\p{L})davetiye\p{L}*/giu],
    ['güncel fatura', /(?<!\p{L})aktif fatura\p{L}*/giu],
    ['doğrula', /(?<!\p{L})onayla\p{L}*/giu],
    ['kaydol', /(?<!\p{L})üye ol\p{L}*/giu],
    ['yeniden dene', /(?<!\p{L})tekrar dene\p{L}*/giu],
  ])('use the term "%s" and no other', (_, others) => {
    expect(matches(others, words)).toEqual([])
  })

  it('have capitals only at the start of a sentence and in names', () => {
    const wrong = prose.flatMap(({ key, texts }) =>
      texts.flatMap((text) => capitals(text).map((word) => `${key}: ${word}`)),
    )
    expect(wrong).toEqual([])
  })

  it('have no suffix on a placeholder, since vowel harmony depends on its value', () => {
    expect(matches(/\}['’]?\p{L}+/gu)).toEqual([])
  })

  it('have typographic quotes, apostrophes and ellipses', () => {
    expect(matches(/["'‘]|\.{3}/g, prose)).toEqual([])
  })

  it('have the percent sign before the number', () => {
    expect(matches(/[\d}] ?%/g)).toEqual([])
  })

  it('differ from the English phrases', () => {
    const same = prose.filter(({ key, texts }) => {
      const words = texts.join(' ').replace(/\{\w+\}/g, '')
      return /\p{L}/u.test(words) && String(texts) === String(english.get(key))
    })
    expect(same.map(({ key }) => key)).toEqual([
      'cards_visa',
      'cards_master_card',
      'cards_american_express',
      'cards_troy',
      'invoices_net',
      'release_version',
      'release_image_port',
      'runtime_php',
      'runtime_wordpress',
    ])
  })

  it('end with the punctuation of the English phrases', () => {
    const endOf = (text: string) => /[.?!:…]?$/.exec(text)?.[0] ?? ''
    // A time follows: "Changed 2 hours ago", but "Son değişiklik: 2 saat önce".
    const beforeTimes = [
      'backups_unchanged',
      'domains_checked',
      'environment_changed',
      'tokens_created',
      'tokens_expires',
      'tokens_last_use',
    ]
    const wrong = prose.filter(({ key, texts }) => {
      if (beforeTimes.includes(key)) return texts.some((text) => !text.endsWith(':'))
      const ends = new Set(english.get(key)?.map(endOf))
      return texts.some((text) => !ends.has(endOf(text)))
    })
    expect(wrong.map(({ key }) => key)).toEqual([])
  })
})
