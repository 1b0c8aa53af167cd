import { describe, expect, it } from 'vitest'
import { createSearch } from './table-search.ts'

const rows = [
  { name: 'İstanbul Rehberi', domain: 'www.istanbul.example' },
  { name: 'ISTANBUL MUSEUM', domain: null },
  { name: 'Işık Fırın', domain: 'isik.example' },
  { name: 'Old Mill', domain: 'mill.example' },
]
const search = createSearch(rows, ({ name, domain }) => [name, domain])
const namesFound = (text: string) => search(text).map(({ name }) => name)

describe('createSearch', () => {
  it.each(['istanbul', 'İSTANBUL', 'ISTANBUL', 'ıstanbul'])(
    'finds "%s" with any Turkish or English i',
    (text) => {
      expect(namesFound(text)).toEqual(['İstanbul Rehberi', 'ISTANBUL MUSEUM'])
    },
  )

  it('finds rows that contain every word, in any text and order', () => {
    expect(namesFound('  mill   old ')).toEqual(['Old Mill'])
    expect(namesFound('example firin')).toEqual(['Işık Fırın'])
    expect(namesFound('old firin')).toEqual([])
  })

  it('does not match across two texts of a row', () => {
    expect(namesFound('millmill')).toEqual([])
  })

  it.each(['', '   '])('returns all rows unchanged for "%s"', (text) => {
    expect(search(text)).toBe(rows)
  })

  it('finds an id by its whole text or its end, not by any other part', () => {
    const id = '019a0000-1111-7222-8333-44445555abcd'
    const withId = createSearch([{ id }], (row) => [row])
    for (const text of [id, id.toUpperCase(), 'abcd', '5555abcd'])
      expect(withId(text)).toHaveLength(1)
    for (const other of ['1111', '019a', 'bcd', 'd']) expect(withId(other)).toEqual([])
  })

  it('indexes each row once for any number of searches', () => {
    let indexed = 0
    const counted = createSearch(rows, ({ name }) => {
      indexed++
      return [name]
    })
    for (const text of ['', 'o', 'ol', 'old']) counted(text)
    expect(indexed).toBe(rows.length)
  })
})
