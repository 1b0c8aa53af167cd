import { describe, expect, it } from 'vitest'
import { normalizeSearch } from './normalize-search.ts'

describe('normalizeSearch', () => {
  it.each(['isik', 'Işık', 'ışık', 'IŞIK', 'İşik', 'İŞİK', ' ışık '])(
    'normalizes "%s" to "isik"',
    (written) => {
      expect(normalizeSearch(written)).toBe('isik')
    },
  )

  it('removes the diacritics of any language', () => {
    expect(normalizeSearch('Çağrı Ünlü, Öykü & Élodie')).toBe('cagri unlu, oyku & elodie')
  })

  it('replaces full-width letters and ligatures', () => {
    expect(normalizeSearch('Ｓｌｉｐ ﬁne')).toBe('slip fine')
  })

  it('collapses whitespace', () => {
    expect(normalizeSearch('my   first\tshop')).toBe('my first shop')
  })

  it('keeps digits and the punctuation of domains and amounts', () => {
    expect(normalizeSearch('shop-2.example.com $1.50000')).toBe('shop-2.example.com $1.50000')
  })
})
