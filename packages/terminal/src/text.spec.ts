import { describe, expect, it } from 'vitest'
import { fit, oneLine, splitLines, width, wrap } from './text.ts'

describe('text for a terminal', () => {
  it.each([
    ['colors', '\u001b[31mred', ' [31mred'],
    ['the bell, and C1 controls', 'a\u0007b\u009bc', 'a b c'],
    ['line breaks', 'one\r\n\u2028two', 'one two'],
    ['changes of direction', '\u202eexe\u202c\u2066x\u2069', 'exex'],
    ['nothing from joined emoji', '👩\u200d💻', '👩\u200d💻'],
  ])('on one line: removes %s', (_, text, expected) => {
    expect(oneLine(text)).toBe(expected.trim())
  })

  it('on several lines: keeps line breaks and indentation', () => {
    expect(splitLines('a\u001b[2J\r\n\tb\u2029\n  c  ')).toEqual(['a[2J', '    b', '', '  c'])
  })
})

describe('width', () => {
  it.each([
    ['Işıl', 4],
    ['g\u0306', 1],
    ['網站', 4],
    ['ﾊ한', 3],
    ['👩\u200d💻!', 3],
    ['🇹🇷', 2],
    ['', 0],
  ])('of %s is %d', (text, columns) => {
    expect(width(text)).toBe(columns)
  })
})

describe('fit', () => {
  it('pads and cuts, also between wide characters', () => {
    expect(fit('abc', 5)).toBe('abc  ')
    expect(fit('abcdef', 4)).toBe('abc…')
    expect(fit('網站網站', 4)).toBe('網… ')
    expect(width(fit('網站網站', 4))).toBe(4)
  })

  it('is empty without columns', () => {
    expect(fit('abc', 0)).toBe('')
    expect(fit('', 0)).toBe('')
  })
})

describe('wrap', () => {
  it('breaks at spaces and keeps the indentation', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrap('  one two three', 9)).toEqual(['  one two', '  three'])
    expect(wrap('', 8)).toEqual([''])
  })

  it('never breaks a URL', () => {
    expect(wrap('see https://example.com/a-long-path now', 10)).toEqual([
      'see',
      'https://example.com/a-long-path',
      'now',
    ])
  })
})
