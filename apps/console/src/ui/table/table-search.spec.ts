import { describe, expect, it } from 'vitest'
import { createSearch } from './table-search.ts'

const rows = [
  { name: 'İstanbul Rehberi', domain: 'www.istanbul.example' },
  { name: 'ISTANBUL MUSEUM', domain: null },
  { name: 'Işık Fırın', domain: 'isik.example' },
  { name: 'Old Mill', domain: 'mill.example' },
]
const search = createSearch(rows, ({ name, domain }) => [name, domain])
const found = (text: string) => search(text).map(({ name }) => name)

describe('a search', () => {
  it.each(['istanbul', 'İSTANBUL', 'ISTANBUL', 'ıstanbul'])(
    'for "%s" finds it however its i is written',
    (text) => {
      expect(found(text)).toEqual(['İstanbul Rehberi', 'ISTANBUL MUSEUM'])
    },
  )

  it('finds rows that have every word, wherever and in whichever order', () => {
    expect(found('  mill   old ')).toEqual(['Old Mill'])
    expect(found('example firin')).toEqual(['Işık Fırın'])
    expect(found('old firin')).toEqual([])
  })

  it('finds nothing across two texts of a row', () => {
    expect(found('millmill')).toEqual([])
  })

  it.each(['', '   '])('for nothing gives every row as it is', (text) => {
    expect(search(text)).toBe(rows)
  })

  it('finds an id as a whole or by its end, and no id by another part of it', () => {
    const id = '019a0000-1111-7222-8333-44445555abcd'
    const withId = createSearch([{ id }], (row) => [row])
    for (const found of [id, id.toUpperCase(), 'abcd', '5555abcd'])
      expect(withId(found)).toHaveLength(1)
    for (const other of ['1111', '019a', 'bcd', 'd']) expect(withId(other)).toEqual([])
  })

  it('folds each row once, however often it is asked', () => {
    let asked = 0
    const counted = createSearch(rows, ({ name }) => {
      asked++
      return [name]
    })
    for (const text of ['', 'o', 'ol', 'old']) counted(text)
    expect(asked).toBe(rows.length)
  })
})
