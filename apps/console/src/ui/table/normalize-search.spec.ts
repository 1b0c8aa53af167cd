import { describe, expect, it } from 'vitest'
import { foldText } from './normalize-search.ts'

describe('foldText', () => {
  it.each(['isik', 'Işık', 'ışık', 'IŞIK', 'İşik', 'İŞİK', ' ışık '])(
    'takes "%s" for the same word as the others',
    (written) => {
      expect(foldText(written)).toBe('isik')
    },
  )

  it('leaves the marks of any language out', () => {
    expect(foldText('Çağrı Ünlü, Öykü & Élodie')).toBe('cagri unlu, oyku & elodie')
  })

  it('takes letters of another width for their plain ones', () => {
    expect(foldText('Ｓｌｉｐ ﬁne')).toBe('slip fine')
  })

  it('takes any space between words for one', () => {
    expect(foldText('my   first\tshop')).toBe('my first shop')
  })

  it('keeps digits, and the signs of addresses and amounts', () => {
    expect(foldText('shop-2.example.com $1.50000')).toBe('shop-2.example.com $1.50000')
  })
})
