import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as paraglide from './paraglide/runtime.js'

const stored = new Map<string, string>()

/** The runtime as a page loads it, in a browser that speaks these. */
async function open(...languages: string[]) {
  vi.stubGlobal('navigator', { languages })
  vi.resetModules()
  return import('./browser-runtime.ts')
}

describe('the phrases’ runtime in the browser', () => {
  beforeEach(() => {
    stored.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    })
  })

  it('knows the languages that the phrases are compiled to', async () => {
    const { locales, baseLocale } = await open()
    expect([locales, baseLocale]).toEqual([paraglide.locales, paraglide.baseLocale])
  })

  it('keeps the choice where the compiled runtime keeps it', async () => {
    const { setLocale } = await open()
    setLocale('tr')
    expect([...stored]).toEqual([[paraglide.localStorageKey, 'tr']])
  })

  it('takes the stored language before the browser’s', async () => {
    stored.set('preferredLocale', 'tr')
    expect((await open('en-GB')).getLocale()).toBe('tr')
  })

  it.each([
    [['tr-TR', 'en'], 'tr'],
    [['de-DE', 'TR'], 'tr'],
    [['de-DE', 'fr'], 'en'],
    [[], 'en'],
  ])('takes the first of the browser’s that there is, of %j', async (languages, locale) => {
    expect((await open(...languages)).getLocale()).toBe(locale)
    expect([...stored]).toEqual([])
  })

  it('does not take what somebody else has stored', async () => {
    stored.set('preferredLocale', 'xx')
    expect((await open('tr')).getLocale()).toBe('tr')
  })

  it('stays with a language on this page until another is chosen here', async () => {
    const { getLocale, setLocale } = await open('en')
    expect(getLocale()).toBe('en')
    stored.set('preferredLocale', 'tr')
    expect(getLocale()).toBe('en')
    setLocale('tr')
    expect(getLocale()).toBe('tr')
  })
})
