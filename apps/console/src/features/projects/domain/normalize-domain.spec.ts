import { describe, expect, it } from 'vitest'
import { asciiDomain, normalizeDomain } from './normalize-domain.ts'

describe('normalizeDomain', () => {
  it.each([
    ['www.example.com', 'www.example.com'],
    [' WWW.Foo-Shop.com. ', 'www.foo-shop.com'],
    ['Example.com/', 'example.com'],
    ['example.com./', 'example.com'],
    ['xn--kefrn-jua92bb32b.com.', 'xn--kefrn-jua92bb32b.com'],
  ])('turns "%s" into %s', (typed, meant) => {
    expect(normalizeDomain(typed)).toBe(meant)
  })

  it.each([
    '',
    'https://',
    'https://www.example.com/',
    'HTTP://Example.com',
    ' . ',
    'ftp://example.com',
    'https://example.com/shop',
    'example.com//',
    'example.com..',
    'example.com:8080',
    'ada@example.com',
    'https://127.0.0.1/',
    'example',
    'köşefırın.com',
  ])('keeps "%s" unchanged', (typed) => {
    expect(normalizeDomain(typed)).toBe(typed)
  })
})

describe('asciiDomain', () => {
  it.each([
    ['köşefırın.com', 'xn--kefrn-jua92bb32b.com'],
    [' www.Bäckerei.example/', 'www.xn--bckerei-5wa.example'],
  ])('turns "%s" into %s', (typed, written) => {
    expect(asciiDomain(typed)).toBe(written)
  })

  it.each([
    '',
    'example.com',
    'köşefırın',
    'köşefırın.com/menü',
    'köşe fırın.com',
    'ş@example.com',
  ])('is null for "%s"', (typed) => {
    expect(asciiDomain(typed)).toBeNull()
  })
})
