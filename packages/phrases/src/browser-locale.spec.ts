import { beforeEach, describe, expect, it, vi } from 'vitest'
import { localStorageKey } from './paraglide/runtime.js'

const stored = new Map<string, string>()

/** Loads the phrases as a new page in a browser with these languages. */
async function openPage(...languages: string[]) {
  vi.stubGlobal('navigator', { languages })
  vi.resetModules()
  const runtime = await import('./paraglide/runtime.js')
  const { pinDetectedLocale } = await import('./browser-locale.ts')
  pinDetectedLocale()
  return runtime
}

describe('pinDetectedLocale', () => {
  beforeEach(() => {
    stored.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    })
  })

  it('stores a chosen language', async () => {
    const { setLocale } = await openPage()
    void setLocale('tr')
    expect([...stored]).toEqual([[localStorageKey, 'tr']])
  })

  it('prefers the stored language to those of the browser', async () => {
    stored.set('preferredLocale', 'tr')
    expect((await openPage('en-GB')).getLocale()).toBe('tr')
  })

  it.each([
    [['tr-TR', 'en'], 'tr'],
    [['de-DE', 'TR'], 'tr'],
    [['de-DE', 'fr'], 'en'],
    // Seediq, not Turkish.
    [['trv'], 'en'],
    [[], 'en'],
  ])('uses the first supported language of %j and stores nothing', async (languages, locale) => {
    expect((await openPage(...languages)).getLocale()).toBe(locale)
    expect([...stored]).toEqual([])
  })

  it('ignores a stored value that is not a language', async () => {
    stored.set('preferredLocale', 'xx')
    expect((await openPage('tr')).getLocale()).toBe('tr')
  })

  it('keeps the language of this page when another tab stores one', async () => {
    const { getLocale, setLocale } = await openPage('en')
    expect(getLocale()).toBe('en')
    stored.set('preferredLocale', 'tr')
    expect(getLocale()).toBe('en')
    void setLocale('tr')
    expect(getLocale()).toBe('tr')
  })
})
