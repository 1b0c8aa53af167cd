import { describe, expect, it } from 'vitest'
import { normalizeSearch } from './normalize-search.ts'

describe('normalizeSearch', () => {
  it.each(['isik', 'Işık', 'ışık', 'IŞIK', 'İşik', 'İŞİK', ' ışık '])(
    'takes "%s" for the same word as the others',
    (written) => {
      expect(normalizeSearch(written)).toBe('isik')
    },
  )

  it('leaves the marks of any language out', () => {
    expect(normalizeSearch('Çağrı Ünlü, Öykü & Élodie')).toBe('cagri unlu, oyku & elodie')
  })

  it('takes letters of another width for their plain ones', () => {
    expect(normalizeSearch('Ｓｌｉｐ ﬁne')).toBe('slip fine')
  })

  it('takes any space between words for one', () => {
    expect(normalizeSearch('my   first\tshop')).toBe('my first shop')
  })

  it('keeps digits, and the signs of addresses and amounts', () => {
    expect(normalizeSearch('shop-2.example.com $1.50000')).toBe('shop-2.example.com $1.50000')
  })
})
