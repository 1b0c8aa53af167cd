import { describe, expect, it } from 'vitest'
import { locales, m } from './index.ts'

/** The column of the description in a line, by its indentation: commands, and their options. */
const columns: Record<string, number> = { 2: 22, 4: 24 }

describe('the help of the operators’ command line', () => {
  it.each(locales)('in %s has its descriptions below each other', (locale) => {
    const lines = m.operator_usage({}, { locale }).split('\n')
    const described = lines.flatMap((line) => {
      const [, indent = '', name] = /^( {2}| {4})(\S.*?) {2,}\S/.exec(line) ?? []
      return name === undefined ? [] : [{ line, column: columns[indent.length] ?? 0 }]
    })
    expect(described.length).toBeGreaterThan(20)
    for (const { line, column } of described)
      expect(line.slice(column - 2, column + 1), line).toMatch(/^ {2}\S$/)
  })
})
