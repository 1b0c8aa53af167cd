import { describe, expect, it } from 'vitest'
import { isSlug, toSlug } from './slug.ts'

describe('toSlug', () => {
  it.each([
    ['About us', 'about-us'],
    ['İletişim & Şubeler', 'iletisim-subeler'],
    ['Ağaç ışığı', 'agac-isigi'],
    ["What's new?", 'whats-new'],
    ['../../etc/passwd', 'etc-passwd'],
    ['Straße, Œuvre', 'strasse-oeuvre'],
    ['日本', ''],
    ['---', ''],
  ])('of %j is %j', (text, slug) => {
    expect(toSlug(text)).toBe(slug)
    if (slug) expect(isSlug(slug)).toBe(true)
  })

  it.each([
    ['Pictures', 'pictures-1'],
    ['yk', 'yk-1'],
  ])('of %j, a reserved path, is %j: it ends with a number', (text, slug) => {
    expect(toSlug(text)).toBe(slug)
    expect(isSlug(slug)).toBe(true)
  })

  it('of a long title is a slug', () => {
    expect(isSlug(toSlug('word '.repeat(24)))).toBe(true)
  })
})

describe('isSlug', () => {
  it.each(['', '/', '..', 'a/b', 'a.b', 'A', 'a--b', '-a', 'a-', 'ä', 'a b', 'a\n'])(
    'rejects %j',
    (text) => {
      expect(isSlug(text)).toBe(false)
    },
  )

  it.each(['healthz', 'pictures', 'yk'])('rejects %j, a reserved path', (text) => {
    expect(isSlug(text)).toBe(false)
  })
})
