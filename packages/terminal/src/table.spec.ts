import { describe, expect, it } from 'vitest'
import { type Column, table } from './table.ts'
import { width } from './text.ts'

type Row = { id: string; subject: string; name: string }
const layout: Column<Row>[] = [
  { title: 'Id', cell: ({ id }) => id },
  { title: 'Subject', cell: ({ subject }) => subject, narrowWidth: { preferred: 100, min: 8 } },
  { title: 'From', cell: ({ name }) => name, narrowWidth: { preferred: 10, min: 6 } },
]
const rows = [
  { id: '1', subject: 'Short', name: 'Ada' },
  { id: '22', subject: 'A subject that goes on', name: 'Somebody with a name' },
]
const heading = (text: string) => text

describe('table', () => {
  it('aligns its columns', () => {
    expect(table(layout, rows, { columns: Number.POSITIVE_INFINITY, heading })).toEqual([
      'Id  Subject                 From',
      '1   Short                   Ada',
      '22  A subject that goes on  Somebody with a name',
    ])
  })

  it('aligns the columns of numbers at the right', () => {
    const counts: Column<{ count: string }>[] = [
      { title: 'Count', alignRight: true, cell: ({ count }) => count },
    ]
    const lines = table(counts, [{ count: '7' }, { count: '1,234,567' }], { columns: 80, heading })
    expect(lines).toEqual(['    Count', '        7', '1,234,567'])
  })

  it.each([40, 30, 20])(
    'fits into a terminal of %d columns by cutting the columns that may shrink',
    (columns) => {
      const lines = table(layout, rows, { columns, heading })
      for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns)
      expect(lines[2]).toContain('…')
      expect(lines[2]?.startsWith('22  A ')).toBe(true)
    },
  )

  it('cuts columns to their preferred width first', () => {
    expect(table(layout, rows, { columns: 38, heading })[2]).toBe(
      '22  A subject that goes on  Somebody …',
    )
  })

  it('cuts no column below its minimum width', () => {
    expect(table(layout, rows, { columns: 5, heading })[2]).toBe('22  A subje…  Someb…')
  })

  it('keeps the alignment of styled cells', () => {
    const [first, ...rest] = layout
    if (!first) throw new Error('no column')
    const styled = [{ ...first, style: (text: string) => `<${text}>` }, ...rest]
    expect(table(styled, rows.slice(0, 1), { columns: 80, heading })[1]).toBe('<1 >  Short    Ada')
  })
})
