import { describe, expect, test } from 'vitest'
import { formatCardNumberInput } from './card-number-format.ts'

/** The field's text with `|` as the caret. */
const parse = (shown: string) => ({ text: shown.replace('|', ''), caret: shown.indexOf('|') })

function edit(before: string, change: 'type' | 'backspace' | 'delete', inserted = '') {
  const { text, caret } = parse(before)
  const [from, to, inputType] = {
    type: [caret, caret, 'insertText'] as const,
    backspace: [Math.max(0, caret - 1), caret, 'deleteContentBackward'] as const,
    delete: [caret, caret + 1, 'deleteContentForward'] as const,
  }[change]
  const raw = {
    text: text.slice(0, from) + inserted + text.slice(to),
    caret: from + inserted.length,
  }
  const after = formatCardNumberInput(text, raw, inputType)
  return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`
}

describe('formatCardNumberInput', () => {
  test('groups typed digits in fours with the caret at the end', () => {
    expect(edit('|', 'type', '4')).toBe('4|')
    expect(edit('424|', 'type', '2')).toBe('4242|')
    expect(edit('4242|', 'type', '4')).toBe('4242 4|')
    expect(edit('4242 4242|', 'type', '1')).toBe('4242 4242 1|')
  })

  test('accepts pasted digits with spaces, hyphens or other characters between them', () => {
    for (const pasted of ['4242 4242 4242 4242', '4242-4242-4242-4242', ' 4242424242424242\n'])
      expect(edit('|', 'type', pasted)).toBe('4242 4242 4242 4242|')
    expect(edit('42|42', 'type', '1-1 1')).toBe('4211 1|42')
  })

  test('ignores letters and keeps the caret position', () => {
    expect(edit('42|42 42', 'type', 'a')).toBe('42|42 42')
    expect(edit('|', 'type', 'abc')).toBe('|')
  })

  test('keeps the caret behind a digit typed in the middle', () => {
    expect(edit('12|34 5678', 'type', '9')).toBe('129|3 4567 8')
    expect(edit('123|4 5678', 'type', '9')).toBe('1239 |4567 8')
    expect(edit('1234 |5678', 'type', '9')).toBe('1234 9|567 8')
    expect(edit('|1234 5', 'type', '9')).toBe('9|123 45')
  })

  test('Backspace deletes the digit before the caret, across a space too', () => {
    expect(edit('1234 5|', 'backspace')).toBe('1234|')
    expect(edit('1234 5|678', 'backspace')).toBe('1234| 678')
    expect(edit('1234 |5678', 'backspace')).toBe('123|5 678')
    expect(edit('12|34 5678', 'backspace')).toBe('1|345 678')
    expect(edit('|1234', 'backspace')).toBe('|1234')
  })

  test('Delete deletes the digit after the caret, across a space too', () => {
    expect(edit('1234| 5678', 'delete')).toBe('1234| 678')
    expect(edit('12|34 5678', 'delete')).toBe('12|45 678')
    expect(edit('1234|', 'delete')).toBe('1234|')
  })

  test('can be cleared', () => {
    expect(
      formatCardNumberInput('4242 42', { text: '', caret: 0 }, 'deleteContentBackward'),
    ).toEqual({
      text: '',
      caret: 0,
    })
  })

  test('cuts a number off at the maximum length', () => {
    expect(edit('|', 'type', '1'.repeat(25))).toBe('1111 1111 1111 1111 111|')
  })

  test('groups an autofilled number', () => {
    expect(formatCardNumberInput('', { text: '9792000000000005', caret: 16 })).toEqual({
      text: '9792 0000 0000 0005',
      caret: 19,
    })
  })
})
