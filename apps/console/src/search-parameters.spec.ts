import { describe, expect, it } from 'vitest'
import { pageNumber, parseSearch, stringifySearch } from './search-parameters.ts'

describe('parseSearch and stringifySearch', () => {
  it.each(['12345678901234567890', 'true', 'null', '{"a":1}', 'a+b=&c', 'ç', ''])(
    'return %j as text',
    (text) => {
      expect(parseSearch(stringifySearch({ state: text }))).toEqual({ state: text })
    },
  )

  it('omit undefined values', () => {
    expect(stringifySearch({ next: undefined })).toBe('')
  })

  it('return repeated parameters as a list', () => {
    const search = '?state=a&client_id=shop&state=b'
    expect(parseSearch(search)).toEqual({ state: ['a', 'b'], client_id: 'shop' })
    expect(parseSearch(stringifySearch(parseSearch(search)))).toEqual(parseSearch(search))
  })

  it('treat __proto__ and constructor as ordinary names', () => {
    expect(Object.keys(parseSearch('?__proto__=a'))).toEqual(['__proto__'])
    expect(parseSearch('?a=1').constructor).toBe(Object)
  })
})

describe('pageNumber', () => {
  it.each([
    ['2', 2],
    ['1', 1],
    [undefined, 1],
    ['0', 1],
    ['-1', 1],
    ['1.5', 1],
    ['nonsense', 1],
    [['2', '3'], 1],
    ['99999999999', 1_000_000],
  ])('reads %j as page %i', (value, page) => {
    expect(pageNumber(value)).toBe(page)
  })
})
