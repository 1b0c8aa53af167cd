import { describe, expect, it } from 'vitest'
import { paths } from '../../paths.ts'
import { createShortcutReader, pressedKey } from './shortcuts.ts'

const press = (
  key: string,
  modifiers: Partial<Record<'ctrl' | 'meta' | 'alt' | 'shift', true>> = {},
) =>
  pressedKey({
    key,
    ctrlKey: modifiers.ctrl ?? false,
    metaKey: modifiers.meta ?? false,
    altKey: modifiers.alt ?? false,
    shiftKey: modifiers.shift ?? false,
  })

const actionOf = (keys: [key: string, time: number][]) => {
  const reader = createShortcutReader()
  return keys.map(([key, time]) => reader.read(key, time)?.action ?? null)
}

describe('pressedKey', () => {
  it('reads Ctrl and Command as Mod', () => {
    expect(press('k', { ctrl: true })).toBe('Mod+k')
    expect(press('k', { meta: true })).toBe('Mod+k')
  })

  it('lowercases a letter typed with Caps Lock, and ignores Shift plus a letter', () => {
    expect(press('C')).toBe('c')
    expect(press('C', { shift: true })).toBeNull()
  })

  it('reads other characters with and without Shift', () => {
    expect(press('/', { shift: true })).toBe('/')
    expect(press('?', { shift: true })).toBe('?')
  })

  it('ignores combinations with Alt', () => {
    expect(press('c', { alt: true })).toBeNull()
    expect(press('/', { alt: true, ctrl: true })).toBeNull()
  })
})

describe('createShortcutReader', () => {
  it('completes a single key at once', () => {
    expect(actionOf([['?', 0]])).toEqual(['help'])
    expect(actionOf([['Mod+k', 0]])).toEqual(['palette'])
  })

  it('completes a sequence of two keys', () => {
    expect(
      actionOf([
        ['g', 0],
        ['t', 1000],
      ]),
    ).toEqual([null, { to: paths.teams() }])
  })

  it('discards the first key of a sequence after 1.5 seconds', () => {
    expect(
      actionOf([
        ['g', 0],
        ['c', 1600],
      ]),
    ).toEqual([null, 'create'])
  })

  it('ignores a key that does not continue a sequence', () => {
    expect(
      actionOf([
        ['g', 0],
        ['c', 100],
        ['c', 200],
      ]),
    ).toEqual([null, null, 'create'])
  })

  it('discards the first key of a sequence on reset', () => {
    const reader = createShortcutReader()
    reader.read('g', 0)
    reader.reset()
    expect(reader.read('t', 100)).toBeNull()
  })
})
