import { money } from '@slipway/contract/money'
import { describe, expect, it } from 'vitest'
import { formatSort, nextSort, parseSort, sortRows } from './table-sort.ts'

const sorted = <Value extends Parameters<typeof sortRows<unknown>>[0][number]>(
  values: readonly Value[],
  options: { descending?: boolean; locale?: string } = {},
) =>
  sortRows(values, (value) => value as never, {
    descending: options.descending ?? false,
    locale: options.locale ?? 'en',
  })

describe('sortRows', () => {
  it('sorts texts by the rules of the locale', () => {
    const turkish = ['zeytin', 'Irmak', 'ırgat', 'İzmir', 'iğne', 'Çınar', 'cam', 'Şile', 'Sivas']
    const expected = ['cam', 'Çınar', 'ırgat', 'Irmak', 'iğne', 'İzmir', 'Sivas', 'Şile', 'zeytin']
    expect(sorted(turkish, { locale: 'tr' })).toEqual(expected)
    expect(sorted(['zebra', 'Élodie', 'apple', 'Eve'])).toEqual(['apple', 'Élodie', 'Eve', 'zebra'])
  })

  it('sorts numbers inside texts by value and ignores case', () => {
    expect(sorted(['Site 10', 'site 9', 'SITE 1'])).toEqual(['SITE 1', 'site 9', 'Site 10'])
  })

  it('sorts timestamps and amounts by value, to the last decimal', () => {
    expect(sorted([30, 4, -1])).toEqual([-1, 4, 30])
    const amounts = ['10.00000', '9.00000', '90071992547409.92001', '90071992547409.92000']
    const rows = sortRows(amounts, (text) => money(text), { descending: false, locale: 'en' })
    expect(rows).toEqual(['9.00000', '10.00000', '90071992547409.92000', '90071992547409.92001'])
  })

  it('keeps the order of equal rows in both directions', () => {
    const rows = [
      { name: 'b', id: 1 },
      { name: 'A', id: 2 },
      { name: 'B', id: 3 },
      { name: 'a', id: 4 },
    ]
    const ids = (descending: boolean) =>
      sortRows(rows, ({ name }) => name, { descending, locale: 'en' }).map(({ id }) => id)
    expect(ids(false)).toEqual([2, 4, 1, 3])
    expect(ids(true)).toEqual([1, 3, 2, 4])
  })

  it('puts rows without a value last in both directions', () => {
    expect(sorted([null, 2, null, 1])).toEqual([1, 2, null, null])
    expect(sorted([null, 2, null, 1], { descending: true })).toEqual([2, 1, null, null])
  })
})

describe('an order in the URL', () => {
  const keys = ['name', 'state']

  it.each([
    ['name', { key: 'name', descending: false }],
    ['-state', { key: 'state', descending: true }],
  ])('%s is parsed and formatted', (text, sort) => {
    expect(parseSort(text, keys)).toEqual(sort)
    expect(formatSort(sort)).toBe(text)
  })

  it.each([undefined, '', '-', 'size', '--name', 'constructor'])('%j is not an order', (text) => {
    expect(parseSort(text, keys)).toBeUndefined()
  })

  it('goes from ascending to descending to the default, and restarts for another column', () => {
    const ascending = nextSort(undefined, 'name')
    const descending = nextSort(ascending, 'name')
    expect([ascending, descending, nextSort(descending, 'name')]).toEqual([
      { key: 'name', descending: false },
      { key: 'name', descending: true },
      undefined,
    ])
    expect(nextSort(descending, 'state')).toEqual({ key: 'state', descending: false })
  })
})
