import { describe, expect, it } from 'vitest'
import { pageNumber, parseSearch, stringifySearch } from './search-parameters.ts'

describe('query parameters', () => {
  it.each(['12345678901234567890', 'true', 'null', '{"a":1}', 'a+b=&c', 'ç', ''])(
    'keep %j as the text that it is',
    (text) => {
      expect(parseSearch(stringifySearch({ state: text }))).toEqual({ state: text })
    },
  )

  it('leave out what is not given', () => {
    expect(stringifySearch({ next: undefined })).toBe('')
  })

  it('that are given several times are a list, and stay one', () => {
    const search = '?state=a&client_id=shop&state=b'
    expect(parseSearch(search)).toEqual({ state: ['a', 'b'], client_id: 'shop' })
    expect(parseSearch(stringifySearch(parseSearch(search)))).toEqual(parseSearch(search))
  })

  it('have no names that mean anything to the language', () => {
    expect(Object.keys(parseSearch('?__proto__=a'))).toEqual(['__proto__'])
    expect(parseSearch('?a=1').constructor).toBe(Object)
  })
})

describe('the page of a list', () => {
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
  ])('that %j names is %i', (value, page) => {
    expect(pageNumber(value)).toBe(page)
  })
})
